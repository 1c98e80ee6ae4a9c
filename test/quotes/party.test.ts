import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { textsOf } from "../../src/contract/notices.ts";
import { eligibleClasses } from "../../src/pricing/price.ts";
import { checkParty } from "../../src/quotes/party.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { vehicleClasses } = loadCatalog(DEFAULT_CATALOG);

const NO_EXTRAS = { items: [], places: 0, childSeats: 0, notes: [] };

function party(passengers: number, rest: Partial<Parameters<typeof checkParty>[0]> = {}) {
  const stated = { passengers, adults: null, children: 0, infants: 0, luggage: 0, largeLuggage: null, ...rest };
  const { classes, largeLuggage, places, ...checked } = checkParty(stated, NO_EXTRAS, vehicleClasses);
  assert.deepEqual(classes, eligibleClasses(vehicleClasses, { ...checked, largeLuggage, places }));
  return checked;
}

suite("seats", () => {
  test("adults default to the passengers", () => {
    assert.deepEqual(party(4), { adults: 4, seats: 4, luggage: 0, notes: [] });
  });

  test("a party that adds up to its passengers has no note", () => {
    assert.deepEqual(party(4, { adults: 2, children: 1, infants: 1 }), { adults: 2, seats: 4, luggage: 0, notes: [] });
  });

  test("more people than passengers need a seat each, with a note", () => {
    const { seats, notes } = party(2, { children: 1, infants: 1 });
    assert.equal(seats, 4);
    assert.deepEqual(textsOf(notes), [
      "Adults, children and infants add up to 4, passengers are 2; vehicles are chosen for 4 seats.",
    ]);
  });

  test("fewer people than passengers keep the seats of the passengers, with a note", () => {
    const { seats, adults, notes } = party(5, { adults: 2 });
    assert.deepEqual([seats, adults, notes.length], [5, 2, 1]);
  });

  test("no adults is a statement of its own", () => {
    assert.deepEqual(party(1, { adults: 0, children: 1 }), { adults: 0, seats: 1, luggage: 0, notes: [] });
  });
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

  test("a party that no class takes is NO_ELIGIBLE_VEHICLE and names the largest class", () => {
    assert.equal(party(50, { luggage: 50 }).seats, 50);
    assert.throws(
      () => party(50, { children: 1 }),
      (error) => {
        assert.ok(error instanceof PublicError);
        assert.equal(error.code, "NO_ELIGIBLE_VEHICLE");
        assert.match(error.message, /seats 51 passengers with 0 pieces/);
        assert.match(error.options.nextAction ?? "", /coach, takes 50 passengers and 60 pieces of luggage/);
        return true;
      },
    );
  });

  test("without a large class in the fleet a large party is refused", () => {
    const small = vehicleClasses.filter(({ passengerCapacity }) => passengerCapacity <= 7);
    assert.throws(
      () =>
        checkParty(
          { passengers: 8, adults: null, children: 0, infants: 0, luggage: 0, largeLuggage: null },
          NO_EXTRAS,
          small,
        ),
      /seats 8 passengers/,
    );
  });
});
