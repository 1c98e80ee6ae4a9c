import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defaultCatalog, totalOf } from "../../support/quoting-fixture.ts";
import { instantOf, quotes } from "../../support/told.ts";

const price = quotes();

suite("what would be cheaper", () => {
  for (const [why, journey, pickups] of [
    ["by day of the night's last hour", "Verbier > Geneva; at 2027-02-13 05:30", ["2027-02-13 06:00"]],
    ["nothing where the night has ended", "Verbier > Geneva; at 2027-02-13 06:00", []],
    ["before midnight, with the waiting", "Bern > Thun; at 2027-02-12 23:40; wait 30", ["2027-02-12 23:25"]],
    ["nothing on the day before a night's party", "Bern > Thun; at 2027-02-13 00:10", []],
    ["no night before New Year's Eve", "Bern > Thun; at 2027-01-01 01:30", []],
    ["only the morning after the night of a holiday", "Bern > Thun; at 2026-12-25 05:30", ["2026-12-25 06:00"]],
    ["nothing at three in the morning", "Bern > Thun; at 2027-02-13 03:00", []],
    ["nothing after a landing", "Zurich Airport > Thun; at 2027-02-13 05:30", []],
    ["nothing before a flight", "Thun > Zurich Airport; at 2027-02-13 05:30", []],
    ["nothing between two flights", "Zurich Airport > Lenk; at 2026-12-26 10:00; back 2027-01-02 10:00", []],
    ["at the same time before a clock change", "Basel > Lenk; at 2027-03-28 10:00", ["2027-03-27 10:00"]],
    ["nothing by day", "Bern > Thun; at 2027-02-13 12:00", []],
    ["nothing on a hire in the night", "Bern > Thun > Bern; at 2027-02-13 05:30; hire 3", []],
    [
      "on a day beside a holiday, of each direction",
      "Basel > Lenk; at 2026-12-26 10:00; back 2027-01-02 10:00",
      ["2026-12-27 10:00", "2027-01-03 10:00"],
    ],
    [
      "of each direction, where two days of one are as cheap",
      "Basel > Lenk; at 2027-03-26 10:00; back 2027-03-29 16:00",
      ["2027-03-25 10:00", "2027-03-30 16:00"],
    ],
  ] as const)
    test(`${why}: ${journey}`, async () => {
      const { savings } = await price(journey);
      const instants = savings.map(({ pickupAt, returnAt }) => pickupAt ?? returnAt);
      assert.deepEqual(
        instants,
        pickups.map((each) => instantOf(each).toISOString()),
      );
    });

  test("on another day names both days", async () => {
    const { savings } = await price("Basel > Lenk; at 2026-12-26 10:00");
    assert.deepEqual(
      savings.map(({ text }) => text.split(": ")[0]),
      ["Pickup on 27 December 2026, 10:00, instead of 26 December 2026"],
    );
  });

  test("is no other day of a season, although it costs less there", async () => {
    const dates = [{ from: "2026-12-08", to: "2026-12-08" }];
    const seasons = [
      { id: "peak", label: "Peak", percent: 50, dates },
      { id: "ski", label: "Ski", percent: 10 },
    ];
    const rules = (lasting: number) => ({ rules: { seasons: seasons.slice(0, lasting) } });
    const [alone, both] = [await quotes(rules(1))("Bern > Thun"), await quotes(rules(2))("Bern > Thun")];
    assert.deepEqual([alone.savings.length, both.savings.length], [2, 0]);
  });

  test("costs what it says, which is less", async () => {
    const [early, later] = [
      await price("Verbier > Geneva; at 2027-02-13 05:30"),
      await price("Verbier > Geneva; at 2027-02-13 06:00"),
    ];
    const [saving] = early.savings;
    assert.equal(saving?.totalRappen, totalOf(later));
    assert.ok((totalOf(later) ?? Number.NaN) < (totalOf(early) ?? 0));
    assert.match(
      saving?.text ?? "",
      /^Pickup on 13 February 2027, 06:00: CHF [\d.]+ instead of CHF [\d.]+ \(Sedan\)\.$/,
    );
  });

  test("of a hire is one that ends where it starts, with its destination as a stop", async () => {
    const hire = await price("Lucerne > Interlaken 120' > Bern 120' > Zurich Airport; at 2027-05-12 09:00; hire 9");
    const [saving] = hire.savings;
    const [, back] = hire.savings;
    assert.match(saving?.text ?? "", /^The same hire without stated stays: CHF /);
    assert.match(back?.text ?? "", /^A hire that ends where it starts, with Zurich Airport as its last stop: CHF /);
    assert.ok(
      saving?.totalRappen ===
        totalOf(await price("Lucerne > Interlaken > Bern > Zurich Airport; at 2027-05-12 09:00; hire 9")),
    );
    const [transfer] = (await price("Thun > Bern 255' > Thun; at 2027-05-12 08:15; hire 6")).savings;
    assert.match(transfer?.text ?? "", /^A transfer with the same stops and stays instead of the hire: CHF /);
    const [longer] = (
      await price("Lucerne > Interlaken 120' > Bern 120' > Zurich Airport; at 2027-05-12 09:00; hire 3")
    ).savings;
    const asLong = await price("Lucerne > Interlaken > Bern > Zurich Airport; at 2027-05-12 09:00; hire 8");
    assert.equal(
      longer?.totalRappen,
      totalOf(asLong),
      "as many hours as are charged, so that there is time for the stays",
    );
    // What is charged besides the hire pays for the next hour as well.
    assert.match(hire.limitations.join(), /the next hour adds CHF 0 .*further hours and km cost only what exceeds CHF/);
  });

  test("is none that the operator has to confirm first", async () => {
    const dates = [{ from: "12-24", to: "12-24" }];
    const rules = { stopSales: [{ id: "eve", offer: "on_request" as const, reason: "By phone.", dates }] };
    const journey = "Bern > Thun; at 2026-12-25 12:00";
    const counts = [await price(journey), await quotes({ rules })(journey)].map(({ savings }) => savings.length);
    assert.deepEqual(counts, [1, 0]);
  });

  test("is not asked of an engine, nor said on a caller's own distance", async () => {
    let calls = 0;
    const measure: typeof defaultCatalog.router.measure = (...way) => {
      calls += 1;
      return defaultCatalog.router.measure(...way);
    };
    const journey = "Bern > Thun; at 2027-02-13 05:30";
    const { savings } = await quotes({ router: { ...defaultCatalog.router, basis: "OSRM", measure } })(journey);
    const own = await price(journey, { callerMetrics: { distanceKm: 30, durationMinutes: 30 } });
    assert.deepEqual([savings, calls, own.savings], [[], 1, []]);
  });
});
