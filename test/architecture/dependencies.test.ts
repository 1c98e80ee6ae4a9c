import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";

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
