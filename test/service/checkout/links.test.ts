import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createLinkSigner, loadCheckoutSecret, type SignedTerms } from "../../../src/service/checkout/signature.ts";
import { aFolder } from "../../support/lifetime.ts";

const NEW = "n".repeat(32);
const terms: SignedTerms = { quoteId: "quote_AAAA", fleetId: 3, expiresAt: "2026-12-01T09:30:00.000Z" };

suite("a signature", () => {
  const { sign, verify } = createLinkSigner([NEW]);
  const signature = sign(terms);

  test("is base64url of an HMAC-SHA-256 over quote, vehicle and expiry", () => {
    const mac = createHmac("sha256", NEW).update("quote_AAAA\n3\n2026-12-01T09:30:00.000Z").digest("base64url");
    assert.equal(signature, mac);
    assert.match(signature, /^[\w-]{43}$/);
  });

  test("rejects non-canonical base64url", () => {
    const bytes = Buffer.from(signature, "base64url");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const aliases = [...alphabet]
      .map((letter) => signature.slice(0, -1) + letter)
      .filter((alias) => Buffer.from(alias, "base64url").equals(bytes));
    assert.equal(aliases.length, 4, "the last letter carries two bits that mean nothing");
    assert.deepEqual(
      aliases.filter((alias) => verify(terms, alias)),
      [signature],
    );
  });
});

test("creates a secret of 256 random bits, readable by its owner only", async (t) => {
  const folder = join(aFolder(t), "state", "transfer");
  const secret = await loadCheckoutSecret(folder);
  assert.match(secret, /^[\w-]{43}$/);
  assert.equal(readFileSync(join(folder, "checkout-secret"), "utf8"), `${secret}\n`);
  if (process.platform !== "win32") {
    assert.equal(statSync(join(folder, "checkout-secret")).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  }
  assert.notEqual(await loadCheckoutSecret(aFolder(t)), secret);
});

test("agrees on one secret in concurrent calls, without leftovers", async (t) => {
  const folder = aFolder(t);
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadCheckoutSecret(folder)));
  assert.equal(new Set(secrets).size, 1);
  assert.deepEqual(readdirSync(folder), ["checkout-secret"]);
});

test("rejects a damaged file by name and never overwrites it", async (t) => {
  const folder = aFolder(t);
  const path = join(folder, "checkout-secret");
  for (const damaged of ["", "\n", "short", " ".repeat(64), "x".repeat(31), "\0".repeat(40)]) {
    writeFileSync(path, damaged);
    await assert.rejects(loadCheckoutSecret(folder), (error: Error) =>
      error.message.startsWith(`${path} is damaged: `),
    );
    assert.equal(readFileSync(path, "utf8"), damaged);
  }
});

test("accepts an operator's own secret of 32 characters or more", async (t) => {
  const folder = aFolder(t);
  writeFileSync(join(folder, "checkout-secret"), `  ${"x".repeat(32)}\r\n`);
  assert.equal(await loadCheckoutSecret(folder), "x".repeat(32));
});
