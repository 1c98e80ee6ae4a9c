import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { upstreamUnavailable } from "../../../src/contract/errors.ts";
import type { PlaceFinder } from "../../../src/domain/places/place-finder.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog, pricing, refusalOf, totalOf } from "../../support/quoting-fixture.ts";
import { instantOf, journeyOf, quotes, type Setup, told } from "../../support/told.ts";

const AT_ONCE: Setup = { measured: {} };

suite("a priced journey", () => {
  test("is measured on the embedded roads and priced for every class that fits", async () => {
    const priced = await quotes()("at 14:00");
    const { authority, automaticallyPayable, basis, measuredAt, distanceKm } = priced.route;
    assert.ok(distanceKm > 115 && distanceKm < 135, `${distanceKm} km`);
    assert.deepEqual([authority, automaticallyPayable, basis], ["SERVER_VERIFIED", true, "EMBEDDED_ROAD_NETWORK"]);
    assert.equal(measuredAt, "2026-12-01T09:00:00.000Z");
    assert.equal(totalOf(priced), Math.round((2_000 + Math.round(distanceKm * 10) * 28) / 5) * 5);
    assert.deepEqual([priced.currency, priced.requiresManualConfirmation], ["CHF", false]);
    const fleet = priced.options.map(({ fleetId, vehicleClass }) => `${fleetId} ${vehicleClass}`);
    assert.deepEqual(fleet, ["1 sedan", "2 estate", "3 first_class", "4 van", "5 first_class_van"]);
    const [minibus] = (await quotes()("people 8")).options;
    assert.deepEqual([minibus?.vehicleClass, minibus?.fleetId], ["minibus", 6], "also where smaller ones do not fit");
  });

  test("names the data that it was measured on, those of both directions where they changed in between", async () => {
    let version = 7;
    const price = quotes({ measured: async () => aMeasuredRoute({ dataVersion: `data-${version++}` }) });
    const [first, both] = [await price("at 14:00"), await price("at 14:00; back 20:00")];
    assert.deepEqual([first.route.contractVersion, both.route.contractVersion], ["1/data-7", "1/data-8&data-9"]);
    const { fingerprint } = (await price("at 14:00")).route;
    assert.notEqual(fingerprint, first.route.fingerprint);
  });

  test("has one fingerprint however its places are written, and another for other dwell, order or data", async () => {
    const of = async (way: string, setup?: Setup) => (await quotes(setup)(way)).route.fingerprint;
    const usual = await of("Zurich Airport > Olten > Bern");
    assert.equal(await of("ZRH > olten > Berne"), usual);
    for (const other of ["Zurich Airport > Olten 0' > Bern", "Zurich Airport > Burgdorf > Bern"])
      assert.notEqual(await of(other), usual, other);
    const there = await of("Zurich Airport > Olten > Burgdorf > Bern");
    assert.notEqual(there, await of("Zurich Airport > Burgdorf > Olten > Bern"));
    assert.notEqual(await of("Zurich Airport > Olten > Bern", AT_ONCE), usual);
  });
});

