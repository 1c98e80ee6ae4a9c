import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../../src/contract/errors.ts";
import { locatePoints, stopOf } from "../../../src/domain/quotes/locate-points.ts";
import { minutesAfter } from "../../../src/domain/routing/timetable.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { createRandom } from "../../support/random.ts";
import { instantOf, journeyOf, quotes, type Setup, told } from "../../support/told.ts";

const HOUR: Setup = { measured: {} };

suite("the arrival", () => {
  for (const [why, journey, arrival] of [
    ["comes after stops", "Zurich Airport > Olten 25' > Thun > Bern; at 14:00", "15:25"],
    ["comes after waiting at the pickup", "at 14:00; wait 50", "15:50"],
    ["of a hire is its end", "at 14:00; hire 4", "18:00"],
    ["of a hire that takes longer is the end of the journey", "at 14:00; hire 0.5", "15:00"],
  ] as const)
    test(why, async () => {
      const { arrivalAt, returnArrivalAt } = await quotes(HOUR)(journey);
      assert.deepEqual([arrivalAt, returnArrivalAt], [instantOf(arrival).toISOString(), null]);
    });

  test("of the return has no stops and no waiting", async () => {
    const priced = await quotes(HOUR)("Zurich Airport > Olten 25' > Bern; wait 50; back 2026-12-09 20:00");
    assert.equal(priced.returnArrivalAt, instantOf("2026-12-09 21:00").toISOString());
    assert.deepEqual(priced.returnRoute, { distanceKm: 100, durationMinutes: 60 });
  });
});

/** The clock of the tests shows 10:00 on 1 December 2026. */
told(
  "free cancellation that has ended is said for the pickup that it was of",
  HOUR,
  `at 2026-12-02 09:00                        -> says Free cancellation is no longer possible
   at 2026-12-02 08:00; back 2026-12-02 09:54 -> says Return: Free cancellation is no longer possible
   at 2026-12-02 10:00                        -> never Free cancellation is no longer possible`,
);

/** Around clock changes, changes of timetable, and openings and closings of passes. */
const WEEKS = ["2026-12-24", "2027-03-26", "2027-04-29", "2027-05-27", "2027-06-10", "2027-10-29", "2027-11-01"];
/** With and without car trains and passes. */
// biome-ignore format: several fit on a line
const JOURNEYS = [
  ["Zurich Airport", "Zermatt"], ["Brig", "Bern"], ["Davos", "Scuol"], ["Andermatt", "Zermatt"], ["Interlaken", "Andermatt"],
  ["Thun", "Sion"], ["Zermatt", "Geneva Airport"], ["Zurich", "Lugano"], ["Chur", "Meiringen"],
] as const;
const SAMPLES = Number(process.env.ARRIVALS ?? 8);
const STEP_MINUTES = 5;

suite("the latest pickup for an arrival", () => {
  for (const [from, end] of JOURNEYS)
    test(`arrives in time, and one 5 minutes later does not: ${from} to ${end}`, async () => {
      const { signal } = new AbortController();
      const { router, places } = defaultCatalog;
      const { upTo, anyOf } = createRandom();
      let measurements = 0;
      const measure: typeof router.measure = (...of) => {
        measurements += 1;
        return router.measure(...of);
      };
      const price = quotes({ router: { ...router, measure } });
      for (let sample = 0; sample < SAMPLES; sample++) {
        const arriveBy = minutesAfter(new Date(`${anyOf(WEEKS)}T00:00:00Z`), upTo(5 * 1440));
        const waitingMinutes = anyOf([0, 0, 25]);
        const stop = anyOf(["", "", ` > ${from} 40'`, ` > ${end} 300'`]);
        const journey = journeyOf(`${from}${stop} > ${end}; by ${arriveBy.toISOString()}; wait ${waitingMinutes}`);
        measurements = 0;
        const { pickupAt } = await price("wait 0", journey);
        const seen = `${from}${stop}, by ${arriveBy.toISOString()}, waiting ${waitingMinutes}: ${pickupAt}`;
        assert.ok(measurements <= 14, `${seen}, ${measurements} measurements`);
        const located = await locatePoints(journey.points ?? [], places, signal);
        const stops = located.map((point) => ({ dwellMinutes: point.dwellMinutes, ...stopOf(point) }));
        const dwell = located.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
        const isInTime = async (pickup: Date) => {
          const leavesAt = minutesAfter(pickup, waitingMinutes);
          const { durationMinutes } = await router.measure(stops, leavesAt, signal);
          return minutesAfter(leavesAt, durationMinutes + dwell) <= arriveBy;
        };
        assert.ok(await isInTime(new Date(pickupAt)), seen);
        for (
          let later = minutesAfter(new Date(pickupAt), STEP_MINUTES);
          later <= arriveBy;
          later = minutesAfter(later, STEP_MINUTES)
        )
          assert.ok(!(await isInTime(later)), `${seen}, but also ${later.toISOString()}`);
      }
    });

  const midnight = instantOf("2026-12-09 00:00");
  const ARRIVAL = "by 2026-12-09 02:00";
  const closedUnless = (isOpen: (leavesAt: Date) => boolean): Setup => ({
    async measured(_, leavesAt) {
      if (isOpen(leavesAt)) return aMeasuredRoute();
      throw new PublicError("UNSUPPORTED_ROUTE", "There is no road that is open at that time.");
    },
  });

  for (const [why, setup] of [
    [
      "where a road closes at midnight",
      { measured: async (_, leavesAt) => aMeasuredRoute({ durationMinutes: leavesAt < midnight ? 100 : 300 }) },
    ],
    ["where no road is open after midnight", closedUnless((leavesAt) => leavesAt < midnight)],
  ] satisfies readonly (readonly [string, Setup])[])
    test(`is the last step of the day before, ${why}`, async () => {
      assert.equal((await quotes(setup)(ARRIVAL)).pickupAt, instantOf("23:55").toISOString());
    });

  const latest = "This is the latest pickup, in steps of 5 min, with which the car";
  told(
    "says what it covers: no margin for traffic, check-in alone if it is in the time, and that a flight must land early",
    {},
    `Bern > Zurich Airport; by 18:00 -> says ${latest} reaches Zurich Airport by 18:00 on 8 December 2026, with no margin for traffic. Check-in for a flight is covered only if that
      -> never has to land
     Bern > Thun 40' > Zermatt; by 18:00; wait 20 -> says ${latest} reaches Täsch …must not miss the Lötschberg car train
      -> never Check-in
     Zurich Airport > Davos; by 18:00 -> says with no margin for traffic. To be in time the car must leave at the pickup time: the flight has to land
      -> never Check-in
     Zurich Airport > Davos; by 18:00; wait 60 -> says the driver waits at the pickup, 60 min
      -> never has to land
     Geneva Airport > Zurich Airport; by 18:00 -> says Check-in for …that time includes it. To be in time the car must leave at`,
  );

  test("is refused where no road is open at all", async () => {
    await refusalOf(quotes(closedUnless(() => false))(ARRIVAL), "UNSUPPORTED_ROUTE");
  });
});
