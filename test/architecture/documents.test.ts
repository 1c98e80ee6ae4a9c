import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot, readPackageFile } from "../../src/ops/package-root.ts";
import { moduleUrl } from "../support/run-module.ts";

const text = readFileSync(join(packageRoot, "CONTRIBUTING.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));

suite("CONTRIBUTING.md", () => {
  const rows = [...text.matchAll(/^\| (.+\.) \| `([\w./-]+\.ts)` \| `(\w+)` \|$/gm)];

  test("locates ten sentences of the contract", () => assert.equal(rows.length, 10));

  for (const [, sentence, file = "", name = ""] of rows) {
    test(`names the export of: ${sentence}`, async () => {
      const exported: Record<string, unknown> = await import(moduleUrl(file.replace(/\.ts$/, "")));
      assert.ok(name in exported, `${file} does not export ${name}`);
    });
  }

  test("and SECURITY.md name existing files and folders only", () => {
    const documents = text + readPackageFile("SECURITY.md");
    const paths = [...documents.matchAll(/`((?:src|tools|rest-shim|test|fixtures|docs)\/[\w./-]*)`/g)];
    assert.ok(paths.length > 60, `${paths.length} paths`);
    for (const [, path = ""] of paths) assert.ok(existsSync(join(packageRoot, path)), path);
  });

  test("names existing npm scripts only", () => {
    for (const [, script = ""] of text.matchAll(/`(?:npm run )?((?:bench|dev|check|docs)(?::\w+)?)`/g))
      assert.ok(script in scripts, script);
  });
});

/** Entries that begin alike say the same: a merge brings back what was edited or moved. */
const BEGINNING = 60;
const lines = readPackageFile("CHANGELOG.md").split("\n");

suite("the changelog", () => {
  test("tells a release on a page", () => {
    const [, ...versions] = lines.join("\n").split(/^## /m);
    for (const version of versions) assert.ok(version.split("\n").length <= 60, version.slice(0, 40));
  });

  test("has each entry once", () => {
    const beginnings = lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(0, BEGINNING));
    assert.notEqual(beginnings.length, 0);
    assert.deepEqual(
      beginnings.filter((each, at) => beginnings.indexOf(each) !== at),
      [],
    );
  });

  test("has each subject once in a version", () => {
    const [, ...versions] = lines.join("\n").split(/^## /m);
    for (const version of versions) {
      const subjects = [...version.matchAll(/^### (.+)$/gm)].map(([, subject]) => subject);
      assert.equal(new Set(subjects).size, subjects.length);
      assert.match(version, /^.+\n\n### /, "entries stand under a subject");
    }
  });
});
