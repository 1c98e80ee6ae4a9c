import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import type { Catalog } from "../../../src/domain/catalog/catalog.ts";
import type { Client, PlaceFee } from "../../../src/domain/catalog/offer-schema.ts";
import type { PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, totalOf } from "../../support/quoting-fixture.ts";

/** Zurich Airport to Bern is 124 km in every test. */
const router = aRouter({ distanceKm: 124, durationMinutes: 90 });
const withRules = (rules: Partial<Catalog>) =>
  pricing({ router, catalog: { ...defaultCatalog.catalog, seasons: [], ...rules } });
const linesFor = ({ options }: PricedJourney, vehicleClass = "sedan") =>
  linesOf(options.find((option) => option.vehicleClass === vehicleClass)?.charges ?? []).map(
    ({ label, rappen }) => `${label}: ${rappen}`,
  );

suite("fees of places", () => {
  const fee = (id: string, rest: Partial<PlaceFee>): PlaceFee => ({
    ...{ id, label: id, places: ["zurich-airport"], rappen: 600 },
    ...rest,
  });

  test("are lines of their own, by direction, class and vehicle", async () => {
    const placeFees = [
      fee("Parking", { at: "pickup" }),
      fee("Access", { at: "drop_off", rappen: 500 }),
      fee("Station", { places: ["bern"], classes: ["van"], rappen: 300 }),
    ];
    const price = withRules({ placeFees });
    const there = await price();
    // 20.00 + 124 × 2.80 = 367.20
    assert.deepEqual(linesFor(there), ["Transfer 124 km: 36720", "Parking: 600"]);
    assert.deepEqual(linesFor(there, "van").slice(1), ["Parking: 600", "Station: 300"]);
    const back = await price({ returnAt: new Date("2026-12-10T13:00:00Z") });
    assert.deepEqual(linesFor(back), [
      "Outbound: Transfer 124 km: 36720",
      "Outbound: Parking: 600",
      "Return: Transfer 124 km: 36720",
      "Return: Access: 500",
    ]);
  });

  test("are charged at a stop once, without surcharge, and not where a fixed fare includes them", async () => {
    const placeFees = [fee("Parking", { places: ["olten"] })];
    const stopping = await withRules({ placeFees })({
      points: [aPoint("Zurich Airport"), aStop("Olten", 0), to("Bern")],
      pickupAt: new Date("2026-12-08T02:00:00Z"),
    });
    assert.ok(linesFor(stopping).includes("Parking: 600"), linesFor(stopping).join());
    const fares = [
      {
        ...{
          id: "bern",
          label: "To Bern",
          routes: [{ from: "zurich-airport", to: "bern" }],
          rappen: { sedan: 30_000 },
        },
        includes: ["place_fees" as const],
      },
    ];
    const included = await withRules({ fares, placeFees: [fee("Parking", {})] })();
    assert.deepEqual(linesFor(included), ["To Bern: 30000"]);
    assert.ok(included.limitations.some((text) => text.includes("includes parking and access fees, 60 min")));
  });
});

suite("a client's percentage without a label", () => {
  const client = (label?: string): Client => ({ id: "agency", percent: 7, ...(label && { label }) });

  test("changes the rates, so that no line and no sentence names it", async () => {
    const net = await withRules({ clients: [client()] })({ waitingMinutes: 75 }, "agency");
    // Rates of the sedan plus 7 %: 21.40 and 3.00 a km; waiting is not part of the fare.
    assert.deepEqual(linesFor(net), ["Transfer 124 km: 39340", "Waiting 15 min: 1500"]);
    assert.equal(totalOf(net), 40_840);
    assert.ok(!net.notices.some(({ code }) => code === "SEASON"));
    const labeled = await withRules({ clients: [client("Agency price")] })({}, "agency");
    assert.deepEqual(linesFor(labeled), ["Transfer 124 km: 36720", "Agency price: 2570"]);
    assert.ok(labeled.limitations.includes("Agency price: 7 % on the fare."));
  });

  test("changes fixed fares and what a hire says about further hours", async () => {
    const fares = [
      {
        id: "bern",
        label: "To Bern",
        routes: [{ from: "zurich-airport", to: "bern" }],
        rappen: { sedan: 30_000 },
        includes: [],
      },
    ];
    const price = withRules({ fares, clients: [client()] });
    assert.deepEqual(linesFor(await price({}, "agency")), ["To Bern: 32100"]);
    assert.deepEqual(linesFor(await price()), ["To Bern: 30000"]);
    const hire = await price({ hireHours: 6 }, "agency");
    assert.ok(
      hire.limitations.some((text) => /Each further started hour is charged at CHF 77\.04 \(Sedan\)/.test(text)),
    );
  });
});

