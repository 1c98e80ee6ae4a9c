import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import { charge, totalOf } from "../../../src/domain/pricing/charge.ts";
import type { Way, Ways } from "../../../src/domain/pricing/dearest-way.ts";
import { type PricingRequest, priceOf } from "../../../src/domain/pricing/price.ts";
import {
  type MeasuredDirection,
  type PricedDirection,
  pricedDirection,
} from "../../../src/domain/pricing/priced-direction.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const catalog = { ...defaultCatalog.catalog, fares: [], seasons: [] };
const { tariff } = catalog;

const DAY = "2026-12-08T14:00:00+01:00";
const NIGHT = "2026-12-08T03:00:00+01:00";
const HOLIDAY = "2026-12-25T14:00:00+01:00";
const HOLY_NIGHT = "2026-12-25T03:00:00+01:00";

type Wait = MeasuredDirection["waits"][number];
interface LegFacts {
  readonly km?: number;
  readonly at?: string;
  readonly minutes?: number;
  readonly fees?: number;
  readonly waits?: readonly Wait[];
  readonly isRoundTrip?: boolean;
  /** Of a hire: it is not compared with a transfer. */
  readonly staysThere?: boolean;
  readonly ways?: Ways;
}

const elsewhere = (minutes: number): Wait => ({ minutes, atAirport: false, hasStays: false, place: "Thun" });
const airport = (minutes: number): Wait => ({ minutes, atAirport: true, hasStays: false, place: "Zurich Airport" });

function leg(
  {
    km = 100,
    at = DAY,
    minutes = 60,
    fees = 0,
    waits = [],
    isRoundTrip = false,
    staysThere = false,
    ways = [],
  }: LegFacts,
  hireHours: number | null = null,
): PricedDirection {
  const nowhere = { placeId: null, zoneIds: [] };
  const facts = {
    pickupAt: new Date(at),
    points: [nowhere, nowhere],
    distanceKm: km,
    drivingMinutes: minutes,
    trainsRappen: 0,
    tollsRappen: fees,
    waits,
    keepsFixedFare: true,
    isRoundTrip,
    staysThere,
    ways,
  };
  return pricedDirection(catalog, facts, hireHours);
}

function price(facts: LegFacts, rest: Partial<PricingRequest> = {}, vehicle = "sedan"): number {
  return totalOf(
    pricedAs(vehicle, { outbound: leg(facts), return: null, isHire: false, parts: [], items: [], ...rest }),
  );
}

function hire(facts: LegFacts, hours: number, vehicle = "sedan"): number {
  return price({}, { outbound: leg({ staysThere: true, ...facts }, hours), isHire: true }, vehicle);
}

function pricedAs(vehicle: string, request: PricingRequest) {
  return priceOf(tariff, vehicle, request) ?? assert.fail(`no rate for ${vehicle}`);
}

// Sedan: 20.00 and 2.80 a km, at least 80.00.
suite("distance", () => {
  // biome-ignore format: a table reads by its columns
  const CASES: readonly (readonly [number, number, string])[] = [
    [0, 8_000, "the minimum at no distance"], [21.4, 8_000, "the minimum: 2000 + 21.4 × 280 = 7992"],
    [21.5, 8_020, "just above the minimum: 2000 + 21.5 × 280"], [100, 30_000, "2000 + 100 × 280"],
    [100.04, 30_000, "the hectometer below"], [100.05, 30_030, "the hectometer above: 30028"],
    [100.1, 30_030, "2000 + 100.1 × 280 = 30028"], [100.2, 30_055, "2000 + 100.2 × 280 = 30056"],
    [100.3, 30_085, "2000 + 100.3 × 280 = 30084"], [100.4, 30_110, "2000 + 100.4 × 280 = 30112"],
    [0.3 * 3 * 100, 27_200, "a float a hair below 90"], [5_000, 1_402_000, "the longest journey"],
  ];
  for (const [km, total, why] of CASES)
    test(`${km} km cost ${total}: ${why}`, () => assert.equal(price({ km }), total));

  test("each vehicle class has its own fare", () => {
    const totals = Object.keys(tariff.rates).map((vehicle) => [vehicle, price({ km: 123.4 }, {}, vehicle)]);
    assert.deepEqual(Object.fromEntries(totals), {
      sedan: 36_550, // 2000 + 34552 = 36552
      estate: 39_020, // 2000 + 37020
      first_class: 70_870, // 3000 + 67870
      van: 44_455, // 2500 + 41956 = 44456
      first_class_van: 77_540, // 3500 + 74040
      minibus: 72_870, // 5000 + 67870
      coach: 108_250, // 12000 + 96252 = 108252
    });
  });
});

