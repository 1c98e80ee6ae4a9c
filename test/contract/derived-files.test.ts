import assert from "node:assert/strict";
import { test } from "node:test";
import { derivedFiles } from "../../scripts/docs/derived-files.ts";

for (const { path, current, derived } of derivedFiles) {
  test(`${path} is what npm run docs writes`, async () => {
    assert.equal(current(), await derived());
  });
}
