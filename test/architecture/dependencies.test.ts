import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/temporary-folder.ts";

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
const document = readFileSync(join(packageRoot, "docs", "dependencies.md"), "utf8");

suite("docs/dependencies.md", () => {
  for (const [heading, packages] of [
    ["## Installed with the package", dependencies],
    ["## For development", devDependencies],
  ] as const) {
    test(`lists every package, its license and a reason under "${heading}"`, () => {
      const section = document.slice(document.indexOf(heading)).split("\n## ", 2)[0] ?? "";
      const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+?) \| (.+?) \|$/gm)].map(([, ...cells]) => cells);
      assert.deepEqual(
        rows.map(([name]) => name).sort(),
        Object.keys(packages).sort(),
        "a package is added or removed together with its row in docs/dependencies.md",
      );
      for (const [name = "", license, reason = ""] of rows) {
        const manifest = join(packageRoot, "node_modules", name, "package.json");
        assert.equal(license, JSON.parse(readFileSync(manifest, "utf8")).license, name);
        assert.ok(reason.length >= 5, name);
      }
    });
  }
});

/** Runs the audit with an `npm` that prints `output`. */
function audited(t: TestContext, output: string, args: readonly string[] = []) {
  const folder = aFolder(t);
  const npm = join(folder, "npm");
  writeFileSync(npm, `#!/bin/sh\ncat <<'END'\n${output}\nEND\nexit 1\n`);
  chmodSync(npm, 0o755);
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH };
  const { status, stdout } = spawnSync(process.execPath, ["test/audit.mjs", ...args], {
    cwd: packageRoot,
    env,
    encoding: "utf8",
  });
  return { status, stdout };
}

suite("the audit of dependencies", () => {
  const report = (high: number) =>
    JSON.stringify({
      vulnerabilities: { leftish: { severity: high > 0 ? "high" : "low", range: "<1.2.3" } },
      metadata: { vulnerabilities: { low: 1, high, critical: 0 } },
    });

  test("fails on a high vulnerability and names the package", (t) => {
    const { status, stdout } = audited(t, report(1));
    assert.equal(status, 1);
    assert.match(stdout, /high: leftish <1\.2\.3/);
  });

  test("passes with low ones", (t) => {
    assert.equal(audited(t, report(0)).status, 0);
  });

  test("checks the lock file where the registry has no audit endpoint", (t) => {
    for (const output of ['{ "message": "405 Method Not Allowed" }', "not JSON"]) {
      const { status, stdout } = audited(t, output);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /no package is deprecated/);
    }
  });

  test("then fails on packages that are deprecated or have no checksum, except those for development", (t) => {
    const lock = join(aFolder(t), "package-lock.json");
    const packages = {
      "": { name: "here" },
      "node_modules/kept": { version: "1.0.0", integrity: "sha512-abc" },
      "node_modules/kept/node_modules/left": {
        version: "2.0.0",
        integrity: "sha512-abc",
        deprecated: "no longer mended",
      },
      "node_modules/loose": { version: "3.0.0" },
      "node_modules/tool": { version: "4.0.0", dev: true, deprecated: "use another" },
    };
    writeFileSync(lock, JSON.stringify({ packages }));
    const { status, stdout } = audited(t, "not JSON", [lock]);
    assert.equal(status, 1);
    assert.deepEqual(stdout.trim().split("\n").slice(1), [
      "deprecated: left 2.0.0: no longer mended",
      "without a checksum: loose 3.0.0",
    ]);
  });
});