suite("surcharges", () => {
  test("night adds a fifth of the fare", () => assert.equal(price({ at: NIGHT }), 36_000));
  test("a public holiday adds a tenth of the fare", () => assert.equal(price({ at: HOLIDAY }), 33_000));
  test("both are of the fare and not of each other", () => assert.equal(price({ at: HOLY_NIGHT }), 39_000));
  test("the minimum fare is surcharged too", () => assert.equal(price({ km: 1, at: HOLY_NIGHT }), 10_400));
  test("tolls and waiting are not", () => {
    assert.equal(price({ at: HOLY_NIGHT, fees: 2_950, waits: [elsewhere(30)] }), 39_000 + 2_950 + 1_500);
  });
  test("the total of a direction is rounded once, after all of it is added up", () => {
    // 2000 + 28.6 × 280 = 10008, and as much back: equal directions have equal lines.
    const back = leg({ km: 28.6, at: "2026-12-10T14:00:00+01:00" });
    const both = { outbound: leg({ km: 28.6 }), return: back, isHire: false, parts: [], items: [] };
    assert.deepEqual(
      linesOf(pricedAs("sedan", both)).map(({ label, rappen }) => [label, rappen]),
      [
        ["Outbound: Transfer 28.6 km", 10_010],
        ["Return: Transfer 28.6 km", 10_010],
      ],
    );
    // 10008 + 2001.6 as 2002 + 3 of fees = 12013.
    assert.equal(price({ km: 28.6, at: NIGHT, fees: 3 }), 12_015);
    // 3000 + 30.1 × 550 = 19555; a tenth is 1955.5, half a Rappen goes up: 21511.
    assert.equal(price({ km: 30.1, at: HOLIDAY }, {}, "first_class"), 21_510);
    assert.equal(price({ km: 30.1, at: HOLIDAY, fees: 1 }, {}, "first_class"), 21_510);
    assert.equal(price({ km: 30.1, at: HOLIDAY, fees: 2 }, {}, "first_class"), 21_515);
  });
  test("2 Rappen go down and 3 go up", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((fees) => price({ fees }) - 30_000),
      [0, 0, 0, 5, 5, 5, 5, 5, 10],
    );
  });
});

suite("the return journey", () => {
  const back = (at: string, facts: LegFacts = {}): Partial<PricingRequest> => ({ return: leg({ at, ...facts }) });
  test("after local midnight is the next day, though the UTC day is the same", () => {
    // 22:30 and 23:30 UTC; the return starts at 00:30 and is surcharged for the night.
    assert.equal(price({ at: "2026-12-08T23:30:00+01:00" }, back("2026-12-09T00:30:00+01:00")), 66_000);
  });
  test("on one local day is the same day, though UTC midnight lies between", () => {
    // 00:30 and 20:00 in Zurich; a twentieth of the fares, which are 30000 each without the surcharge.
    assert.equal(price({ at: "2026-12-08T00:30:00+01:00" }, back("2026-12-08T20:00:00+01:00")), 63_000);
  });
  test("takes nothing off waiting, tolls and car trains", () => {
    const there = { fees: 2_950, waits: [elsewhere(31)] };
    const home = back("2026-12-08T20:00:00+01:00", { fees: 4_000 });
    assert.equal(price(there, home), 57_000 + 2_950 + 3_000 + 4_000);
  });
  test("takes nothing off surcharges of night and holidays", () => {
    // A twentieth of 30000 + 30000; the surcharges are 6000 and 3000 in each direction, or 6000 and 0.
    const there = { at: "2026-12-25T03:00:00+01:00" };
    assert.equal(price(there, back("2026-12-25T20:00:00+01:00")), 60_000 - 3_000 + 6_000 + 3_000 + 3_000);
  });
  test("applies the minimum fare to each direction before the discount", () => {
    assert.equal(price({ km: 5 }, back("2026-12-08T20:00:00+01:00", { km: 5 })), 15_200);
  });
  test("never makes the journey cheaper than the outbound journey alone", () => {
    // A twentieth of 282000 + 8000 is 14500, more than the 8000 of the return.
    const out = { km: 1_000 };
    assert.equal(price(out, back("2026-12-08T23:59:00+01:00", { km: 0 })), price(out));
    assert.equal(price(out, back("2026-12-08T23:59:00+01:00", { km: 0, fees: 100 })), price(out) + 100);
    // At night the return adds 9600 of fare.
    const early = { km: 1_000, at: "2026-12-08T00:10:00+01:00" };
    assert.equal(price(early, back("2026-12-08T05:59:00+01:00", { km: 0 })), price(early));
  });
});

