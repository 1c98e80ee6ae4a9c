import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey } from "../../src/limits/address-key.ts";

test("IPv4 addresses count each by itself", () => {
  assert.notEqual(addressKey("203.0.113.7"), addressKey("203.0.113.8"));
  assert.equal(addressKey("203.0.113.7"), addressKey("203.0.113.7"));
});

test("an IPv4 address in IPv6 clothes is that IPv4 address", () => {
  assert.equal(addressKey("::ffff:203.0.113.7"), addressKey("203.0.113.7"));
  assert.equal(addressKey("::ffff:cb00:7107"), addressKey("203.0.113.7"));
  assert.notEqual(addressKey("::ffff:203.0.113.7"), addressKey("::ffff:203.0.113.8"));
});

test("IPv6 addresses of one /64 count together, whatever their spelling", () => {
  const keys = [
    "2001:db8:1:2::1",
    "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff",
    "2001:db8:1:2::",
    "2001:db8:1:2::9%eth0",
  ];
  assert.equal(new Set(keys.map(addressKey)).size, 1);
});

test("IPv6 addresses of two /64 count apart", () => {
  const keys = ["2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2:2::1", "2001:db9:1:2::1", "::1"];
  assert.equal(new Set(keys.map(addressKey)).size, keys.length);
});

test("what is no address counts as it stands, apart from every address", () => {
  const keys = ["stdio", "", "unknown", "203.0.113.7", "203.0.113.7:443", "::1"];
  assert.equal(new Set(keys.map(addressKey)).size, keys.length);
});

test("no key can be a token's subject by chance", () => {
  for (const address of ["stdio", "203.0.113.7", "2001:db8::1"])
    assert.match(addressKey(address), /^address:/);
});
