import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { upstreamUnavailable } from "../../../src/contract/errors.ts";
import type { PlaceFinder } from "../../../src/domain/places/place-finder.ts";
import type { JourneyPoint } from "../../../src/domain/quotes/quote.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import {
  aPoint,
  aStop,
  defaultCatalog,
  FROM_AIRPORT,
  pricing,
  refusalOf,
  to,
  totalOf,
  via,
  waitingFree,
} from "../../support/quoting-fixture.ts";

suite("a priced journey", () => {
  test("is measured on the embedded roads and priced for every class that fits", async () => {
    const priced = await pricing()();
    const { route, options } = priced;
    assert.ok(route.distanceKm > 115 && route.distanceKm < 135, `${route.distanceKm} km`);
    const { authority, automaticallyPayable, basis, measuredAt } = route;
    assert.deepEqual([authority, automaticallyPayable, basis], ["SERVER_VERIFIED", true, "EMBEDDED_ROAD_NETWORK"]);
    assert.equal(measuredAt, "2026-12-01T09:00:00.000Z");
    const offered = options.map(({ fleetId, vehicleClass }) => `${fleetId} ${vehicleClass}`);
    assert.deepEqual(offered, ["1 sedan", "2 estate", "3 first_class", "4 van", "5 first_class_van"]);
    assert.equal(totalOf(priced), Math.round((2_000 + Math.round(route.distanceKm * 10) * 28) / 5) * 5);
    assert.deepEqual([priced.currency, priced.requiresManualConfirmation], ["CHF", false]);
    assert.deepEqual(priced.limitations, [...FROM_AIRPORT, waitingFree("Waiting at the pickup is free for 60 min")]);
  });

  test("names the data that it was measured on, whatever the engine's latest data are by then", async () => {
    const { route } = await pricing({ router: aRouter({ dataVersion: "data-7" }) })();
    const later = { ...aRouter({ dataVersion: "data-7" }), dataVersion: "data-8" };
    const priced = await pricing({ router: later })();
    assert.equal(priced.route.contractVersion, "1/data-7");
    assert.equal(priced.route.fingerprint, route.fingerprint);
    const { fingerprint } = (await pricing({ router: aRouter({ dataVersion: "data-8" }) })()).route;
    assert.notEqual(fingerprint, route.fingerprint);
  });

  test("names the data of both directions where they changed in between", async () => {
    let version = 7;
    const router = aRouter(async () => aMeasuredRoute({ dataVersion: `data-${version++}` }));
    const { route } = await pricing({ router })({ returnAt: new Date("2026-12-09T13:00:00Z") });
    assert.equal(route.contractVersion, "1/data-7&data-8");
  });

  test("keeps a class's fleet_id when smaller classes do not fit", async () => {
    const priced = await pricing({ router: aRouter() })({ passengers: 8 });
    const [{ fleetId, vehicleClass } = {}, ...others] = priced.options;
    assert.deepEqual([fleetId, vehicleClass, others], [6, "minibus", []]);
  });

  test("has one fingerprint however its places are written, and another for other dwell, order or data", async () => {
    const price = pricing();
    const of = async (...points: readonly JourneyPoint[]) => (await price({ points })).route.fingerprint;
    const usual = await of(...via(aStop("Olten")));
    assert.equal(await of(aPoint("ZRH"), aStop("olten"), to("Berne")), usual);
    assert.notEqual(await of(...via(aStop("Olten", 0))), usual);
    assert.notEqual(await of(...via(aStop("Burgdorf"))), usual);
    const [there, back] = [via(aStop("Olten"), aStop("Burgdorf")), via(aStop("Burgdorf"), aStop("Olten"))];
    assert.notEqual(await of(...there), await of(...back));
    const elsewhere = await pricing({ router: aRouter() })({ points: via(aStop("Olten")) });
    assert.notEqual(elsewhere.route.fingerprint, usual);
  });
});