// Sedan: 80.00 for the first hour and 72.00 for each further, 25 km an hour included.
suite("hire by the hour", () => {
  const CASES: readonly (readonly [number, LegFacts, number, string])[] = [
    [1, { km: 25 }, 8_000, "the first hour"],
    [0.5, { km: 25, minutes: 30 }, 8_000, "half an hour is a started one"],
    [1.5, { km: 50 }, 15_200, "a started second hour"],
    [2, { km: 50 }, 15_200, "two hours with all their km"],
    [2, { km: 50.1 }, 15_230, "a hectometer more: 15228"],
    [2, { km: 60 }, 18_000, "ten km more"],
    [10, { km: 250 }, 72_800, "ten hours"],
    [240, { km: 0 }, 1_815_200, "the longest hire, 60 hours of it at night"],
    [2, { km: 50, minutes: 120 }, 15_200, "a journey as long as the hire"],
    [2, { km: 50, minutes: 121 }, 22_400, "a journey of a minute more is three hours"],
    [2, { km: 75, minutes: 121 }, 22_400, "the third hour brings its km"],
    [2, { km: 50, minutes: 100, waits: [elsewhere(0), elsewhere(21)] }, 22_400, "stops count as hire"],
    [2, { km: 50, minutes: 100, waits: [airport(20)] }, 15_200, "waiting within the hire is free"],
    [2, { km: 50, at: HOLY_NIGHT }, 19_760, "night and holiday"],
    [11, { km: 100, at: "2026-12-08T16:00:00+01:00" }, 84_320, "three of eleven hours at night: 80000 + 3 × 1440"],
    [
      3,
      { km: 0, at: "2026-12-24T23:00:00+01:00" },
      26_720,
      "two of three hours on Christmas night: 22400 + 2 × 1440 + 2 × 720",
    ],
    [
      2,
      { km: 60, at: NIGHT, fees: 1_000 },
      22_040,
      "neither extra km nor tolls are surcharged: 15200 + 3040 + 2800 + 1000",
    ],
  ];
  for (const [hireHours, facts, total, why] of CASES) {
    test(`${hireHours} h, ${facts.km} km: ${why}`, () => assert.equal(hire(facts, hireHours), total));
  }
});

suite("whatever the journey", () => {
  test("the lines name what is charged, each direction by itself, and add up to the total", () => {
    const outbound = leg({ km: 33.3, at: HOLY_NIGHT, fees: 777, waits: [elsewhere(40)] });
    const charges = pricedAs("van", {
      outbound,
      return: leg({ at: "2026-12-25T22:00:00+01:00" }),
      isHire: false,
      parts: [],
      items: [charge("item", 3_000, { item: { count: 2, text: "child seats" } })],
    });
    // 2500 + 11322 = 13822; 2764 night; 1382 holiday; 3600 waiting; back 2500 + 34000 = 36500 and 3650 holiday. 13822 + 36500 are 50322, of which 5 % are 2516.
    assert.deepEqual(
      linesOf(charges).map(({ label, rappen }) => [label, rappen]),
      [
        ["Outbound: Transfer 33.3 km", 13_822],
        ["Outbound: Night surcharge", 2_764],
        ["Outbound: Holiday surcharge", 1_382],
        ["Outbound: Waiting 30 min", 3_600],
        ["Outbound: Tolls", 777],
        ["Return: Transfer 100 km", 36_500],
        ["Return: Holiday surcharge", 3_650],
        ["Same-day return discount", -2_515],
        ["2 child seats", 3_000],
      ],
    );
    assert.equal(totalOf(charges), 62_980);
  });
});

