import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { locatePoints, stopOf } from "../../src/quotes/locate-points.ts";
import type { JourneyPoint } from "../../src/quotes/quote.ts";
import type { Router } from "../../src/routing/router.ts";
import { minutesAfter } from "../../src/routing/timetable.ts";
import { aMeasuredRoute, aRouter } from "../support/fake-router.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to } from "../support/quoting-fixture.ts";
import { createRandom } from "../support/random.ts";

const STEP = 5 * 60_000;
const { signal } = new AbortController();
const at = (instant: string) => new Date(instant);

/** A router, with a count of what it measures. */
function counting(router: Router) {
  const counted = { measurements: 0 };
  const measure: Router["measure"] = (...of) => {
    counted.measurements += 1;
    return router.measure(...of);
  };
  return { counted, router: { ...router, measure } };
}

/** Around clock changes, changes of timetable, and openings and closings of passes. */
const WEEKS = ["2026-12-24", "2027-03-26", "2027-04-29", "2027-05-27", "2027-06-10", "2027-10-29", "2027-11-01"];
/** With and without car trains and passes. */
const JOURNEYS = [
  ["Zurich Airport", "Zermatt"],
  ["Brig", "Bern"],
  ["Davos", "Scuol"],
  ["Andermatt", "Zermatt"],
  ["Interlaken", "Andermatt"],
  ["Thun", "Sion"],
  ["Zermatt", "Geneva Airport"],
  ["Zurich", "Lugano"],
  ["Chur", "Meiringen"],
] as const;
const SAMPLES = Number(process.env.ARRIVALS ?? 8);

suite("the latest pickup for an arrival is the one that every step of 5 minutes, measured, gives", () => {
  for (const [from, destination] of JOURNEYS) {
    test(`${from} to ${destination}`, async () => {
      const { upTo, anyOf } = createRandom();
      const { counted, router } = counting(defaultCatalog.router);
      const price = pricing({ router });
      for (let sample = 0; sample < SAMPLES; sample++) {
        const arriveBy = minutesAfter(at(`${anyOf(WEEKS)}T00:00:00Z`), upTo(5 * 1440));
        const waitingMinutes = anyOf([0, 0, 25]);
        const stops = anyOf([[], [], [aStop(from, 40)], [aStop(destination, 300)]]);
        const points = [aPoint(from), ...stops, to(destination)];
        counted.measurements = 0;
        const { pickupAt, arrivalAt } = await price({ points, pickupAt: { arriveBy }, waitingMinutes });
        const { measurements } = counted;
        const seen = `by ${arriveBy.toISOString()}, waiting ${waitingMinutes}, ${JSON.stringify(stops)}, ${measurements} measurements`;
        assert.equal(pickupAt, (await latestByForce(points, arriveBy, waitingMinutes)).toISOString(), seen);
        assert.ok(at(arrivalAt ?? "") <= arriveBy, seen);
        assert.ok(measurements <= 14, seen);
      }
    });
  }
});

async function latestByForce(points: readonly JourneyPoint[], arriveBy: Date, waitingMinutes: number): Promise<Date> {
  const located = await locatePoints(points, defaultCatalog.places, signal);
  const stops = located.map((point) => ({ dwellMinutes: point.dwellMinutes, ...stopOf(point) }));
  const dwell = points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
  for (let pickup = Math.floor(+arriveBy / STEP) * STEP; ; pickup -= STEP) {
    const leavesAt = minutesAfter(new Date(pickup), waitingMinutes);
    const { durationMinutes } = await defaultCatalog.router.measure(stops, leavesAt, signal);
    if (minutesAfter(leavesAt, durationMinutes + dwell) <= arriveBy) return new Date(pickup);
  }
}

suite("the search for a pickup", () => {
  const arriveBy = at("2026-12-09T02:00:00+01:00");

  test("takes three measurements where every drive takes equally long", async () => {
    const { counted, router } = counting(aRouter());
    const { pickupAt } = await pricing({ router })({ pickupAt: { arriveBy: at("2026-12-09T12:02:00+01:00") } });
    assert.deepEqual([pickupAt, counted.measurements], ["2026-12-09T10:00:00.000Z", 3]);
  });

  test("finds the last step of the day before, where a road closes at midnight", async () => {
    const midnight = at("2026-12-09T00:00:00+01:00");
    const router = aRouter(async (_, leavesAt) => aMeasuredRoute({ durationMinutes: leavesAt < midnight ? 100 : 300 }));
    const { pickupAt } = await pricing({ router })({ pickupAt: { arriveBy } });
    assert.equal(pickupAt, "2026-12-08T22:55:00.000Z");
  });

  test("takes a road that is open on that day alone, and reports where none is", async () => {
    const closed = (open: (leavesAt: Date) => boolean) =>
      aRouter(async (_, leavesAt) => {
        if (open(leavesAt)) return aMeasuredRoute();
        throw new PublicError("UNSUPPORTED_ROUTE", "There is no road that is open at that time.");
      });
    const midnight = at("2026-12-09T00:00:00+01:00");
    const before = pricing({ router: closed((leavesAt) => leavesAt < midnight) });
    assert.equal((await before({ pickupAt: { arriveBy } })).pickupAt, "2026-12-08T22:55:00.000Z");
    await refusalOf(pricing({ router: closed(() => false) })({ pickupAt: { arriveBy } }), "UNSUPPORTED_ROUTE");
  });
});
