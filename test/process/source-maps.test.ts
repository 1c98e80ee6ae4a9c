import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runBuilt } from "../support/built-process.ts";
import { aFolder } from "../support/temporary-folder.ts";

test("stacks of the built program name the source files", async (t) => {
  const dataDir = aFolder(t);
  writeFileSync(join(dataDir, "development-keys.json"), "{}");
  const env = { TRANSFER_DATA_DIR: dataDir, NODE_OPTIONS: "--enable-source-maps" };
  const { stderr } = await runBuilt(t, ["stdio"], env);
  assert.match(stderr, /src\/identity\/development\/keys\.ts:\d+/);
});