suite("a round trip, on which the driver waits", () => {
  const trip = { isRoundTrip: true, minutes: 120, km: 240 };

  test("costs no more than a hire of the same hours, with waiting at the pickup and stays", () => {
    const waits = [elsewhere(400), elsewhere(600)];
    const hours = Math.ceil((120 + 400 + 600) / 60);
    assert.equal(price({ ...trip, waits }), hire({ ...trip, waits }, hours));
    assert.equal(price({ ...trip, waits }), price({ ...trip, waits: [elsewhere(1_000)] }), "however they are split");
  });
});

const way = (distanceKm: number, facts: Partial<Way> = {}): Way => {
  return { distanceKm, drivingMinutes: 60, trainsRappen: 0, tollsRappen: 0, ...facts };
};
const NONE = undefined;

suite("a journey with stops costs at least as much as with fewer of them", () => {
  const missing = (ways: Ways, facts: LegFacts = {}, hireHours: number | null = null) => {
    const outbound = leg({ ...facts, ways }, hireHours);
    const charges = pricedAs("sedan", { outbound, return: null, isHire: hireHours !== null, parts: [], items: [] });
    return charges
      .filter(({ code }) => code === "stops_minimum" || code === "transfer_minimum")
      .map(({ rappen }) => rappen);
  };
  const direct = (...[km, facts]: Parameters<typeof way>): Ways => [
    [NONE, way(50), way(km, facts)],
    [NONE, NONE, way(50)],
    [NONE, NONE, NONE],
  ];

  test("by the kilometers of the longest way", () => {
    assert.deepEqual(missing(direct(120)), [5_600]);
    assert.deepEqual(missing(direct(99)), []);
  });

  test("of any of the stops, in their order", () => {
    const five = [0, 1, 2, 3, 4].map((from) => [0, 1, 2, 3, 4].map((to) => (to > from ? way(25) : NONE)));
    assert.deepEqual(missing(five), []);
    const longer = five.map((row, from) => row.map((each, to) => (from === 1 && to === 3 ? way(80) : each)));
    assert.deepEqual(missing(longer), [8_400], "25 + 80 + 25 km without the stop in the middle");
    const closed = longer.map((row, from) => row.map((each, to) => (from === 0 && to === 1 ? NONE : each)));
    assert.deepEqual(missing(closed), [], "no way leads to the first stop of that one");
  });

  test("by kilometers and fees together, and by fees alone below the minimum fare", () => {
    assert.deepEqual(missing(direct(90, { trainsRappen: 2_950 })), [150]);
    assert.deepEqual(missing(direct(85, { trainsRappen: 2_950 })), []);
    const nearby = [
      [NONE, way(5), way(5, { trainsRappen: 2_950 })],
      [NONE, NONE, way(5)],
    ];
    assert.deepEqual(missing([...nearby, []], { km: 10 }), [2_950]);
  });

  test("on a hire by its hours, extra kilometers and fees", () => {
    const facts = { staysThere: true, minutes: 120, waits: [elsewhere(120)] };
    const ways = (...way: Parameters<typeof direct>) => missing(direct(...way), facts, 3);
    assert.deepEqual(ways(40, { drivingMinutes: 200 }), [14_400], "six hours instead of four");
    assert.deepEqual(ways(115), [4_200], "15 km more than four hours include");
    assert.deepEqual(ways(60, { tollsRappen: 700 }), [700]);
  });
});
