import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isClosed } from "../../src/routing/seasons.ts";

suite("a road is closed from the first to the last day of its closure", () => {
  const CASES: readonly (readonly [string, string, string, boolean])[] = [
    ["11-01", "05-31", "10-31", false],
    ["11-01", "05-31", "11-01", true],
    ["11-01", "05-31", "12-31", true],
    ["11-01", "05-31", "01-01", true],
    ["11-01", "05-31", "02-29", true],
    ["11-01", "05-31", "05-31", true],
    ["11-01", "05-31", "06-01", false],
    ["01-10", "03-20", "01-09", false],
    ["01-10", "03-20", "01-10", true],
    ["01-10", "03-20", "03-20", true],
    ["01-10", "03-20", "03-21", false],
    ["07-15", "07-15", "07-14", false],
    ["07-15", "07-15", "07-15", true],
    ["07-15", "07-15", "07-16", false],
  ];
  for (const [from, to, day, closed] of CASES) {
    test(`${from} to ${to}: ${closed ? "closed" : "open"} on ${day}`, () => {
      assert.equal(isClosed({ closed: { from, to } }, day), closed);
    });
  }
  test("a road without a closure is always open", () => assert.equal(isClosed({}, "01-15"), false));
});
