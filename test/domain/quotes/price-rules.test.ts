import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import type { Catalog } from "../../../src/domain/catalog/catalog.ts";
import type { JourneyPoint, PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, totalOf } from "../../support/quoting-fixture.ts";

const { catalog } = defaultCatalog;
const price = pricing();
const withRules = (rules: Partial<Catalog>) => pricing({ ...defaultCatalog, catalog: { ...catalog, ...rules } });
const at = (local: string) => ({ pickupAt: new Date(`${local}+01:00`) });
const along = (from: string, ...others: readonly (JourneyPoint | string)[]): readonly JourneyPoint[] => [
  aPoint(from),
  ...others.slice(0, -1).map((stop, index) => {
    const point = typeof stop === "string" ? aStop(stop, 0) : stop;
    return { ...point, field: `waypoints.${index}.name` };
  }),
  to(String(others[others.length - 1])),
];
const coordinates = (lat: number, lng: number, dwellMinutes = 15) => ({
  ...aStop("A stop", dwellMinutes),
  position: { lat, lng },
});
const sedan = (journey: PricedJourney) =>
  linesOf(journey.options[0]?.charges ?? []).map(({ label, rappen }) => [label, rappen]);

suite("a stop", () => {
  test("all over the town in which the journey ends is a stop, however the end is written", async () => {
    const stops = [0, 1, 2, 3, 4].map((each) => coordinates(45.9 + each * 0.004, 6.12 + each * 0.003));
    const [byName, byPosition] = [
      await price({ points: along("Geneva Airport", ...stops, "Annecy") }),
      await price({ points: along("Geneva Airport", ...stops, "45.903, 6.131") }),
    ];
    assert.ok((totalOf(byName) ?? 0) > 16_500, String(totalOf(byName)));
    // Only the last part of the way differs, inside the town.
    assert.ok(Math.abs((totalOf(byName) ?? 0) - (totalOf(byPosition) ?? 0)) < 1_000, String(totalOf(byPosition)));
    assert.equal(totalOf(await price({ points: along("Geneva Airport", "Annecy") })), 16_500);
  });

  test("does not change whether a journey is a round trip", async () => {
    const tour = (from: string) => price({ points: along(from, aStop("Dürnten", 300), "47.23698, 9.57226") });
    assert.equal(totalOf(await tour("Feldkirch")), totalOf(await tour("47.23698, 9.57226")));
  });

  test("never makes the way that is charged shorter, and the traveler is told", async () => {
    for (const [from, stop, end, local] of [
      ["Geneva Airport", "Douvaine", "Villars", "2026-12-08T12:00:00"],
      ["Zurich Airport", "Brig", "Sion", "2027-07-26T12:00:00"],
    ] as const) {
      const direct = await price({ points: along(from, end), ...at(local) });
      const stopping = await price({ points: along(from, stop, end), ...at(local) });
      assert.ok((totalOf(stopping) ?? 0) >= (totalOf(direct) ?? Number.NaN), `${from} – ${end}`);
    }
    const told = await price({ points: along("Geneva Airport", "Douvaine", "Villars") });
    const direct = await price({ points: along("Geneva Airport", "Villars") });
    assert.equal(totalOf(told), totalOf(direct));
    assert.deepEqual(
      sedan(told).map(([label]) => label),
      ["Transfer 108.3 km", "Difference to the price with fewer stops"],
    );
    const least = "With all its stops the journey costs at least as much as with fewer or none.";
    assert.ok(told.limitations.includes(least));
  });

  test("of a discount season does not make a fixed fare cheaper", async () => {
    const seasons = [{ id: "low", label: "Low season", percent: -20 }];
    const fares = catalog.fares.map((fare) => ({ ...fare, includes: ["fees" as const, "seasons" as const] }));
    const cheap = withRules({ fares, seasons });
    const [direct, stopping] = [along("Geneva Airport", "Annecy"), along("Geneva Airport", "Geneva", "Annecy")];
    assert.equal(totalOf(await cheap({ points: direct })), 16_500);
    assert.equal(totalOf(await cheap({ points: stopping })), 16_500);
  });

  test("has the fixed fare of its part as the least", async () => {
    const fares = [
      {
        id: "davos",
        label: "Davos",
        routes: [{ from: "zurich-airport", to: "davos" }],
        rappen: { sedan: 90_000 },
        includes: [],
      },
    ];
    const priced = await withRules({ fares, seasons: [] })({ points: along("Zurich Airport", "Davos", "Klosters") });
    assert.equal(totalOf(priced), 90_000);
    assert.match(priced.limitations.join("\n"), /at least as much as a part of it alone \(Sedan\)\./);
  });
});

