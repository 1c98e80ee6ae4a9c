import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadCheckoutSecret } from "../../src/checkout/checkout-secrets.ts";
import { aFolder } from "../support/temporary-folder.ts";

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

test("reads the same secret later, so that links outlive a restart", async (t) => {
  const folder = aFolder(t);
  const secret = await loadCheckoutSecret(folder);
  assert.equal(await loadCheckoutSecret(folder), secret);
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