suite("waiting and dwell", () => {
  const price = pricing({ router: aRouter() });
  const extra = async (points: ReturnType<typeof via>, waitingMinutes = 0) =>
    (totalOf(await price({ points, waitingMinutes })) ?? 0) - 30_000;

  const waiting = async (points: ReturnType<typeof via>, waitingMinutes: number) => {
    const [sedan] = (await price({ points, waitingMinutes })).options;
    return sedan?.charges.find(({ code }) => code === "waiting")?.rappen;
  };

  for (const [where, points, freeMinutes] of [
    ["at an airport is free for an hour", via(), 60],
    ["elsewhere is free for a quarter", [aPoint("Lucerne"), to("Zurich Airport")], 15],
  ] as const)
    test(`waiting ${where}, and then charged by started quarters`, async () => {
      // 1440 min at an airport are 92 quarters to pay, elsewhere 95.
      for (const [charged, quarters] of [
        [0, 0],
        [1, 1],
        [15, 1],
        [16, 2],
        [1_440 - freeMinutes, 96 - freeMinutes / 15],
      ] as const)
        assert.equal(await waiting(points, freeMinutes + charged), quarters * 1_500, `${charged} min`);
    });

  test("each stop has its own free part by what it is", async () => {
    assert.equal(await extra(via(aStop("Olten", 15), aStop("Burgdorf", 15))), 0);
    assert.equal(await extra(via(aStop("Olten", 16), aStop("Burgdorf", 31))), 4_500);
    assert.equal(await extra([aPoint("Lucerne"), aStop("ZRH", 60), to("Bern")]), 0);
    assert.equal(await extra(via(aStop("Olten", 0), aStop("Burgdorf"))), 0);
  });

  test("one place in several stops on end has one free part", async () => {
    const times = (count: number, stop: JourneyPoint) => Array.from({ length: count }, () => stop);
    assert.equal(await extra(via(aStop("ZRH", 500))), 45_000);
    assert.equal(await extra(via(...times(10, aStop("ZRH", 50)))), 45_000);
    assert.equal(await extra(via(aStop("ZRH", 60)), 60), 6_000, "the wait at the pickup is one of them");
    assert.equal(await extra(via(aStop("Olten", 15), aStop("Olten"), aStop("Olten", 15))), 1_500);
    assert.equal(await extra(via(aStop("Bern", 15), aStop("Bern", 15))), 1_500, "where the journey ends, too");
    assert.equal(await extra(via(aStop("Olten", 15), aStop("Burgdorf"), aStop("Olten", 15))), 1_500, "or not on end");
  });

  test("one place is where the car stops, however it is written", async () => {
    const at = (lat: number, lng: number) => ({ ...aStop("A corner", 15), position: { lat, lng } });
    assert.equal(await extra(via(at(47.3, 7.95), at(47.3015, 7.95))), 1_500, "170 m");
    assert.equal(await extra(via(at(47.3, 7.95), at(47.302, 7.95))), 0, "220 m");
    assert.equal(await extra(via(aStop("Zermatt", 15), aStop("Täsch", 15))), 1_500);
  });

  test("of different free parts at one place the larger one holds", async () => {
    const beside = { ...aStop("Arrivals", 30), position: { lat: 47.4505, lng: 8.5625 } };
    assert.equal(await extra([aPoint("Lucerne"), aStop("ZRH", 30), beside, to("Bern")]), 0);
    assert.equal(await extra([aPoint("Lucerne"), beside, aStop("ZRH", 31), to("Bern")]), 1_500);
  });
});

