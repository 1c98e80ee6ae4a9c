import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { wholeFile } from "../../support/lifetime.ts";
import { aService, request } from "../../support/service.ts";
import { handoff } from "../../support/traveler.ts";

const service = await aService(wholeFile);
const { publicUrl } = service;

const { text: PAGE } = await request(`${publicUrl}/checkout`);
const [script = "", style = ""] = [/src="([^"]+\.js)"/, /href="([^"]+\.css)"/].map((each) => each.exec(PAGE)?.[1]);
const FILES = [
  ["/checkout", "text/html; charset=utf-8", "no-store"],
  ["/checkout/", "text/html; charset=utf-8", "no-store"],
  [style, "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
  [script, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
] as const;

suite("the traveler's page over HTTP", () => {
  test("serves its files without framing or referrer, caches all but the document, and HEAD without the body", async () => {
    for (const [path, type, caching] of FILES) {
      const got = await request(publicUrl + path);
      assert.notEqual(got.text, "");
      const head = await request(publicUrl + path, { method: "HEAD" });
      assert.equal(head.text, "");
      for (const { status, headers } of [got, head]) {
        assert.equal(status, 200, path);
        assert.equal(headers.get("content-type"), type);
        assert.equal(headers.get("cache-control"), caching);
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

  test("weighs at most 60 kB with an offer, compressed, and names its files after their content", async () => {
    const link = await handoff(service);
    const offer = /id="terms"[^>]* href="([^"]+)"/.exec((await request(link[0].url)).text)?.[1] ?? "";
    const address = offer.replaceAll("&#38;", "&");
    const paths = [link[0].url.slice(publicUrl.length), script, style, "/brand.css", "/logo", address];
    let bytes = 0;
    for (const path of paths) {
      const response = await fetch(publicUrl + path, { headers: { "Accept-Encoding": "gzip" } });
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("content-encoding"), path === address ? null : "gzip", path);
      bytes += Number(response.headers.get("content-length"));
    }
    assert.ok(bytes > 10_000 && bytes <= 32_768, `${bytes}`);
    for (const name of [script, style]) assert.match(name, /^\/checkout\/page-[A-Z0-9]{8}\.(js|css)$/);
  });

  test("has the words of its language, and describes itself to link previews without the offer", async () => {
    for (const [language, title] of Object.entries({
      fr: "Votre transfert",
      de: "Ihr Transfer",
      en: "Your transfer",
    })) {
      const { text } = await request(`${publicUrl}/checkout?quote_id=q&fleet_id=1&sig=s&lang=${language}`);
      assert.match(text, new RegExp(`<meta property="og:title" content="${title} – Example Transfers">`));
      assert.match(text, /<meta property="og:description" content="[^"]+">[\s\S]*id="texts">\{"texts":/);
    }
  });

  test("names the operator and how to reach it before it has an offer, and fills in every value", async () => {
    assert.match(PAGE, /Example Transfers <a href="tel:\+41000000000">\+41 00 000 00 00<\/a>/);
    assert.match(PAGE, /id="terms"[^>]* href=""/);
    assert.doesNotMatch(PAGE.replace(/<script type="application\/json".*/, ""), /[{}]|%\w+%/);
  });

  test("answers 404 as a problem for any other file", async () => {
    for (const path of ["/page", "/..%2ftraveler-page.ts", "/%2e%2e%2f%2e%2e%2fcli.ts", "/page.js", "/__proto__"]) {
      const { status, headers, body, text } = await request(`${publicUrl}/checkout${path}`);
      assert.equal(status, 404, `${path}: ${text}`);
      assert.equal(headers.get("content-type"), "application/problem+json");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(body.code, "INVALID_REQUEST");
      assert.equal(body.status, 404);
    }
  });
});
