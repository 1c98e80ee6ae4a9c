import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../../src/contract/errors.ts";
import type { Journey } from "../../../src/domain/quotes/quote.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aPoint, defaultCatalog, pricing, to, totalOf } from "../../support/quoting-fixture.ts";

const { catalog, router } = defaultCatalog;

/** Prices while counting what is measured. */
function counting(parts: Parameters<typeof pricing>[0] = {}) {
  let measured = 0;
  const measure: typeof router.measure = (...way) => {
    measured += 1;
    return router.measure(...way);
  };
  const price = pricing({ ...defaultCatalog, router: { ...router, measure }, ...parts });
  return async (from: string, end: string, pickup: string, rest: Partial<Journey> = {}) => {
    measured = 0;
    const priced = await price({ points: [aPoint(from), to(end)], pickupAt: new Date(pickup), ...rest });
    return { ...priced, measured, said: priced.notices.filter(({ code }) => code.startsWith("LEAVE_BY")) };
  };
}

suite("by when the car has to leave within the free waiting", () => {
  const price = counting();

  test("the last car train: by then, or another way at the price with waiting", async () => {
    const landing = "2027-01-12T21:00:00+01:00";
    const { said, notices, options } = await price("Zurich Airport", "Zermatt", landing);
    assert.ok(notices.some(({ code }) => code === "CAR_TRAIN"));
    const [leaveBy, ...others] = said;
    assert.deepEqual([leaveBy?.code, others], ["LEAVE_BY", []]);
    assert.match(leaveBy?.text ?? "", / to reach the .+: later, .+ send waiting_minutes 60\.$/);
    const waited = await price("Zurich Airport", "Zermatt", landing, { waitingMinutes: 60 });
    assert.ok((totalOf(waited) ?? 0) > (options[0]?.totalRappen ?? 0));
    const { route } = waited;
    const [km, minutes] = [leaveBy?.values.km, leaveBy?.values.minutes];
    assert.deepEqual([km, minutes], [route.distanceKm, route.durationMinutes]);
    assert.match(leaveBy?.text ?? "", new RegExp(`CHF ${((totalOf(waited) ?? 0) / 100).toFixed(2)} \\(Sedan`));
    // The stated time keeps the way; a minute more does not.
    const until = Date.parse(`2027-01-12T${leaveBy?.values.time}:00+01:00`);
    const after = (minutes: number) => (until - Date.parse(landing)) / 60_000 + minutes;
    const kept = await price("Zurich Airport", "Zermatt", landing, { waitingMinutes: after(0) });
    const lost = await price("Zurich Airport", "Zermatt", landing, { waitingMinutes: after(1) });
    assert.deepEqual([totalOf(kept), totalOf(lost)], [options[0]?.totalRappen, totalOf(waited)]);
  });

  test("a border of prices is found without a second measurement", async () => {
    const seasons = [{ id: "rush", label: "Rush", percent: 50, hours: { from: 17, to: 18 } }];
    const rushed = counting({ catalog: { ...catalog, seasons } });
    const { said, measured } = await rushed("Zurich Airport", "Bern", "2026-12-08T16:30:00+01:00");
    assert.deepEqual([said[0]?.code, said[0]?.values.time, measured], ["LEAVE_BY", "16:59", 1]);
  });

  test("where nothing changes, nothing is said or measured again", async () => {
    const { said, measured } = await price("Zurich Airport", "Bern", "2026-12-08T14:00:00+01:00");
    assert.deepEqual([said, measured], [[], 1]);
    const waited = await price("Zurich Airport", "Zermatt", "2027-01-12T21:00:00+01:00", { waitingMinutes: 60 });
    assert.deepEqual([waited.said, waited.measured], [[], 1], "the free waiting is used up");
    const fromTown = await price("Zurich", "Zermatt", "2027-01-12T21:00:00+01:00");
    assert.deepEqual([fromTown.said, fromTown.measured], [[], 1], "no landing");
  });

  test("the landing of a return: by then, or the way and the price of the whole journey with it", async () => {
    const [landing, outbound] = ["2027-01-12T21:00:00+01:00", "2027-01-10T09:00:00+01:00"];
    const { said } = await price("Zermatt", "Zurich Airport", outbound, { returnAt: new Date(landing) });
    const [leaveBy, ...others] = said;
    assert.deepEqual([leaveBy?.code, leaveBy?.values.leg, others], ["LEAVE_BY", "return", []]);
    const alone = await price("Zurich Airport", "Zermatt", landing);
    const own = alone.said[0]?.values ?? {};
    const time = `2027-01-12T${own.time}:00+01:00`;
    const { km, minutes, name } = own;
    const { prices, ...values } = leaveBy?.values ?? {};
    assert.deepEqual(values, { time, km, minutes, name, leg: "return" }, "the same way, on the day of the return");
    assert.notDeepEqual(prices, own.prices, "the price of both directions");
    assert.match(leaveBy?.text ?? "", /^Return: Times .+ by 12 January 2027, \d\d:\d\d to reach the .+\.$/);
    assert.doesNotMatch(leaveBy?.text ?? "", /waiting_minutes/);
  });

  test("the last open road", async () => {
    const closesAt = Date.parse("2026-12-08T14:30:00+01:00");
    const { measure } = aRouter();
    const closing: Parameters<typeof counting>[0] = {
      catalog: {
        ...catalog,
        closures: [{ id: "works", road: "A1", from: "2026-12-08T14:30", to: "2026-12-08T20:00", reason: "Works." }],
      },
      router: {
        ...aRouter(),
        measure: async (stops, departure, signal) => {
          if (departure.getTime() < closesAt) return measure(stops, departure, signal);
          throw new PublicError("UNSUPPORTED_ROUTE", "closed");
        },
      },
    };
    const { said } = await counting(closing)("Zurich Airport", "Bern", "2026-12-08T14:00:00+01:00");
    assert.deepEqual(
      said.map(({ text }) => text),
      ["The car has to leave by 14:29: later, within the free waiting, no road to the destination is open that day."],
    );
  });
});