suite("rules about places apply where any point of the journey lies in them", () => {
  const beyond = { ...to("46.8170, 9.8560") };
  const points = [aPoint("Zurich Airport"), aStop("Davos", 0), beyond];

  test("the season of Davos, with a destination behind it", async () => {
    const congress = at("2027-01-20T12:00:00");
    const lines = sedan(await price({ points, ...congress }));
    assert.ok(
      lines.some(([label]) => label === "Congress week surcharge"),
      JSON.stringify(lines),
    );
    const discount = withRules({
      seasons: [{ id: "low", label: "Low", percent: -20, routes: [{ to: "davos-valley" }] }],
    });
    const usual = await withRules({ seasons: [] })({ points, ...congress });
    assert.equal(totalOf(await discount({ points, ...congress })), totalOf(usual), "a discount goes by the ends");
  });

  test("stop-sales and booking windows", async () => {
    const routes = [{ to: "davos", bothWays: true }];
    const stopSales = [{ id: "s", reason: "Closed.", offer: "none" as const, routes }];
    await refusalOf(withRules({ stopSales })({ points }), "NO_ELIGIBLE_VEHICLE");
    const bookingWindows = [{ id: "w", leadTimeHours: 24 * 20, routes }];
    await refusalOf(withRules({ bookingWindows })({ points }), "LEAD_TIME_NOT_SUPPORTED");
  });
});

suite("the rest of what a price may never do", () => {
  test("a hire that ends elsewhere costs at least the transfer", async () => {
    const journey = { points: along("Zurich Airport", "Zermatt"), ...at("2026-12-08T05:30:00") };
    const [transfer, hire] = [await price(journey), await price({ ...journey, hireHours: 1 })];
    for (const { vehicleClass } of transfer.options)
      assert.ok((totalOf(hire, vehicleClass) ?? 0) >= (totalOf(transfer, vehicleClass) ?? Number.NaN), vehicleClass);
  });

  test("another hour of a night never costs less", async () => {
    const journey = { points: along("Locarno", "Arosa"), ...at("2026-12-08T00:25:00") };
    const totals = [4.5, 5.5, 6.5].map(async (hireHours) => totalOf(await price({ ...journey, hireHours }), "estate"));
    const [few = 0, more = 0, most = 0] = await Promise.all(totals);
    assert.ok(few <= more && more <= most, `${few}, ${more}, ${most}`);
  });

  test("a return discount is a percentage of the two fares without surcharges", async () => {
    // 465 × 1.12 out, 465 × 1.37 home at night, and 10 % of 465 + 465 off.
    const fares = [
      {
        id: "verbier",
        label: "Verbier",
        routes: [{ from: "geneva-airport", to: "verbier", bothWays: true }],
        rappen: { sedan: 46_500 },
        includes: ["fees" as const],
      },
    ];
    const tariff = {
      ...catalog.tariff,
      night: { fromHour: 22, toHour: 6, percent: 25 },
      returnDiscount: { percent: 10, withinDays: 14 },
    };
    const seasons = [{ id: "winter", label: "Winter", percent: 12 }];
    const priced = await withRules({ fares, tariff, seasons })({
      points: along("Geneva Airport", "Verbier"),
      ...at("2027-01-16T12:00:00"),
      returnAt: new Date("2027-01-23T05:00:00+01:00"),
    });
    assert.equal(totalOf(priced), 106_485);
  });

  test("a position within an airport's perimeter is the airport before any town", async () => {
    const [airport, beside] = [
      await price({ points: along("Geneva Airport", "Morzine") }),
      await price({ points: along("46.2311, 6.1155", "Morzine") }),
    ];
    assert.equal(totalOf(beside), totalOf(airport));
  });
});
