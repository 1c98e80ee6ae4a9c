import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { totalOf } from "../../../src/domain/pricing/charge.ts";
import type { Way, Ways } from "../../../src/domain/pricing/dearest-way.ts";
import { priceOf } from "../../../src/domain/pricing/price.ts";
import { type MeasuredDirection, pricedDirection } from "../../../src/domain/pricing/priced-direction.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { instantOf, type Setup, told } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;
const OWN: Setup["rules"] = { fares: [], seasons: [], serviceRules: [] };

/** From Zurich Airport to Bern, whatever the roads. */
function measuring(distanceKm: number, feesRappen = 0): Setup {
  return { measured: { distanceKm, feesRappen, durationMinutes: 30 }, rules: OWN };
}

// Sedan: 20.00 and 2.80 a km, at least 80.00.
suite("distance", () => {
  for (const [km, sum] of [
    [1, "the minimum 8000"],
    [21.4, "2000 + 21.4 × 280 = 7992, at least 8000"],
    [21.5, "2000 + 21.5 × 280 = 8020"],
    [100, "2000 + 100 × 280 = 30000"],
    [100.04, "the hectometer below 30000"],
    [100.05, "the hectometer above 30028, rounded 30030"],
    [100.2, "2000 + 100.2 × 280 = 30056, rounded 30055"],
    [100.4, "2000 + 100.4 × 280 = 30112, rounded 30110"],
    [0.3 * 3 * 100, "a float a hair below 90 is 27200"],
  ] as const)
    told(`${km} km cost the sedan ${sum}`, measuring(km), `at 14:00 -> costs ${sum}`);

  told(
    "costs what the rate of each class says",
    {
      ...measuring(123.4),
      rules: {
        ...OWN,
        vehicleClasses: defaultCatalog.catalog.vehicleClasses.map((each) => ({ ...each, smallestParty: 1 })),
      },
    },
    `at 14:00 -> sedan costs 2000 + 34552 = 36552, rounded 36550
      -> estate costs 2000 + 37020 = 39020
      -> first_class costs 3000 + 67870 = 70870
      -> van costs 2500 + 41956 = 44456, rounded 44455
      -> first_class_van costs 3500 + 74040 = 77540
      -> minibus costs 5000 + 67870 = 72870
      -> coach costs 12000 + 96252 = 108252, rounded 108250`,
  );
});

suite("surcharges", () => {
  told(
    "are a fifth of the fare at night and a tenth on a holiday, of the fare and not of each other, of waiting or tolls",
    measuring(100, 2_950),
    `at 03:00            -> pays 30000 Transfer 100 km + 6000 Night surcharge + 2950 Tolls = 38950
     at 2026-12-25 14:00 -> pays 30000 Transfer 100 km + 3000 Holiday surcharge + 2950 Tolls = 35950
     at 2026-12-25 03:00; wait 90 -> pays 30000 Transfer 100 km + 6000 Night surcharge + 3000 Holiday surcharge + 3000 Waiting 30 min + 2950 Tolls = 44950`,
  );
  told("are of the minimum fare too", measuring(1), "at 2026-12-25 03:00 -> costs 8000 + 1600 + 800 = 10400");
});

suite("the total of a direction is rounded once to 5 Rappen, after all of it is added up", () => {
  for (const [fees, total] of Object.entries([30_000, 30_000, 30_000, 30_005, 30_005, 30_005, 30_005, 30_005, 30_010]))
    told(`30000 and tolls of ${fees} are ${total}`, measuring(100, Number(fees)), `at 14:00 -> costs ${total}`);
  told(
    "a fifth of 10008 and tolls of 3",
    measuring(28.6, 3),
    "at 03:00 -> costs 10008 + 2002 + 3 = 12013, rounded 12015",
  );
  // 3000 + 30.1 × 550 = 19555; a tenth is 1955.5, half a Rappen goes up.
  for (const [fees, sum] of ["21511, rounded 21510", "21512, rounded 21510", "21513, rounded 21515"].entries())
    told(
      `a tenth of 19555, half a Rappen of it, and tolls of ${fees}`,
      measuring(30.1, fees),
      `at 2026-12-25 14:00 -> first_class costs 19555 + 1956 + ${fees} = ${sum}`,
    );
  told(
    "a percentage is one of the fare beside it",
    measuring(27.2),
    `at 03:00            -> estate pays 10158 Transfer 27.2 km + 2032 Night surcharge = 12190
     at 2026-12-25 03:00 -> estate pays 10162 Transfer 27.2 km + 2032 Night surcharge + 1016 Holiday surcharge = 13210`,
  );
  told(
    "equal directions have equal lines",
    measuring(28.6),
    "at 14:00; back 2026-12-10 14:00 -> pays 10010 Outbound: Transfer 28.6 km + 10010 Return: Transfer 28.6 km = 20020",
  );
});

