import assert from "node:assert/strict";
import { test } from "node:test";
import { aService, request } from "../support/service.ts";

const NONE = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

test("everything that a browser can show has a policy, and is neither framed nor sniffed nor a referrer", async (t) => {
  const { publicUrl } = await aService(t);
  const paths = [
    "/checkout",
    "/privacy",
    "/support",
    "/docs",
    "/docs/errors/quote_expired",
    "/llms.txt",
    "/openapi.json",
  ];
  const signIn = ["/dev-auth/authorize?client_id=nobody", "/dev-auth/.well-known/openid-configuration"];
  for (const path of [...paths, ...signIn]) {
    const { headers, status } = await request(`${publicUrl}${path}`);
    const rules = headers.get("content-security-policy")?.split("; ") ?? [];
    assert.deepEqual(
      NONE.filter((rule) => !rules.includes(rule)),
      [],
      `${path}: ${status}`,
    );
    // The API explorer at /docs writes styles, but no page runs inline code.
    const scripts = rules.filter((rule) => path !== "/docs" || !rule.startsWith("style-src"));
    assert.doesNotMatch(scripts.join(), /unsafe|\*|https?:/, path);
    assert.deepEqual(
      ["x-content-type-options", "x-frame-options", "referrer-policy"].map((name) => headers.get(name)),
      ["nosniff", "DENY", "no-referrer"],
      path,
    );
  }
});

test("an error page is allowed no script", async (t) => {
  const { publicUrl } = await aService(t);
  const { headers, text } = await request(`${publicUrl}/docs/errors/quote_expired`);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src/);
  assert.doesNotMatch(text, /<script|\sstyle=|\son\w+=/);
});