suite("waiting", () => {
  told(
    "at an airport is free for an hour and elsewhere for a quarter, and then charged by started quarters",
    AT_ONCE,
    `Zurich Airport > Bern; wait 60       -> costs 30000
     Zurich Airport > Bern; wait 61       -> costs 30000 + 1 × 1500 = 31500
     Zurich Airport > Bern; wait 75       -> costs 30000 + 1 × 1500 = 31500
     Zurich Airport > Bern; wait 76       -> costs 30000 + 2 × 1500 = 33000
     Lucerne > Zurich Airport; wait 15    -> costs 30000
     Lucerne > Zurich Airport; wait 16    -> costs 30000 + 1 × 1500 = 31500
     Lucerne > Zurich Airport; at 06:00; wait 1065 -> costs 30000 + 70 × 1500 = 135000`,
  );
  told(
    "at each stop has a free part of its own by what it is",
    AT_ONCE,
    `Zurich Airport > Olten 15' > Burgdorf 15' > Bern -> costs 30000
     Zurich Airport > Olten 16' > Burgdorf 31' > Bern -> costs 30000 + (1 + 2) × 1500 = 34500
     Zurich Airport > Olten 0' > Burgdorf > Bern      -> costs 30000
     Lucerne > ZRH 60' > Bern                         -> costs 30000`,
  );
  told(
    "in one place has one free part, the larger one, however often and in whatever words it is stated",
    AT_ONCE,
    `Zurich Airport > ZRH 500' > Bern                          -> costs 30000 + 30 × 1500 = 75000
     Zurich Airport > ${"ZRH 50' > ".repeat(10)}Bern           -> costs 30000 + 30 × 1500 = 75000
     Zurich Airport > ZRH 60' > Bern; wait 60                  -> costs 30000 + 4 × 1500 = 36000
     Zurich Airport > Olten 15' > Olten > Olten 15' > Bern     -> costs 30000 + 1500 = 31500
     Zurich Airport > Olten 15' > Burgdorf > Olten 15' > Bern  -> costs 30000 + 1500 = 31500
     Zurich Airport > Bern 15' > Bern 15' > Bern               -> costs 30000 + 1500 = 31500
     Zurich Airport > Zermatt 15' > Täsch 15' > Bern           -> costs 30000 + 1500 = 31500
     Zurich Airport > A corner @ 47.3, 7.95 15' > A corner @ 47.3015, 7.95 15' > Bern -> costs 30000 + 1500 = 31500
     Zurich Airport > A corner @ 47.3, 7.95 15' > A corner @ 47.302, 7.95 15' > Bern  -> costs 30000
     Lucerne > ZRH 30' > Arrivals @ 47.4505, 8.5625 30' > Bern -> costs 30000
     Lucerne > Arrivals @ 47.4505, 8.5625 30' > ZRH 31' > Bern -> costs 30000 + 1500 = 31500`,
  );
  told(
    "at stops is said with its free minutes",
    {},
    `Zurich Airport > Olten 45' > Basel EuroAirport 80' > Bern
      -> says As requested, the driver waits at Olten, 45 min in all: the first 15 min at each place are free
      -> says As requested, the driver waits at EuroAirport Basel Mulhouse Freiburg, 1 h 20 min in all: the first 60 min at each place are free`,
  );
});

told(
  "the return journey has its own tolls and surcharges, and neither the stops nor the waiting of the outbound one",
  { measured: { feesRappen: 1_000 } },
  `at 14:00; back 20:00                    -> costs 60000 - 60000 / 20 + 2 × 1000 = 59000
   at 14:00; back 2026-12-09 20:00         -> costs 60000 + 2 × 1000 = 62000
   at 14:00; back 2026-12-09 20:00; wait 75 -> costs 60000 + 2 × 1000 + 1500 = 63500
   Zurich Airport > Olten 30' > Bern; at 14:00; wait 30; back 16:00:01 -> says It is a separate journey
   Zurich Airport > Olten 30' > Bern; at 14:00; wait 30; back 16:00    -> refuses RETURN_TIME_INVALID
    -> says takes 1 h 30 min.`,
);