suite("the return journey", () => {
  told(
    "is of the same day by the local calendar",
    measuring(100),
    `at 23:30; back 2026-12-09 00:30 -> costs 30000 + 36000 at night, no discount = 66000
     at 00:30; back 20:00            -> costs 36000 at night + 30000 - 60000 / 20 = 63000`,
  );
  told(
    "takes nothing off waiting, tolls and surcharges",
    measuring(100, 2_950),
    `at 14:00; back 20:00; wait 91 -> costs 60000 - 3000 + 2 × 2950 + 3 × 1500 = 67400
     at 2026-12-25 03:00; back 2026-12-25 20:00 -> costs 60000 - 3000 + 2 × 2950 + 6000 + 3000 + 3000 = 74900`,
  );
  told(
    "has the minimum fare in each direction before the discount",
    measuring(5),
    "at 14:00; back 20:00 -> costs 2 × 8000 - 800 = 15200",
  );
  told(
    "never makes the journey cheaper than the outbound journey alone",
    {
      measured: async ([from]) =>
        aMeasuredRoute({ distanceKm: from?.name === "Bern" ? 1 : 1_000, durationMinutes: 30 }),
      rules: OWN,
    },
    // A twentieth of 282000 + 8000 is 14500, more than the 8000 of the return, or its 9600 at night.
    `at 14:00                       -> costs 2000 + 1000 × 280 = 282000
     at 14:00; back 23:59           -> costs 282000
     at 00:10                       -> costs 282000 × 1.2 = 338400
     at 00:10; back 05:59           -> costs 338400`,
  );
  told(
    "has lines of its own, beside those of the outbound journey and of both",
    { ...measuring(33.3, 777), rules: { ...OWN } },
    `at 2026-12-25 03:00; back 2026-12-25 22:00; wait 90; with 2 child_seat -> van pays 13822 Outbound: Transfer 33.3 km + 2764 Outbound: Night surcharge + 1382 Outbound: Holiday surcharge + 3600 Outbound: Waiting 30 min + 777 Outbound: Tolls + 13821 Return: Transfer 33.3 km + 1382 Return: Holiday surcharge + 777 Return: Tolls - 1380 Same-day return discount + 3000 Outbound: 2 child seats + 3000 Return: 2 child seats = 42945`,
  );
});

type Wait = MeasuredDirection["waits"][number];
const NOWHERE = { placeId: null, zoneIds: [] };
const elsewhere = (minutes: number): Wait => ({ minutes, atAirport: false, hasStays: false, place: "Thun" });
const airport: Wait = { minutes: 20, atAirport: true, hasStays: false, place: "Zurich Airport" };

/** 100 km in an hour by day, which is not compared with a transfer where it is a hire. */
function charged(facts: Partial<MeasuredDirection>, hireHours: number | null = null) {
  const measured: MeasuredDirection = {
    ...{ pickupAt: instantOf("14:00"), points: [NOWHERE, NOWHERE], distanceKm: 100, drivingMinutes: 60, waits: [] },
    ...{
      trainsRappen: 0,
      tollsRappen: 0,
      keepsFixedFare: true,
      isRoundTrip: false,
      staysThere: hireHours !== null,
      ways: [],
    },
    ...facts,
  };
  const outbound = pricedDirection({ ...defaultCatalog.catalog, fares: [], seasons: [] }, measured, hireHours);
  const request = { outbound, return: null, isHire: hireHours !== null, parts: [], items: [] };
  return priceOf(tariff, "sedan", request) ?? assert.fail("no rate");
}

