import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { aService, request } from "../support/service.ts";

const NONE = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

test("everything that a browser can show has a policy, and is neither framed nor sniffed nor a referrer", async (t) => {
  const { publicUrl } = await aService(t);
  const paths = [
    "/checkout",
    "/docs",
    "/docs/errors/quote_expired",
    "/docs/errors/nothing",
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
    assert.doesNotMatch(rules.join(), /unsafe|\*|https?:/, path);
    assert.deepEqual(
      ["x-content-type-options", "x-frame-options", "referrer-policy"].map((name) => headers.get(name)),
      ["nosniff", "DENY", "no-referrer"],
      path,
    );
  }
});

test("the documentation is allowed its own style and no script", async (t) => {
  const { publicUrl } = await aService(t);
  for (const path of ["/docs", "/docs/errors/quote_expired"]) {
    const { headers, text } = await request(`${publicUrl}${path}`);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    assert.ok(headers.get("content-security-policy")?.includes(`style-src 'sha256-${hash}'`), path);
    assert.doesNotMatch(text, /<script|\sstyle=|\son\w+=|<img|<link/, path);
  }
});
