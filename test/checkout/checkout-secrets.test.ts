import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadCheckoutSecret } from "../../src/checkout/checkout-secrets.ts";
import { aFolder } from "../support/temporary-folder.ts";

test("the first call makes a secret of 256 random bits, readable by its owner only", async (t) => {
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

test("later calls read it, so that links outlive a restart", async (t) => {
  const folder = aFolder(t);
  const secret = await loadCheckoutSecret(folder);
  assert.equal(await loadCheckoutSecret(folder), secret);
});

test("calls at the same moment agree on one, and leave nothing else behind", async (t) => {
  const folder = aFolder(t);
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadCheckoutSecret(folder)));
  assert.equal(new Set(secrets).size, 1);
  assert.deepEqual(readdirSync(folder), ["checkout-secret"]);
});

test("a damaged file is refused by its name and never overwritten", async (t) => {
  const folder = aFolder(t);
  const path = join(folder, "checkout-secret");
  for (const damaged of ["", "\n", "short", " ".repeat(64), "x".repeat(31)]) {
    writeFileSync(path, damaged);
    await assert.rejects(loadCheckoutSecret(folder), (error: Error) =>
      error.message.startsWith(`${path} is damaged. Delete it`),
    );
    assert.equal(readFileSync(path, "utf8"), damaged);
  }
});

test("a secret of the operator's own, 32 characters or longer, is taken", async (t) => {
  const folder = aFolder(t);
  writeFileSync(join(folder, "checkout-secret"), `  ${"x".repeat(32)}\r\n`);
  assert.equal(await loadCheckoutSecret(folder), "x".repeat(32));
});
