import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { withTables } from "../support/readme-tables.ts";

test("the README's tables are what the code says (npm run docs)", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  assert.equal(readme, withTables(readme));
});
