import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Journey, PricedJourney } from "../../src/quotes/quote.ts";
import { aClock } from "../support/fake-clock.ts";
import { aRouter } from "../support/fake-router.ts";
import { aPoint, aStop, pricing, to, via } from "../support/quoting-fixture.ts";

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
  test("ends 24 hours before each pickup", async () => {
    const priced = await price({ ...PICKUP, ...RETURN });
    assert.deepEqual(
      [priced.freeCancellationUntil, priced.returnFreeCancellationUntil],
      ["2026-12-07T13:00:00.000Z", "2026-12-08T19:00:00.000Z"],
    );
    assert.ok(!codesOf(priced).some((code) => code.includes("CANCELLATION")));
  });

  test("that has ended is said, for the pickup that it was of", async () => {
    const clock = aClock();
    const soon = { pickupAt: new Date(clock.now().getTime() + 23 * 3_600_000) };
    const late = await pricing({ router: aRouter(), clock })({ ...soon, ...RETURN });
    assert.deepEqual(
      codesOf(late).filter((code) => code.includes("CANCELLATION")),
      ["OUTBOUND_FREE_CANCELLATION_ENDED"],
    );
    const back = { returnAt: new Date(clock.now().getTime() + 23.9 * 3_600_000) };
    const both = await pricing({ router: aRouter({ durationMinutes: 30 }), clock })({ ...soon, ...back });
    assert.deepEqual(
      codesOf(both).filter((code) => code.includes("CANCELLATION")),
      ["OUTBOUND_FREE_CANCELLATION_ENDED", "RETURN_FREE_CANCELLATION_ENDED"],
    );
    const exact = { pickupAt: new Date(clock.now().getTime() + 24 * 3_600_000) };
    assert.ok(!codesOf(await pricing({ router: aRouter(), clock })(exact)).includes("FREE_CANCELLATION_ENDED"));
  });
});

suite("pickups", () => {
  const saying = async (journey: Partial<Journey>) => (await price({ ...PICKUP, ...journey })).limitations.join("\n");
  const toZermatt = { points: [aPoint("Zurich Airport"), to("Zermatt")] };
  const fromZermatt = { points: [aPoint("Zermatt"), to("Zurich Airport")] };
  const LANDING = "free waiting starts when the flight lands.";

  test("in a car-free place are where the car waits, in each direction", async () => {
    assert.match(await saying({ ...toZermatt, ...RETURN }), /^The return pickup is at Täsch: /m);
    assert.match(await saying(fromZermatt), /^Zermatt is car-free: the pickup is at Täsch\./m);
    for (const journey of [toZermatt, { points: via(), ...RETURN }])
      assert.doesNotMatch(await saying(journey), /pickup is at/);
  });

  test("at an airport count waiting from the landing and ask for the flight number", async () => {
    const [at, state] = [`Pickup at Zurich Airport: ${LANDING}`, "State the flight number at checkout."];
    assert.ok((await saying(toZermatt)).includes(`${at}\n${state}`));
    assert.ok((await saying({ ...toZermatt, flightNumber: "LX 39" })).includes(at));
    assert.ok(!(await saying({ ...toZermatt, flightNumber: "LX 39" })).includes(state));
    const back = await saying({ ...fromZermatt, ...RETURN, flightNumber: "LX 39" });
    assert.ok(
      back.includes(`Return pickup at Zurich Airport: ${LANDING} State the number of that flight at checkout.`),
    );
    assert.doesNotMatch(await saying(fromZermatt), /lands/);
  });

  test("of a hire at an airport ask for the flight number alone", async () => {
    const hire = await saying({ hireHours: 3 });
    assert.match(hire, /^State the flight number at checkout\.$/m);
    assert.doesNotMatch(hire, /lands/);
  });
});

test("classes on request name the operator who confirms them", async () => {
  const { notices } = await price({ passengers: 12 });
  const [onRequest] = notices.filter(({ code }) => code === "ON_REQUEST");
  assert.deepEqual(onRequest?.values, {
    ...{ operator: "Example Transfers", phone: "+41 00 000 00 00", email: "bookings@transfers.example" },
    ...{ classes: "coach", reason: "" },
  });
});
