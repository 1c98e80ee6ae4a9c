import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService, request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const { publicUrl } = await aService(wholeFile, { limiter: aRateLimiter() });

const FILES = [
  ["", "text/html; charset=utf-8"],
  ["/", "text/html; charset=utf-8"],
  ["/page.css", "text/css; charset=utf-8"],
  ["/page.js", "text/javascript; charset=utf-8"],
] as const;

suite("the traveler's page over HTTP", () => {
  test("serves its files without caching, framing or referrer, and HEAD without the body", async () => {
    for (const [path, type] of FILES) {
      const got = await request(`${publicUrl}/checkout${path}`);
      assert.notEqual(got.text, "");
      const head = await request(`${publicUrl}/checkout${path}`, { method: "HEAD" });
      assert.equal(head.text, "");
      for (const { status, headers } of [got, head]) {
        assert.equal(status, 200, path);
        assert.equal(headers.get("content-type"), type);
        assert.equal(headers.get("content-length"), String(Buffer.byteLength(got.text)));
        assert.equal(headers.get("cache-control"), "no-store");
        assert.equal(headers.get("referrer-policy"), "no-referrer");
        assert.equal(headers.get("x-frame-options"), "DENY");
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("content-security-policy"), got.headers.get("content-security-policy"));
      }
    }
  });

  test("allows the page its own files and nothing else", async () => {
    const { headers } = await request(`${publicUrl}/checkout?quote_id=q&fleet_id=1&sig=s`);
    const policy = (headers.get("content-security-policy") ?? "").split("; ").map((rule) => rule.split(" "));
    assert.deepEqual(Object.fromEntries(policy.map(([name, ...sources]) => [name, sources.join(" ")])), {
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "img-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
  });

  test("describes itself to link previews without the offer", async () => {
    const { text } = await request(`${publicUrl}/checkout?quote_id=q&fleet_id=1&sig=s`);
    assert.match(text, /<meta property="og:title" content="[^"]+">\s*<meta property="og:description" content="[^"]+">/);
  });

  test("answers 404 as a problem for any other file", async () => {
    for (const path of ["/nothing.js", "/page", "/..%2ftraveler-page.ts", "/%2e%2e%2f%2e%2e%2fcli.ts", "/page.js/"]) {
      const { status, headers, body, text } = await request(`${publicUrl}/checkout${path}`);
      assert.equal(status, 404, `${path}: ${text}`);
      assert.equal(headers.get("content-type"), "application/problem+json");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(body.code, "INVALID_REQUEST");
      assert.equal(body.status, 404);
    }
  });
});
