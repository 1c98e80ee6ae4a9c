import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../../src/contract/errors.ts";
import { locatePoints, stopOf } from "../../../src/domain/quotes/locate-points.ts";
import type { Journey, JourneyPoint, PricedJourney } from "../../../src/domain/quotes/quote.ts";
import type { Router } from "../../../src/domain/routing/router.ts";
import { minutesAfter } from "../../../src/domain/routing/timetable.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, via } from "../../support/quoting-fixture.ts";
import { createRandom } from "../../support/random.ts";

/** 60 minutes of drive. */
const price = pricing({ router: aRouter() });
const PICKUP = { pickupAt: new Date("2026-12-08T13:00:00Z") };
const RETURN = { returnAt: new Date("2026-12-09T19:00:00Z") };
const codesOf = ({ notices }: PricedJourney) => notices.map(({ code }) => code);

suite("the arrival", () => {
  for (const [what, journey, arrival] of [
    ["comes after the drive", {}, "14:00"],
    ["comes after stops, and waiting at the pickup", { points: via(aStop("Olten", 25), aStop("Thun")) }, "14:25"],
    ["comes after waiting at the pickup", { waitingMinutes: 50 }, "14:50"],
    ["of a hire is its end", { hireHours: 4 }, "17:00"],
    ["of a hire that takes longer is the end of the journey", { hireHours: 0.5 }, "14:00"],
  ] satisfies readonly (readonly [string, Partial<Journey>, string])[]) {
    test(what, async () => {
      const priced = await price({ ...PICKUP, ...journey });
      assert.equal(priced.arrivalAt, `2026-12-08T${arrival}:00.000Z`);
      assert.equal(priced.returnArrivalAt, null);
    });
  }

  test("of the return has no stops", async () => {
    const priced = await price({ ...PICKUP, ...RETURN, points: via(aStop("Olten", 25)), waitingMinutes: 50 });
    assert.equal(priced.returnArrivalAt, "2026-12-09T20:00:00.000Z");
    assert.deepEqual(priced.returnRoute, { distanceKm: 100, durationMinutes: 60 });
  });
});

suite("free cancellation", () => {
  test("is one of both where the operator does not cancel a leg alone", async () => {
    const { catalog } = defaultCatalog;
    const policies = catalog.policies.map((policy) => ({ ...policy, legsSeparately: false }));
    const together = pricing({ router: aRouter(), catalog: { ...catalog, policies } });
    const { freeCancellationUntil, returnFreeCancellationUntil, limitations } = await together(RETURN);
    assert.equal(returnFreeCancellationUntil, freeCancellationUntil);
    assert.ok(
      limitations.includes(
        "Outbound and return journey can only be canceled together, at no charge until 24 h before the outbound pickup.",
      ),
    );
    assert.doesNotMatch(limitations.join("\n"), /separately/);
    assert.doesNotMatch((await together()).limitations.join("\n"), /together/, "one way");
  });

  test("that has ended is said, for the pickup that it was of", async () => {
    const clock = aClock();
    const soon = { pickupAt: new Date(clock.now().getTime() + 23 * 3_600_000) };
    const ended = ({ notices }: PricedJourney) =>
      notices.flatMap(({ code, values }) => (code === "FREE_CANCELLATION_ENDED" ? [values.leg] : []));
    const back = { returnAt: new Date(clock.now().getTime() + 23.9 * 3_600_000) };
    const both = await pricing({ router: aRouter({ durationMinutes: 30 }), clock })({ ...soon, ...back });
    assert.deepEqual(ended(both), ["outbound", "return"]);
    const exact = { pickupAt: new Date(clock.now().getTime() + 24 * 3_600_000) };
    assert.ok(!codesOf(await pricing({ router: aRouter(), clock })(exact)).includes("FREE_CANCELLATION_ENDED"));
  });
});

suite("pickups", () => {
  const saying = async (journey: Partial<Journey>) => (await price({ ...PICKUP, ...journey })).limitations.join("\n");
  const toZermatt = { points: [aPoint("Zurich Airport"), to("Zermatt")] };
  const fromZermatt = { points: [aPoint("Zermatt"), to("Zurich Airport")] };
  const LANDING = "Waiting counts from the landing. Times exclude it and baggage claim.";

  test("at an airport count waiting from the landing and ask for the flight number", async () => {
    const [at, state] = [LANDING, "State the flight number."];
    assert.ok((await saying(toZermatt)).includes(`${at} ${state}`));
    assert.ok((await saying({ ...toZermatt, flightNumber: "LX 39" })).includes(at));
    assert.ok(!(await saying({ ...toZermatt, flightNumber: "LX 39" })).includes(state));
    const back = await saying({ ...fromZermatt, ...RETURN, flightNumber: "LX 39" });
    assert.ok(back.includes(`Return: ${at} ${state}`));
    assert.doesNotMatch(await saying(fromZermatt), /landing/);
  });

  test("of a hire at an airport ask for the flight number alone", async () => {
    const hire = await saying({ hireHours: 3 });
    assert.match(hire, /^Pickup at Zurich Airport\. State the flight number\.$/m);
    assert.doesNotMatch(hire, /landing/);
  });
});

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
