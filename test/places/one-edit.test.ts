import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isWithinOneEdit } from "../../src/places/index/near-misses.ts";

suite("one edit apart", () => {
  const CASES: readonly (readonly [string, string, boolean, string])[] = [
    ["zermatt", "zermatt", true, "equal"],
    ["", "", true, "both empty"],
    ["zermat", "zermatt", true, "a letter left out at the end"],
    ["ermatt", "zermatt", true, "a letter left out at the start"],
    ["zerrmatt", "zermatt", true, "a letter doubled"],
    ["zermett", "zermatt", true, "a letter replaced"],
    ["xermatt", "zermatt", true, "the first letter replaced"],
    ["zermatx", "zermatt", true, "the last letter replaced"],
    ["zrematt", "zermatt", true, "two neighbors swapped"],
    ["ezrmatt", "zermatt", true, "the first two swapped"],
    ["interlkaen", "interlaken", true, "two neighbors swapped in the middle"],
    ["", "z", true, "a single letter"],
    ["zerma", "zermatt", false, "two letters left out"],
    ["zermett x", "zermatt", false, "two letters more and one replaced"],
    ["zarmett", "zermatt", false, "two letters replaced"],
    ["zmreatt", "zermatt", false, "two swapped that are no neighbors"],
    ["zretamt", "zermatt", false, "two swaps"],
    ["", "zz", false, "two letters of nothing"],
    ["genf", "langenfeld", false, "part of a longer name"],
  ];
  for (const [a, b, expected, what] of CASES) {
    test(`${what}: "${a}" and "${b}"`, () => {
      assert.equal(isWithinOneEdit(a, b), expected);
      assert.equal(isWithinOneEdit(b, a), expected);
    });
  }

  test("accepts every single edit of a name and rejects two", () => {
    const name = "grindelwald";
    for (let at = 0; at < name.length; at += 1) {
      assert.ok(isWithinOneEdit(name.slice(0, at) + name.slice(at + 1), name));
      assert.ok(isWithinOneEdit(`${name.slice(0, at)}#${name.slice(at)}`, name));
      assert.ok(isWithinOneEdit(`${name.slice(0, at)}#${name.slice(at + 1)}`, name));
      assert.equal(isWithinOneEdit(`${name.slice(0, at)}##${name.slice(at + 1)}`, name), false);
    }
  });
});
