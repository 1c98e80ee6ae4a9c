import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readPackageFile } from "../../src/ops/package-root.ts";

/** Entries that begin alike say the same: a merge brings back what was edited or moved. */
const BEGINNING = 60;
const lines = readPackageFile("CHANGELOG.md").split("\n");

suite("the changelog", () => {
  test("has each entry once", () => {
    const beginnings = lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(0, BEGINNING));
    assert.ok(beginnings.length > 100);
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
