import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startBuilt } from "../support/built-process.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WAITS = { timeout: 60_000 };

for (const command of ["serve", "stdio"] as const) {
  test(`${command} ends with exit code 1 and logs the cause when its lock is removed`, WAITS, async (t) => {
    const dataDir = aFolder(t);
    const started = startBuilt(t, [command], { TRANSFER_DATA_DIR: dataDir, TRANSFER_HTTP_PORT: "0" });
    await started.says(/"msg":"serving/);
    rmSync(join(dataDir, "quotes", command === "serve" ? "serve" : "stdio-1", "lock-1.json"));
    assert.deepEqual(await started.ended, { code: 1, signal: null });
    const [ending] = started.stderr().match(/^.*"the lock of the data folder was lost".*$/m) ?? [];
    const { level, err } = JSON.parse(ending ?? "{}");
    assert.equal(level, 50);
    assert.match(err.message, /^ENOENT: .*lock-1\.json/);
  });
}