suite("rejected journeys", () => {
  const price = pricing();

  test("name every unclear place, with candidates", async () => {
    const unclear = journeyOf("Freiburg > Zermat > Xyzzy > Bern");
    const { detail, fieldErrors } = await refusalOf(price(unclear), "INVALID_LOCATION");
    const names = ["Freiburg im Breisgau", "Fribourg"];
    const message = `Several places have this name: "${names.join('", "')}".`;
    assert.deepEqual(fieldErrors, [
      { field: "origin", message, candidates: names },
      { field: "waypoints.0.name", message: 'Did you mean "Zermatt"?', candidates: ["Zermatt"] },
      { field: "waypoints.1.name", message: "No place of this name is known." },
    ]);
    assert.ok(detail.startsWith("origin: "));
  });

  told(
    "say what to send instead",
    {},
    `Freiburg > Bern -> refuses INVALID_LOCATION
      -> says Ask the traveler which place is meant, … if it is none of them, ask for its town
     Xqzw > Bern -> refuses INVALID_LOCATION
      -> says Send "name, town", "street, town", a larger town nearby, …"47.58, 12.17".
     Xqzw > Bern > Zermat -> refuses INVALID_LOCATION
      -> says origin: If this is a region, …"47.58, 12.17". destination: Send the candidate unchanged, e.g. "Zermatt".
     Zermat > Bern > Zermat -> refuses INVALID_LOCATION
      -> says Send the candidate unchanged, e.g. "Zermatt".
     Kantonsspital > Bern -> refuses INVALID_LOCATION
      -> says origin: Several places have this name: send it with its town.
     ${"please ".repeat(32)}Zermatt > Bern -> refuses INVALID_LOCATION
      -> says origin: This text is too long: send the name of the place and its town.
      -> says Send "name, town"`,
  );

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
    const late = quotes({ places: slow });
    const { fieldErrors } = await refusalOf(late("Freiburg > Zermat > Thun"), "INVALID_LOCATION");
    assert.equal(fieldErrors.map(({ field }) => field).join(), "origin,waypoints.0.name");
    assert.equal(most, 3, "all are looked up together");
    await refusalOf(late("Freiburg > Bern"), "UPSTREAM_UNAVAILABLE");
    await refusalOf(late("Paris > Bern"), "UNSUPPORTED_ROUTE");
  });

  test("a fleet that has no rate for what fits is QUOTE_UNAVAILABLE", async () => {
    const tariff = { ...defaultCatalog.catalog.tariff, rates: {} };
    await refusalOf(quotes({ ...AT_ONCE, rules: { tariff } })("people 2"), "QUOTE_UNAVAILABLE");
  });

  test("stop for a caller that has disconnected", async () => {
    await assert.rejects(price({}, undefined, AbortSignal.abort(new Error("gone"))), /gone/);
  });

  test("a similar address is offered to the traveler, not to be sent unasked", async () => {
    const candidates = ["Bahnhofstrasse 1, 8001 Zürich"];
    const find: PlaceFinder["find"] = async () => ({ kind: "question", candidates, reason: "similar" });
    const similar = quotes({ ...AT_ONCE, places: { ...defaultCatalog.places, find } });
    const { nextAction, fieldErrors } = await refusalOf(similar("people 2"), "INVALID_LOCATION");
    assert.match(nextAction, /^Ask the traveler which place is meant/);
    assert.match(fieldErrors[0]?.message ?? "", /^This place is not known; similar ones are: /);
    assert.deepEqual(fieldErrors[0]?.candidates, candidates);
  });
});

told(
  "the free waiting of a return is that of its own pickup",
  { measured: {} },
  `Zurich Airport > Bern; back 2026-12-10 12:00
    -> says free for 60 min at the outbound pickup and for 15 min at the return pickup`,
);

suite("the dearest time from the pickup to the departure decides", () => {
  const price = quotes();
  for (const [way, departure] of [
    ["Zurich Airport > Davos", "2027-01-18 00:59"],
    ["Zurich Airport > Zermatt", "2027-01-18 00:59"],
    ["Geneva Airport > Verbier", "2026-12-25 00:59"],
    ["Zurich Airport > Davos; back 2027-01-20 13:00", "2027-01-18 00:55"],
  ] as const)
    test(`free waiting moves no departure out of night, holiday or season: ${way}`, async () => {
      const leaving = async (waitingMinutes: number) => {
        const pickupAt = new Date(+instantOf(departure) - waitingMinutes * 60_000);
        return totalOf(await price(way, { pickupAt, waitingMinutes })) ?? assert.fail(way);
      };
      assert.ok((await leaving(60)) >= (await leaving(0)));
    });

  test("so it does where the pickup follows from the arrival", async () => {
    const arriving = async (wait: number) =>
      totalOf(await price(`Zurich Airport > Davos; by 2027-01-18 03:10; wait ${wait}`)) ?? Number.NaN;
    assert.ok((await arriving(60)) >= (await arriving(0)));
  });

  told(
    "a season of an hour between pickup and departure counts",
    { measured: {}, rules: { seasons: [{ id: "rush", label: "Rush", percent: 50, hours: { from: 17, to: 18 } }] } },
    `at 16:30; wait 29  -> costs 30000
     at 16:30; wait 45  -> costs 30000 + 15000 = 45000
     at 16:30; wait 120 -> costs 30000 + 15000 + 4 × 1500 = 51000`,
  );
});