suite("the return journey", () => {
  const price = pricing({ router: aRouter({ feesRappen: 1_000, notes: ["Includes the toll of X."] }) });

  test("is measured separately, priced with its own surcharges and mentioned once", async () => {
    const priced = await price({ returnAt: new Date("2026-12-08T19:00:00Z") });
    assert.equal(totalOf(priced), 57_000 + 2_000);
    assert.deepEqual(priced.limitations, [
      ...FROM_AIRPORT,
      "Outbound and return journey can be canceled separately.",
      "Includes the toll of X.",
      "The price includes the return journey of 100 km without stops. It is a separate journey: the car does not wait for it.",
      waitingFree("Waiting is free for 60 min at the outbound pickup and for 15 min at the return pickup"),
    ]);
    assert.equal(priced.returnAt, "2026-12-08T19:00:00.000Z");
    assert.equal(totalOf(await price({ returnAt: new Date("2026-12-09T19:00:00Z") })), 60_000 + 2_000);
  });

  test("has no waiting at its pickup: what is stated is for the outbound one", async () => {
    const returnAt = new Date("2026-12-09T19:00:00Z");
    assert.equal(totalOf(await price({ returnAt, waitingMinutes: 75 })), 60_000 + 2_000 + 1_500);
  });

  test("starts after waiting, drive and dwell have ended", async () => {
    const journey = { points: via(aStop("Olten", 30)), waitingMinutes: 30 };
    await price({ ...journey, returnAt: new Date("2026-12-08T15:00:01Z") });
    const early = price({ ...journey, returnAt: new Date("2026-12-08T15:00:00Z") });
    assert.match((await refusalOf(early, "RETURN_TIME_INVALID")).detail, /takes 1 h 30 min\./);
  });
});

suite("hire by the hour", () => {
  const [, MEETING_POINT] = FROM_AIRPORT;
  const FLIGHT_NUMBER = "Pickup at Zurich Airport. State the flight number.";
  const HIRE = "Hire of 4 h with 100 km included; car and driver stay with the traveler.";
  const OVERTIME =
    "Each further started hour is charged at CHF 72 (Sedan), CHF 76 (Estate car), CHF 140 (First-class sedan), " +
    "CHF 86 (Van), CHF 150 (First-class van) and the surcharges of its time, with 25 km more, and each further km at CHF 2.80 (Sedan), " +
    "CHF 3 (Estate car), CHF 5.50 (First-class sedan), CHF 3.40 (Van), CHF 6 (First-class van).";
  const AT_LEAST =
    "A hire costs at least as much as the transfer with its stops or some of them, and the waiting stated for these and the pickup. " +
    `Only beyond that, ${OVERTIME[0]?.toLowerCase()}${OVERTIME.slice(1)}`;
  const END = "The hire ends at Bern at 18:00: the car does not bring the traveler back to Zurich Airport.";

  const thereFrom = (time: string) => `Without other stays than those stated, the car can be at Bern from ${time}.`;

  test("has a limitation with what it includes", async () => {
    const priced = await pricing({ router: aRouter() })({ hireHours: 4 });
    assert.equal(totalOf(priced), 30_000, "as the transfer, not 8000 + 3 × 7200");
    assert.deepEqual(priced.limitations, [FLIGHT_NUMBER, END, thereFrom("15:00"), MEETING_POINT, HIRE, AT_LEAST]);
  });

  test("has a limitation where the journey takes longer", async () => {
    const priced = await pricing({ router: aRouter({ durationMinutes: 181 }) })({ hireHours: 2.5 });
    assert.equal(totalOf(priced), 30_000);
    assert.deepEqual(priced.limitations, [
      ...[FLIGHT_NUMBER, `${END} 4 h are not enough to drive back to Zurich Airport as well.`, thereFrom("17:01")],
      ...[MEETING_POINT, `${HIRE} The journey takes longer than 2.5 h, so 4 h are charged.`, AT_LEAST],
    ]);
  });
});

