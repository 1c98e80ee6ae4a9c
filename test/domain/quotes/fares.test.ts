import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf as priceLinesOf } from "../../../src/contract/charges.ts";
import type { Fare, Season, Zone } from "../../../src/domain/catalog/offer-schema.ts";
import type { PlaceFinder } from "../../../src/domain/places/place-finder.ts";
import type { PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import {
  aPoint,
  aStop,
  defaultCatalog,
  FROM_AIRPORT,
  pricing,
  to,
  waitingFree,
} from "../../support/quoting-fixture.ts";

const ZONES: readonly Zone[] = [
  {
    id: "bern-area",
    places: ["thun"],
    country: "CH",
    postcodes: ["3780"],
    circle: { lat: 46.948, lng: 7.4474, radiusKm: 5 },
  },
];

/** Zurich Airport to Bern for 250 francs in a sedan. */
function aFare(overrides: Partial<Fare> = {}): Fare {
  return {
    id: "airport-bern",
    label: "Fixed fare Bern",
    routes: [{ from: "zurich-airport", to: "bern" }],
    rappen: { sedan: 25_000 },
    includes: [],
    ...overrides,
  };
}

function aSeason(overrides: Partial<Season> = {}): Season {
  return { id: "season", label: "High season", percent: 25, ...overrides };
}

function priced({ fares = [], seasons = [] }: { fares?: readonly Fare[]; seasons?: readonly Season[] }) {
  const catalog = { ...defaultCatalog.catalog, zones: ZONES, fares, seasons };
  return pricing({ catalog, router: aRouter({ feesRappen: 4_000 }) });
}

function linesOf(journey: PricedJourney, vehicleClass = "sedan") {
  const option = journey.options.find((each) => each.vehicleClass === vehicleClass);
  return option && priceLinesOf(option.charges).map(({ label, rappen }) => [label, rappen]);
}

const NIGHT = new Date("2026-12-08T02:00:00Z");
const BY_KM = ["Transfer 100 km", 30_000];
const FIXED = ["Fixed fare Bern", 25_000];
const TOLLS = ["Tolls", 4_000];

suite("a fixed fare", () => {
  test("has its free minutes at the pickup alone", async () => {
    const price = priced({ fares: [aFare({ freeWaitingMinutes: 75, includes: ["fees"] })] });
    const points = [aPoint("Zurich Airport"), aStop("Bern", 30), to("Bern")];
    assert.deepEqual(linesOf(await price({ points, waitingMinutes: 75 })), [FIXED, ["Waiting at stops 15 min", 1_500]]);
  });

  test("takes precedence over kilometers, for the classes it names, in the direction it names", async () => {
    const price = priced({ fares: [aFare()] });
    assert.deepEqual(linesOf(await price()), [FIXED, TOLLS]);
    assert.deepEqual(linesOf(await price(), "van"), [["Transfer 100 km", 36_500], TOLLS]);
    const home = { points: [aPoint("Bern"), to("Zurich Airport")] };
    assert.deepEqual(linesOf(await price(home)), [BY_KM, TOLLS]);
    const bothWays = [{ from: "zurich-airport", to: "bern", bothWays: true }];
    assert.deepEqual(linesOf(await priced({ fares: [aFare({ routes: bothWays })] })(home)), [FIXED, TOLLS]);
  });

  test("is for each direction of a return", async () => {
    const journey = await priced({ fares: [aFare()] })({ returnAt: new Date("2026-12-10T13:00:00Z") });
    assert.deepEqual(linesOf(journey), [
      ["Outbound: Fixed fare Bern", 25_000],
      ["Outbound: Tolls", 4_000],
      ["Return: Transfer 100 km", 30_000],
      ["Return: Tolls", 4_000],
    ]);
  });

  test("includes what it says, and the traveler is told", async () => {
    const journey = { pickupAt: NIGHT, waitingMinutes: 90 };
    const plain = await priced({ fares: [aFare()] })(journey);
    assert.deepEqual(linesOf(plain), [FIXED, ["Night surcharge", 5_000], ["Waiting 30 min", 3_000], TOLLS]);
    const all = aFare({ includes: ["fees", "night", "holidays", "seasons"], freeWaitingMinutes: 90 });
    const whole = await priced({ fares: [all], seasons: [aSeason()] })(journey);
    assert.deepEqual(linesOf(whole), [FIXED]);
    assert.ok(
      whole.limitations.includes(
        "Fixed fare Bern (Sedan) includes tolls, the night surcharge, seasonal surcharges, 1 h 30 min of waiting at the pickup.",
      ),
      whole.limitations.join("\n"),
    );
    assert.deepEqual(linesOf(whole, "van")?.[1], ["Night surcharge", 7_300], "a class without the fare");
  });

  test("is valid on its days", async () => {
    for (const [validity, line] of [
      [{ validFrom: "2026-12-08", validTo: "2026-12-08" }, FIXED],
      [{ validFrom: "2026-12-09" }, BY_KM],
      [{ validTo: "2026-12-07" }, BY_KM],
      [{ weekdays: ["tuesday"], hours: { from: 14, to: 15 } }, FIXED],
      [{ weekdays: ["monday"] }, BY_KM],
      [{ hours: { from: 15, to: 14 } }, BY_KM],
      [{ hours: { from: 14, to: 3 } }, FIXED],
      [{ dates: [{ from: "12-01", to: "01-31" }] }, FIXED],
      [{ dates: [{ from: "2027-12-01", to: "2028-01-31" }] }, BY_KM],
    ] as const) {
      const journey = await priced({ fares: [aFare(validity as Partial<Fare>)] })();
      assert.deepEqual(linesOf(journey)?.[0], line, JSON.stringify(validity));
    }
  });

  test("is the least that is charged with stops off its way", async () => {
    const router = aRouter(async ([from, to, another]) => {
      const distanceKm = another ? 100 : from?.name === "Zurich Airport" && to?.name === "Bern" ? 96 : 50;
      return aMeasuredRoute({ distanceKm, feesRappen: another ? 4_000 : 2_000 });
    });
    const points = [aPoint("Zurich Airport"), aStop("Olten"), to("Bern")];
    const withFare = (overrides: Partial<Fare>) =>
      pricing({ catalog: { ...defaultCatalog.catalog, zones: ZONES, fares: [aFare(overrides)], seasons: [] }, router });
    const dear = await withFare({ rappen: { sedan: 40_000 }, includes: ["fees"] })({ points });
    assert.deepEqual(linesOf(dear), [["Transfer 100 km, minimum fare", 40_000], TOLLS]);
    assert.deepEqual(linesOf(await withFare({})({ points })), [BY_KM, TOLLS]);
  });

  test("between zones holds for their places, postcodes and circles", async () => {
    const fares = [aFare({ routes: [{ from: "zurich-airport", to: "bern-area" }] })];
    const catalog = { ...defaultCatalog.catalog, zones: ZONES, fares, seasons: [] };
    const places: PlaceFinder = {
      ...defaultCatalog.places,
      async find(text, signal) {
        const found = await defaultCatalog.places.find(text, signal);
        if (!text.includes("Palace") || found.kind !== "found") return found;
        return { ...found, place: { ...found.place, id: null, kind: "position", country: "CH", postcode: "3780" } };
      },
    };
    const price = pricing({ catalog, places, router: aRouter({ feesRappen: 4_000 }) });
    const inCircle = { ...to("A house"), position: { lat: 46.96, lng: 7.44 } };
    const address = to("Gstaad Palace, 3780 Gstaad");
    const outside = { ...to("A farm"), position: { lat: 47.05, lng: 7.44 } };
    for (const [end, line] of [
      [to("Thun"), FIXED],
      [to("Gstaad"), FIXED],
      [to("Bern"), FIXED],
      [inCircle, FIXED],
      [address, FIXED],
      [outside, BY_KM],
      [to("Spiez"), BY_KM],
    ] as const) {
      const journey = await price({ points: [aPoint("Zurich Airport"), end] });
      assert.deepEqual(linesOf(journey)?.[0], line, end.text);
    }
  });

  test("of postcodes is in one country, and the parts of a town have its fares, unless they have their own", async () => {
    const zones: readonly Zone[] = [
      { id: "lugano-zone", country: "CH", postcodes: ["6900"] },
      ...defaultCatalog.catalog.zones,
    ];
    const toThere = (id: string) =>
      aFare({ id, label: id, routes: [{ from: "zurich-airport", to: id, bothWays: true }] });
    const linesTo = async (ids: readonly string[], end: string) => {
      const catalog = { ...defaultCatalog.catalog, zones, fares: ids.map(toThere), seasons: [] };
      const price = pricing({ catalog, router: aRouter() });
      return linesOf(await price({ points: [aPoint("Zurich Airport"), to(end)] }))?.[0]?.[0];
    };
    const ofTown = ["lugano-zone", "davos"];
    const ofPart = ["davos-valley", "davos", "davos-dorf"];
    for (const [ids, end, line] of [
      [ofTown, "Lugano", "lugano-zone"],
      // 6900 is a postcode of Bregenz, too, in Austria.
      [ofTown, "Bregenz", "Transfer 100 km"],
      ...["Davos", "Davos Platz", "Davos Dorf", "Davos Platz Station", "46.7945, 9.822"].map(
        (part) => [ofTown, part, "davos"] as const,
      ),
      [ofPart, "Davos Dorf", "davos-dorf"],
      [ofPart, "Davos Platz", "davos"],
      [ofPart, "Schatzalp", "davos-valley"],
    ] as const)
      assert.equal(await linesTo(ids, end), line, end);
  });

  test("of certain days comes before one of all days, and one between places before one of a zone", async () => {
    const area = [{ from: "zurich-airport", to: "bern-area" }];
    const fares = [
      aFare({ id: "zone", label: "zone", routes: area }),
      aFare({ id: "place", label: "place" }),
      aFare({ id: "peak", label: "peak", routes: area, hours: { from: 2, to: 4 } }),
    ];
    for (const order of [fares, [...fares].reverse()]) {
      assert.equal(linesOf(await priced({ fares: order })())?.[0]?.[0], "place");
      assert.equal(linesOf(await priced({ fares: order })({ pickupAt: NIGHT }))?.[0]?.[0], "peak");
      const points = [aPoint("Zurich Airport"), to("Thun")];
      assert.equal(linesOf(await priced({ fares: order })({ points }))?.[0]?.[0], "zone");
    }
  });
});

suite("a season", () => {
  test("adds its percentage of the fare, beside night and holiday, on lines of their own", async () => {
    const christmasNight = { pickupAt: new Date("2026-12-25T02:00:00Z") };
    const discount = aSeason({ id: "b", label: "Early discount", percent: -10, classes: ["sedan"] });
    const journey = await priced({ seasons: [aSeason(), discount] })(christmasNight);
    assert.deepEqual(linesOf(journey), [
      BY_KM,
      ["Night surcharge", 6_000],
      ["Holiday surcharge", 3_000],
      ["High season", 7_500],
      ["Early discount", -3_000],
      TOLLS,
    ]);
    assert.equal(linesOf(journey, "van")?.length, 5, "the discount is for sedans");
    assert.deepEqual(journey.limitations, [
      ...FROM_AIRPORT,
      "Night surcharge of 20 % on the fare, for pickup, waiting or departure, from 00:00 to 06:00.",
      "Holiday surcharge of 10 % on the fare (Christmas Day).",
      "High season: 25 % on the fare.",
      "Early discount (Sedan): 10 % off the fare.",
      waitingFree("Waiting at the pickup is free for 60 min"),
    ]);
  });

  test("has a notice where it is charged, whatever else has the same label", async () => {
    const peak: Partial<Season> = { label: "Peak", weekdays: ["tuesday"] };
    const seasons = [
      aSeason({ ...peak, id: "sedans", percent: 30, classes: ["sedan"] }),
      aSeason({ ...peak, id: "vans", classes: ["van"] }),
    ];
    const fares = [aFare({ label: "Peak", rappen: { sedan: 25_000, van: 40_000 }, includes: ["seasons"] })];
    const vanOnly = { pickupAt: NIGHT, passengers: 6 };
    const offered = await priced({ seasons })(vanOnly);
    assert.ok(offered.options.every(({ vehicleClass }) => vehicleClass !== "sedan"));
    const surcharges = offered.notices.flatMap(({ code, text }) => (code === "SEASON" ? [text] : []));
    assert.deepEqual(surcharges, ["Peak (Van): 25 % on the fare."]);
    const included = await priced({ seasons, fares })({ pickupAt: NIGHT });
    assert.doesNotMatch(included.limitations.join(), /Peak [^%]*: \d+ % on the fare/);
    assert.match(included.limitations.join(), /Peak \(.*Van.*\) includes seasonal surcharges/);
  });

  test("is of its route, its days, weekdays and hours, by the pickup of each direction", async () => {
    const seasons = [
      aSeason({ routes: [{ from: "bern-area" }], dates: [{ from: "2026-12-10", to: "2026-12-10" }] }),
      aSeason({ id: "elsewhere", label: "Congress", routes: [{ to: "davos", bothWays: true }] }),
      aSeason({ id: "fridays", label: "Friday evening", weekdays: ["friday"], hours: { from: 18, to: 24 } }),
    ];
    const price = priced({ seasons });
    const labels = async (pickup: string, back: string) =>
      linesOf(await price({ pickupAt: new Date(pickup), returnAt: new Date(back) }))?.map(([label]) => label);
    assert.deepEqual(await labels("2026-12-09T13:00:00Z", "2026-12-10T13:00:00Z"), [
      "Outbound: Transfer 100 km",
      "Outbound: Tolls",
      "Return: Transfer 100 km",
      "Return: High season",
      "Return: Tolls",
    ]);
    assert.deepEqual(await labels("2026-12-11T17:00:00Z", "2026-12-12T18:00:00Z"), [
      "Outbound: Transfer 100 km",
      "Outbound: Friday evening",
      "Outbound: Tolls",
      "Return: Transfer 100 km",
      "Return: Tolls",
    ]);
  });

  test("of a hire is charged on the hours that begin within it", async () => {
    const seasons = [aSeason({ hours: { from: 15, to: 17 } })];
    const journey = await priced({ seasons })({ hireHours: 4 });
    assert.deepEqual(linesOf(journey)?.slice(0, 2), [
      ["Hire 4 h", 29_600],
      ["High season", 3_600],
    ]);
    assert.ok(journey.limitations.includes("High season: 25 % on 2 of 4 h."));
  });
});
