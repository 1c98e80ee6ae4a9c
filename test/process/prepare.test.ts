import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/temporary-folder.ts";

const LODASH = { "node_modules/lodash": { version: "4.17.21" } };
const MAC_ONLY = { "node_modules/fsevents": { version: "2.3.3", optional: true } };

// biome-ignore format: a table reads by its columns
const CASES: readonly (readonly [string, object | undefined, installs: boolean])[] = [
  ["where there are none", undefined, true],
  ["where one is missing", {}, true],
  ["where one has another version", { "node_modules/lodash": { version: "4.17.20" } }, true],
  ["not where the lock is only newer", LODASH, false],
];

for (const [when, installed, installs] of CASES)
  test(`a checkout installs its packages ${when}`, (t) => {
    const folder = aFolder(t);
    for (const name of ["scripts", "bin", "node_modules"]) mkdirSync(join(folder, name));
    copyFileSync(join(packageRoot, "scripts/prepare.mjs"), join(folder, "scripts/prepare.mjs"));
    writeFileSync(join(folder, "bin/npm"), `#!/bin/sh\ntouch '${folder}/called'\n`, { mode: 0o755 });
    const record = join(folder, "node_modules/.package-lock.json");
    if (installed) writeFileSync(record, JSON.stringify({ packages: installed }));
    if (installed) utimesSync(record, new Date(0), new Date(0));
    writeFileSync(
      join(folder, "package-lock.json"),
      JSON.stringify({ packages: { "": { name: "it" }, ...LODASH, ...MAC_ONLY } }),
    );
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    execFileSync(process.execPath, [join(folder, "scripts/prepare.mjs")], { env, stdio: "pipe" });
    assert.equal(existsSync(join(folder, "called")), installs);
  });
