import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";

const READ = ["package.json", "package-lock.json", "server.json", "README.md", "docs/connect.md", "scripts"];

/** A copy of what the checks of a release read. */
function aCopy(t: TestContext): string {
  const folder = aFolder(t);
  for (const path of READ) cpSync(join(packageRoot, path), join(folder, path), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  return folder;
}

function edit(folder: string, file: string, change: (content: Fields) => void): void {
  const content = JSON.parse(readFileSync(join(folder, file), "utf8"));
  change(content);
  writeFileSync(join(folder, file), JSON.stringify(content));
}

function release(folder: string, ...steps: readonly string[]) {
  return spawnSync(process.execPath, [join(folder, "scripts/release.mjs"), ...steps], { encoding: "utf8" });
}

suite("npm run release", () => {
  test("passes what is in order, and lists names, tokens and placeholders for a person", (t) => {
    const { status, stdout, stderr } = release(aCopy(t), "entry", "licenses");
    assert.deepEqual([status, stderr], [0, ""]);
    const [, tasks = ""] = stdout.split("Left to a person");
    for (const task of ["own transfer-quote-mcp at npm", "mcpName is a placeholder", "npm login", "tag v0."])
      assert.ok(tasks.includes(task), `${task}: ${stdout}`);
  });

  test("fails with the entry and the license that are wrong, by name", (t) => {
    const folder = aCopy(t);
    edit(folder, "server.json", (entry) => (entry.packages[0].version = "0.0.9"));
    edit(folder, "package-lock.json", ({ packages }) => (packages["node_modules/pg"].license = "AGPL-3.0"));
    const { status, stdout, stderr } = release(folder, "entry", "licenses");
    assert.deepEqual([status, stderr], [1, "\nfailed: entry, licenses\n"]);
    assert.match(stdout, /✖ server\.json: packages\[0\]\.version is 0\.0\.9, package\.json has /);
    assert.match(stdout, /^pg \d\S+: AGPL-3\.0$/m);
  });
});
