import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readOrCreateFile } from "../../src/ops/read-or-create-file.ts";
import { aFolder } from "../support/temporary-folder.ts";

test("creates a missing file and its folder for their owner only", async (t) => {
  const path = join(aFolder(t), "state", "secret");
  assert.equal(await readOrCreateFile(path, () => "first"), "first");
  assert.equal(readFileSync(path, "utf8"), "first");
  if (process.platform === "win32") return;
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(path, "..")).mode & 0o777, 0o700);
});

test("reads an existing file and never replaces it", async (t) => {
  const path = join(aFolder(t), "secret");
  writeFileSync(path, "");
  assert.equal(await readOrCreateFile(path, assert.fail), "");
});

test("gives all that start together the text of the first, and leaves no draft", async (t) => {
  const folder = aFolder(t);
  const texts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => readOrCreateFile(join(folder, "secret"), async () => `text ${n}`)),
  );
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual(readdirSync(folder), ["secret"]);
});

test("rejects a link into nothing, and removes its draft", async (t) => {
  const folder = aFolder(t);
  symlinkSync(join(folder, "nothing"), join(folder, "secret"));
  await assert.rejects(
    readOrCreateFile(join(folder, "secret"), () => "text"),
    { code: "ENOENT" },
  );
  assert.deepEqual(readdirSync(folder), ["secret"]);
});

test("removes its draft when the content cannot be created", async (t) => {
  const folder = aFolder(t);
  const failing = () => Promise.reject(new Error("no entropy"));
  await assert.rejects(readOrCreateFile(join(folder, "secret"), failing), /no entropy/);
  assert.deepEqual(readdirSync(folder), []);
});
