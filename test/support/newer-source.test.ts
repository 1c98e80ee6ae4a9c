import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newerSource } from "./newer-source.ts";
import { aFolder } from "./temporary-folder.ts";

test("a build is stale where a source in any folder was changed after it", (t) => {
  const folder = aFolder(t);
  mkdirSync(join(folder, "src", "wing"), { recursive: true });
  const [built, source] = [join(folder, "cli.js"), join(folder, "src", "wing", "room.ts")];
  for (const file of [built, source]) writeFileSync(file, "");
  utimesSync(built, 1_000, 1_000);
  utimesSync(source, 1_000, 1_000);
  assert.equal(newerSource(built, [join(folder, "src")]), undefined);
  utimesSync(source, 1_000, 1_001);
  assert.equal(newerSource(built, [join(folder, "src")]), source);
});
