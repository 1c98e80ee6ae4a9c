import assert from "node:assert/strict";
import { test } from "node:test";
import { createId } from "../../src/ops/ids.ts";

test("an id has its prefix and 128 random bits, and fits a quote_id of 64 characters", () => {
  const ids = Array.from({ length: 2_000 }, () => createId("quote"));
  for (const id of ids) assert.match(id, /^quote_[\w-]{22}$/);
  assert.equal(new Set(ids).size, ids.length);
  for (let position = 6; position < 27; position += 1) {
    assert.ok(new Set(ids.map((id) => id[position])).size > 50, `letter ${position} hardly varies`);
  }
});
