import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runBuilt, startBuilt } from "../support/built-process.ts";
import { aCatalogFolder } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { aFolder } from "../support/temporary-folder.ts";

const SERVE = { TRANSFER_HTTP_PORT: "0" };

/** `check.test.ts` has the mistakes, and `catalog-errors.test.ts` those of each schema. */
test("a mistake in the catalog exits with 2 and one line that names the file", async (t) => {
  const folder = aCatalogFolder(t);
  writeFileSync(join(folder, "policies.json"), '{"policies": [');
  const { code, stdout, stderr } = await runBuilt(t, ["serve"], { ...SERVE, TRANSFER_CATALOG_DIR: folder });
  assert.deepEqual([code, stdout], [2, ""], stderr);
  assert.ok(stderr.startsWith(`${join(folder, "policies.json")}: invalid JSON (`), stderr);
  assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
});

test("an invalid setting exits every command with 2 and one line without secrets", async (t) => {
  for (const args of [["serve"], [], ["check"], ["token"], ["prices"]]) {
    const { code, stdout, stderr } = await runBuilt(t, args, { TRANSFER_LOG_LEVEL: "loud" });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_LOG_LEVEL is "loud"; allowed: fatal, [^\n]*\n$/);
  }
  const secret = await runCommand(t, ["serve"], { ...SERVE, TRANSFER_CHECKOUT_SECRET: "hunter2" });
  assert.equal(secret.code, 2);
  assert.match(secret.stderr, /^TRANSFER_CHECKOUT_SECRET is set, but not valid; allowed: [^\n]*32[^\n]*\n$/);
});

test("a public URL exits with 2 while the development issuer would run", async (t) => {
  for (const args of [["serve"], ["check"]]) {
    const env = { ...SERVE, TRANSFER_PUBLIC_URL: "https://quotes.example.com" };
    const { code, stdout, stderr } = await runCommand(t, args, env);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_PUBLIC_URL is https:\/\/quotes\.example\.com; [^\n]*TRANSFER_AUTH_ISSUER[^\n]*\n$/);
  }
});

test("a public URL with a path exits with 2 and says what to do instead", async (t) => {
  for (const command of ["serve", "check", "stdio"]) {
    const env = { ...SERVE, TRANSFER_PUBLIC_URL: "https://example.com/quotes/" };
    const { code, stdout, stderr } = await runCommand(t, [command], env);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^TRANSFER_PUBLIC_URL is "https:[^\n]*\/quotes\/"; [^\n]*without a path[^\n]*host name of its own[^\n]*\n$/,
    );
  }
});

test("warns of an unknown variable by name and continues", async (t) => {
  const { code, stderr } = await runCommand(t, ["token"], { TRANSFER_HTTP_PROT: "80", TRANSFER_TOKEN: "x" });
  assert.equal(code, 0);
  assert.match(stderr, /^warning: unknown setting TRANSFER_HTTP_PROT; [^\n]*$/m);
  assert.match(stderr, /^warning: unknown setting TRANSFER_TOKEN; [^\n]*$/m);
});

test("an unusable data folder exits with 2 and one line", async (t) => {
  const file = join(aFolder(t), "file");
  writeFileSync(file, "");
  for (const args of [["serve"], ["stdio"]]) {
    const { code, stdout, stderr } = await runBuilt(t, args, { ...SERVE, TRANSFER_DATA_DIR: join(file, "below") });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_DATA_DIR is [^\n]*\n$/);
  }
});

test("too few file handles exit with 2 and one line", async (t) => {
  for (const args of [["serve"], ["stdio"]]) {
    const { stdout, stderr, ended } = startBuilt(t, args, SERVE, { openFiles: 64 });
    const { code } = await ended;
    assert.equal(code, 2, stderr());
    assert.equal(stdout(), "");
    assert.match(stderr(), /^too few file handles; [^\n]*ulimit -n 1024\n$/);
  }
});
