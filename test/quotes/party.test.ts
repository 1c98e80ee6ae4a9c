import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { eligibleClasses } from "../../src/pricing/price.ts";
import { checkParty } from "../../src/quotes/party.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { vehicleClasses } = loadCatalog(DEFAULT_CATALOG);

test("a small party is offered a large class only where no smaller one takes it", () => {
  const offered = (passengers: number, luggage: number) => {
    const people = { passengers, adults: null, children: 0, infants: 0, luggage, largeLuggage: null };
    const extras = { items: [], places: 0, childSeats: 0, notes: [] };
    return checkParty(people, extras, vehicleClasses).classes.map(({ id }) => id);
  };
  assert.deepEqual(offered(1, 1), ["sedan", "estate", "first_class", "van", "first_class_van"]);
  assert.deepEqual(offered(5, 5), ["van", "first_class_van", "minibus"]);
  assert.deepEqual(offered(12, 12), ["minibus", "coach"]);
  assert.deepEqual(offered(2, 20), ["minibus", "coach"]);
  assert.deepEqual(offered(2, 40), ["coach"]);
});

suite("who fits into what", () => {
  const classes = (seats: number, luggage: number) =>
    eligibleClasses(vehicleClasses, { seats, luggage, largeLuggage: 0, places: 0 }).map(({ id }) => id);
  const LARGE = ["van", "first_class_van", "minibus", "coach"];
  const CASES: readonly (readonly [number, number, readonly string[]])[] = [
    [1, 0, ["sedan", "estate", "first_class", ...LARGE]],
    [3, 3, ["sedan", "estate", "first_class", ...LARGE]],
    [4, 0, ["estate", ...LARGE]],
    [3, 4, ["estate", ...LARGE]],
    [5, 0, LARGE],
    [1, 5, LARGE],
    [6, 7, LARGE],
    [7, 7, ["van", "minibus", "coach"]],
    [6, 8, ["van", "minibus", "coach"]],
    [8, 0, ["minibus", "coach"]],
    [16, 20, ["minibus", "coach"]],
    [17, 0, ["coach"]],
    [1, 21, ["coach"]],
    [50, 60, ["coach"]],
    [51, 0, []],
    [1, 61, []],
  ];
  for (const [seats, luggage, expected] of CASES) {
    test(`${seats} seats and ${luggage} pieces: ${expected.join(", ") || "nothing"}`, () => {
      assert.deepEqual(classes(seats, luggage), expected);
    });
  }
});
