import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

const REPORT = { NODE_OPTIONS: `--import=${join(packageRoot, "test/support/report-packages.mjs")}` };
const PACKAGE = /loaded \S+/g;
const clientInfo = { name: "test", version: "1" };
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
const FIRST_QUOTE = [
  { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  {
    ...{ jsonrpc: "2.0", id: 2, method: "tools/call" },
    params: { name: "create_transfer_quote", arguments: aRealJourney() },
  },
];

test("a first quote over stdio loads no package besides the bundle", async (t) => {
  const input = FIRST_QUOTE.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { stdout, stderr } = await runBuilt(t, ["stdio"], REPORT, input);
  assert.match(stdout, /"quote_id"/);
  assert.deepEqual(stderr.match(PACKAGE), null);
});

test("a command loads no package that it does not need", async (t) => {
  for (const args of [["prices"], ["config"], ["token"]]) {
    const { code, stderr } = await runBuilt(t, args, REPORT);
    assert.deepEqual([code, stderr.match(PACKAGE)], [0, null], args[0]);
  }
});

test("stacks of the bundle name the source files", async (t) => {
  const dataDir = aFolder(t);
  writeFileSync(join(dataDir, "development-keys.json"), "{}");
  const env = { TRANSFER_DATA_DIR: dataDir, NODE_OPTIONS: "--enable-source-maps" };
  const { stderr } = await runBuilt(t, ["stdio"], env);
  assert.match(stderr, /src\/identity\/development\/keys\.ts:\d+/);
});