suite("rejected journeys", () => {
  const price = pricing();

  test("every unclear place is named, with candidates", async () => {
    const points = [aPoint("Freiburg"), aStop("Zermat"), aPoint("Xyzzy", { field: "waypoints.1.name" }), to("Bern")];
    const { detail, nextAction, fieldErrors } = await refusalOf(price({ points }), "INVALID_LOCATION");
    assert.deepEqual(fieldErrors, [
      {
        field: "origin",
        message: 'Several places have this name: "Freiburg im Breisgau", "Fribourg".',
        candidates: ["Freiburg im Breisgau", "Fribourg"],
      },
      { field: "waypoints.0.name", message: 'Did you mean "Zermatt"?', candidates: ["Zermatt"] },
      { field: "waypoints.1.name", message: "No place of this name is known." },
    ]);
    assert.ok(detail.startsWith("origin: "));
    assert.match(nextAction, /^Ask the traveler which place is meant, .* if it is none of them, ask for its town/);
  });

  test("a name that is not known is asked for with its town; coordinates or a larger town find it too", async () => {
    const { nextAction } = await refusalOf(price({ points: [aPoint("Xqzw"), to("Bern")] }), "INVALID_LOCATION");
    assert.match(nextAction, /Send "name, town", "street, town", a larger town nearby, .*"47\.58, 12\.17"\.$/);
  });

  test("a name that many sites have is asked for with its town", async () => {
    const { fieldErrors } = await refusalOf(
      price({ points: [aPoint("Kantonsspital"), to("Bern")] }),
      "INVALID_LOCATION",
    );
    assert.deepEqual(fieldErrors, [
      { field: "origin", message: "Several places have this name: send it with its town." },
    ]);
  });

  test("a text of more than 32 words is asked for in fewer", async () => {
    const points = [aPoint(`${"please ".repeat(32)}Zermatt`), to("Bern")];
    const { fieldErrors, nextAction } = await refusalOf(price({ points }), "INVALID_LOCATION");
    const message =
      "This text is too long, or its words could mean too many places: send the name of the place and its town.";
    assert.deepEqual(fieldErrors, [{ field: "origin", message }]);
    assert.match(nextAction, /Send "name, town"/);
  });

  test("points are looked up together, and their errors are in the order of the points", async () => {
    const slowness: Readonly<Record<string, number>> = { Freiburg: 30, Zermat: 10, Bern: 20 };
    const { places } = defaultCatalog;
    let inFlight = 0;
    let most = 0;
    const slow: PlaceFinder = {
      ...places,
      async find(text, signal) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await pause(slowness[text]);
        inFlight -= 1;
        if (text === "Bern") throw upstreamUnavailable("The geocoder is not available now.");
        return places.find(text, signal);
      },
    };
    const points = [aPoint("Freiburg"), aStop("Zermat"), to("Thun")];
    const late = pricing({ places: slow });
    const { fieldErrors } = await refusalOf(late({ points }), "INVALID_LOCATION");
    assert.equal(fieldErrors.map(({ field }) => field).join(), "origin,waypoints.0.name");
    assert.equal(most, 3, "all are looked up together");
    await refusalOf(late({ points: [aPoint("Freiburg"), to("Bern")] }), "UPSTREAM_UNAVAILABLE");
    await refusalOf(late({ points: [aPoint("Paris"), to("Bern")] }), "UNSUPPORTED_ROUTE");
  });

  test("a fleet that has no rate for what fits is QUOTE_UNAVAILABLE", async () => {
    const { catalog } = defaultCatalog;
    const unpriced = { ...catalog, tariff: { ...catalog.tariff, rates: {} } };
    await refusalOf(pricing({ catalog: unpriced, router: aRouter() })(), "QUOTE_UNAVAILABLE");
  });

  test("stops for a caller that has disconnected", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await assert.rejects(pricing({ router: aRouter() })({}, undefined, gone), /gone/);
  });

  test("a similar address is offered to the traveler, not to be sent unasked", async () => {
    const candidates = ["Bahnhofstrasse 1, 8001 Zürich"];
    const places: PlaceFinder = {
      ...defaultCatalog.places,
      find: async () => ({ kind: "question", candidates, reason: "similar" }),
    };
    const refused = await refusalOf(pricing({ places, router: aRouter() })(), "INVALID_LOCATION");
    assert.match(refused.nextAction, /^Ask the traveler which place is meant/);
    assert.match(refused.fieldErrors[0]?.message ?? "", /^This place is not known; similar ones are: /);
    assert.deepEqual(refused.fieldErrors[0]?.candidates, candidates);
  });
});
