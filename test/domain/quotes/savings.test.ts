import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Journey, PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aPoint, defaultCatalog, pricing, to } from "../../support/quoting-fixture.ts";

const price = pricing();

const between = (from: string, destination: string, rest: Partial<Journey> = {}) =>
  price({ points: [aPoint(from), to(destination)], ...rest });

const textsOf = ({ savings }: PricedJourney) => savings.map(({ text }) => text);

suite("what would be cheaper", () => {
  test("a pickup within an hour of the end of the night, at the price of that quote", async () => {
    const early = await between("Verbier", "Geneva", { pickupAt: new Date("2027-02-13T05:30:00+01:00") });
    const [saving, ...others] = early.savings;
    assert.deepEqual(others, []);
    assert.equal(saving?.pickupAt, "2027-02-13T05:00:00.000Z");
    const later = await between("Verbier", "Geneva", { pickupAt: new Date("2027-02-13T06:00:00+01:00") });
    const [from, instead] = [early, later].map(({ options }) => options[0]?.totalRappen ?? 0) as [number, number];
    assert.equal(saving.totalRappen, instead);
    assert.match(saving.text, /^Pickup on 13 February 2027, 06:00: CHF [\d.]+ instead of CHF [\d.]+ \(Sedan\)\.$/);
    assert.ok(instead < from);
    assert.deepEqual(later.savings, []);
  });

  test("a pickup after midnight, moved to before it, with the waiting that was requested", async () => {
    const pickupAt = new Date("2027-02-13T00:10:00+01:00");
    const { savings } = await between("Bern", "Thun", { pickupAt, waitingMinutes: 30 });
    assert.deepEqual(
      savings.map((each) => each.pickupAt),
      ["2027-02-12T22:25:00.000Z"],
    );
  });

  test("nothing at three in the morning, after a landing, and by day", async () => {
    for (const [from, at] of [
      ["Bern", "03:00"],
      ["Zurich Airport", "05:30"],
      ["Bern", "12:00"],
    ] as const)
      assert.deepEqual(textsOf(await between(from, "Thun", { pickupAt: new Date(`2027-02-13T${at}:00+01:00`) })), []);
  });

  test("a day beside a holiday that is none, of each direction", async () => {
    const both = await between("Basel", "Lenk", {
      pickupAt: new Date("2026-12-26T10:00:00+01:00"),
      returnAt: new Date("2027-01-02T10:00:00+01:00"),
    });
    assert.deepEqual(
      both.savings.map(({ pickupAt, returnAt }) => pickupAt ?? returnAt),
      ["2026-12-27T09:00:00.000Z", "2027-01-03T09:00:00.000Z"],
    );
  });

  test("a hire that ends where it starts, with its destination as a stop", async () => {
    const hire = { hireHours: 8, pickupAt: new Date("2027-05-12T09:00:00+02:00") };
    const { savings, options } = await between("Zurich", "Konstanz", hire);
    assert.ok(savings.length <= 2);
    for (const { isBackAtStart, totalRappen } of savings)
      assert.ok(isBackAtStart && totalRappen < (options[0]?.totalRappen ?? 0));
  });

  test("an engine is not asked again, and nothing is saved on a caller's own distance", async () => {
    const pickupAt = new Date("2027-02-13T05:30:00+01:00");
    let calls = 0;
    const router = {
      ...defaultCatalog.router,
      basis: "OSRM",
      measure(...args: Parameters<typeof defaultCatalog.router.measure>) {
        calls += 1;
        return defaultCatalog.router.measure(...args);
      },
    };
    const points = [aPoint("Bern"), to("Thun")];
    assert.deepEqual((await pricing({ router })({ points, pickupAt })).savings, []);
    assert.equal(calls, 1);
    const callerMetrics = { distanceKm: 30, durationMinutes: 30 };
    assert.deepEqual((await between("Bern", "Thun", { pickupAt, callerMetrics })).savings, []);
  });
});