// Sedan: 80.00 for the first hour and 72.00 for each further, 25 km an hour included.
suite("hire by the hour", () => {
  for (const [hours, facts, total, why] of [
    [1, { distanceKm: 25 }, 8_000, "the first hour"],
    [0.5, { distanceKm: 25, drivingMinutes: 30 }, 8_000, "half an hour is a started one"],
    [1.5, { distanceKm: 50 }, 15_200, "a started second hour: 8000 + 7200"],
    [2, { distanceKm: 50.1 }, 15_230, "a hectometer more: 15228"],
    [2, { distanceKm: 60 }, 18_000, "ten km more: 15200 + 2800"],
    [240, { distanceKm: 0 }, 1_815_200, "60 hours of it at night: 80 + 239 × 72, and 60 × 14.40"],
    [2, { distanceKm: 50, drivingMinutes: 120 }, 15_200, "a journey as long as the hire"],
    [2, { distanceKm: 50, drivingMinutes: 121 }, 22_400, "a journey of a minute more is three hours"],
    [2, { distanceKm: 75, drivingMinutes: 121 }, 22_400, "the third hour brings its km"],
    [2, { distanceKm: 50, drivingMinutes: 100, waits: [elsewhere(21)] }, 22_400, "stops count as hire"],
    [2, { distanceKm: 50, drivingMinutes: 100, waits: [airport] }, 15_200, "waiting within the hire is free"],
    [11, { pickupAt: instantOf("16:00") }, 84_320, "three of eleven hours at night: 80000 + 3 × 1440"],
    [3, { distanceKm: 0, pickupAt: instantOf("2026-12-24 23:00") }, 26_720, "two on Christmas night: 22400 + 2 × 2160"],
    [2, { distanceKm: 60, pickupAt: instantOf("03:00"), tollsRappen: 1_000 }, 22_040, "15200 + 3040 + 2800 + 1000"],
  ] as const)
    test(`${hours} h: ${why}`, () => assert.equal(totalOf(charged(facts, hours)), total));
});

test("a round trip on which the driver waits costs no more than a hire of the same hours, however the waits are split", () => {
  const trip = { isRoundTrip: true, drivingMinutes: 120, distanceKm: 240 };
  const apart = { ...trip, waits: [elsewhere(400), elsewhere(600)] };
  // (120 + 400 + 600) / 60 are 19 started hours.
  assert.equal(totalOf(charged(apart)), totalOf(charged(apart, 19)));
  assert.equal(totalOf(charged(apart)), totalOf(charged({ ...trip, waits: [elsewhere(1_000)] })));
});

suite("a journey with stops costs at least as much as with fewer of them", () => {
  const NONE = undefined;
  const way = (distanceKm: number, facts: Partial<Way> = {}): Way => {
    return { distanceKm, drivingMinutes: 60, trainsRappen: 0, tollsRappen: 0, ...facts };
  };
  const direct = (distanceKm: number, facts: Partial<Way> = {}, leg = 50): Ways => [
    [NONE, way(leg), way(distanceKm, facts)],
    [NONE, NONE, way(leg)],
    [NONE, NONE, NONE],
  ];
  const all: Ways = [0, 1, 2, 3, 4].map((from) => [0, 1, 2, 3, 4].map((to) => (to > from ? way(25) : NONE)));
  const changed = (ways: Ways, from: number, to: number, by: Way | undefined): Ways =>
    ways.map((row, at) => row.map((each, end) => (at === from && end === to ? by : each)));
  const longer = changed(all, 1, 3, way(80));
  const hire = { staysThere: true, drivingMinutes: 120, waits: [elsewhere(120)] };

  for (const [why, ways, missing, facts, hireHours] of [
    ["by the 20 km of the longest way: 20 × 280", direct(120), [5_600]],
    ["not where all are shorter", direct(99), []],
    ["of any of the stops, where none is longer", all, []],
    ["of any of the stops in their order: 25 + 80 + 25 km without the third", longer, [8_400]],
    ["not by a way that leads nowhere", changed(longer, 0, 1, NONE), []],
    ["by kilometers and fees together: 2950 - 10 × 280", direct(90, { trainsRappen: 2_950 }), [150]],
    ["not where fees are less than the kilometers", direct(85, { trainsRappen: 2_950 }), []],
    ["by fees alone below the minimum fare", direct(5, { trainsRappen: 2_950 }, 5), [2_950], { distanceKm: 10 }],
    ["on a hire by its hours, six instead of four", direct(40, { drivingMinutes: 200 }), [14_400], hire, 3],
    ["on a hire by 15 km more than four hours include", direct(115), [4_200], hire, 3],
    ["on a hire by its fees", direct(60, { tollsRappen: 700 }), [700], hire, 3],
  ] as readonly (readonly [string, Ways, readonly number[], Partial<MeasuredDirection>?, number?])[])
    test(why, () => {
      const minimums = charged({ ...facts, ways }, hireHours ?? null).filter(({ code }) =>
        /^(stops|transfer)_minimum$/.test(code),
      );
      assert.deepEqual(
        minimums.map(({ rappen }) => rappen),
        missing,
      );
    });
});
