import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

const { textsIn } = await import(pathToFileURL(join(packageRoot, "examples/checkout/texts.js")).href);

test("the first day of a month is counted in French and Italian, as on the traveler's page", () => {
  const days = ["en", "de", "fr", "it"].map((language) => textsIn(language).day("06-01"));
  assert.deepEqual(days, ["1 June", "1. Juni", "1er juin", "1º giugno"]);
  assert.equal(textsIn("fr").clock("2027-06-01T00:01:00Z"), "02:01");
  assert.equal(textsIn("it").shortMoment("2027-06-11T11:00:00Z"), "ven 11 giu 13:00");
});
