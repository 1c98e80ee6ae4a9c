import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey, subjectKey } from "../../src/limits/budget-key.ts";

test("counts each IPv4 address by itself", () => {
  assert.notEqual(addressKey("203.0.113.7"), addressKey("203.0.113.8"));
  assert.equal(addressKey("203.0.113.7"), addressKey("203.0.113.7"));
});

test("counts an IPv4-mapped IPv6 address as its IPv4 address", () => {
  assert.equal(addressKey("::ffff:203.0.113.7"), addressKey("203.0.113.7"));
  assert.equal(addressKey("::ffff:cb00:7107"), addressKey("203.0.113.7"));
  assert.notEqual(addressKey("::ffff:203.0.113.7"), addressKey("::ffff:203.0.113.8"));
});

test("counts IPv6 addresses of one /64 together, whatever their spelling", () => {
  const keys = ["2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::", "2001:db8:1:2::9%eth0"];
  assert.equal(new Set(keys.map(addressKey)).size, 1);
});

test("counts IPv6 addresses of different /64s separately", () => {
  const keys = ["2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2:2::1", "2001:db9:1:2::1", "::1"];
  assert.equal(new Set(keys.map(addressKey)).size, keys.length);
});

test("counts what is not an address as it is, apart from every address", () => {
  const keys = ["stdio", "", "unknown", "203.0.113.7", "203.0.113.7:443", "::1"];
  assert.equal(new Set(keys.map(addressKey)).size, keys.length);
});

test("subjects and addresses never share a key", () => {
  const names = ["stdio", "203.0.113.7", "2001:db8::1", "address:203.0.113.7", "subject:203.0.113.7", ""];
  const keys = [...names.map(addressKey), ...names.map(subjectKey)];
  assert.equal(new Set(keys).size, keys.length);
});