suite("tiers of cancellation", () => {
  const tiered = (rest: object = {}) => ({
    policies: defaultCatalog.catalog.policies.map((policy) => ({
      ...policy,
      partialRefunds: [
        { hours: 12, percent: 50 },
        { hours: 4, percent: 25 },
      ],
      ...rest,
    })),
  });
  const refundsIn = ({ limitations }: { readonly limitations: readonly string[] }) =>
    limitations.filter((text) => /refunded/.test(text));

  test("are sentences with the instants of the journey, and the free cancellation stays", async () => {
    const priced = await withRules(tiered())();
    assert.equal(priced.freeCancellationUntil, "2026-12-07T13:00:00.000Z");
    assert.deepEqual(refundsIn(priced), [
      "Canceled until 8 December 2026, 02:00: 50 % of the price is refunded.",
      "Canceled until 8 December 2026, 10:00: 25 % of the price is refunded.",
      "Canceled after 8 December 2026, 10:00: nothing is refunded.",
    ]);
  });

  test("that have passed are not named", async () => {
    const soon = await withRules(tiered())({ pickupAt: new Date("2026-12-01T20:00:00Z") });
    assert.deepEqual(refundsIn(soon), [
      "Canceled until 1 December 2026, 17:00: 25 % of the price is refunded.",
      "Canceled after 1 December 2026, 17:00: nothing is refunded.",
    ]);
  });

  test("are those of each direction, or of both where they are canceled together", async () => {
    const returnAt = new Date("2026-12-10T13:00:00Z");
    const apart = refundsIn(await withRules(tiered())({ returnAt }));
    assert.equal(apart.length, 6);
    assert.equal(apart[3], "Return: Canceled until 10 December 2026, 02:00: 50 % of the price is refunded.");
    const together = refundsIn(await withRules(tiered({ legsSeparately: false }))({ returnAt }));
    assert.equal(together.length, 3);
    assert.ok(together.every((text) => /8 December/.test(text)));
  });
});

suite("office hours", () => {
  const { tariff } = defaultCatalog.catalog;
  const open = (now: string) =>
    pricing({
      router,
      clock: aClock(now),
      catalog: { ...defaultCatalog.catalog, tariff: { ...tariff, leadTimeHours: 2, officeHours: { from: 8, to: 18 } } },
    });

  for (const [name, now, earliest] of [
    ["within them", "2026-12-01T12:00:00Z", "2026-12-01T15:00:00+01:00"],
    ["over the night", "2026-12-01T16:00:00Z", "2026-12-02T09:00:00+01:00"],
    ["asked at night", "2026-12-01T22:30:00Z", "2026-12-02T10:00:00+01:00"],
    ["over the change of the clocks", "2027-03-27T17:30:00Z", "2027-03-28T10:00:00+02:00"],
  ] as const)
    test(`the lead time passes in them alone: ${name}`, async () => {
      const at = new Date(earliest);
      await open(now)({ pickupAt: at });
      const { fieldErrors } = await refusalOf(
        open(now)({ pickupAt: new Date(at.getTime() - 60_000) }),
        "LEAD_TIME_NOT_SUPPORTED",
      );
      assert.ok(fieldErrors[0]?.message.startsWith(`Accepted from ${earliest} to `), fieldErrors[0]?.message);
    });
});

test("a party that no class has room for hears the largest class and the phone", async () => {
  const vehicleClasses = defaultCatalog.catalog.vehicleClasses.filter(({ id }) => id !== "coach");
  const party = { passengers: 20, luggage: 20 };
  const { nextAction } = await refusalOf(withRules({ vehicleClasses })(party), "NO_ELIGIBLE_VEHICLE");
  assert.match(nextAction, /largest class, Minibus, takes 16 passengers .*\+41 00 000 00 00/);
});
