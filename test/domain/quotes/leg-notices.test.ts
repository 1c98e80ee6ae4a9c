import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { withFreeWaiting } from "../../../src/domain/quotes/journey-legs.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aPoint, aStop, defaultCatalog, pricing, to, via } from "../../support/quoting-fixture.ts";

/** An hour from each place to the next. */
const price = pricing({ router: aRouter({ durationMinutes: 120, stageMinutes: [60, 60] }) });
const hire = pricing({ router: aRouter() });

test("a time on the day of the pickup stands alone, and on another day with that day", async () => {
  for (const [pickupAt, sentence] of [
    ["2026-12-08T20:30:00+01:00", "The car stops at Olten from 21:30 to 22:15."],
    ["2026-12-08T22:30:00+01:00", "The car stops at Olten from 23:30 to 9 December 2026, 00:15."],
    ["2026-12-08T23:30:00+01:00", "The car stops at Olten from 9 December 2026, 00:30 to 9 December 2026, 01:15."],
  ] as const) {
    const { limitations } = await price({ points: via(aStop("Olten", 45)), pickupAt: new Date(pickupAt) });
    assert.ok(limitations.includes(sentence), `${sentence}\n${limitations.join("\n")}`);
  }
});

test("a hire with extra kilometers says how many of them a further hour would replace, also where it costs more", async () => {
  const price = pricing({ router: aRouter({ distanceKm: 200, durationMinutes: 150 }) });
  const { limitations } = await price({ hireHours: 4, pickupAt: new Date("2026-12-08T09:00:00+01:00") });
  const extra = limitations.filter((text) => text.includes("extra km"));
  assert.equal(extra.length, 1);
  assert.match(extra[0] ?? "", /^The price contains \d+ extra km.*\. A further hour would replace up to 25 of them\.$/);
});

test("a hire that ends on another day names it", async () => {
  const { limitations } = await hire({ hireHours: 4, pickupAt: new Date("2026-12-08T21:00:00+01:00") });
  const end = "The hire ends at Bern at 9 December 2026, 01:00: the car does not bring the traveler back to ";
  assert.ok(
    limitations.some((text) => text.startsWith(end)),
    limitations.join("\n"),
  );
});

test("the connection to or from a car-free place at night may not run", async () => {
  const roads = pricing();
  const nightly = async (from: string, destination: string, pickupAt: string) => {
    const points = [aPoint(from), to(destination)];
    const { limitations } = await roads({ points, pickupAt: new Date(pickupAt) });
    return limitations.filter((text) => text.includes("may not run"));
  };
  const [late = "", ...others] = await nightly("Zurich Airport", "Zermatt", "2026-12-08T22:30:00+01:00");
  assert.match(
    late,
    /^The car is at Täsch \(9 December 2026, 0[1-3]:\d\d\): at night the connection with Zermatt may not /,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(await nightly("Zermatt", "Zurich Airport", "2026-12-08T04:45:00+01:00"), [
    "The car is at Täsch (04:45): at night the connection with Zermatt may not run. Check beforehand.",
  ]);
  assert.deepEqual(await nightly("Zurich Airport", "Zermatt", "2026-12-08T14:00:00+01:00"), []);
  assert.deepEqual(
    await nightly("Wengen", "Zurich Airport", "2026-12-08T06:30:00+01:00"),
    ["The car is at Lauterbrunnen (06:30): at night the connection with Wengen may not run. Check beforehand."],
    "the traveler leaves before 06:00",
  );
  const [afterWaiting = ""] = await nightly("Zurich Airport", "Wengen", "2026-12-08T20:40:00+01:00");
  assert.match(
    afterWaiting,
    /^The car is at Lauterbrunnen[^:]* \(22:3\d\): at night/,
    "23:3x after an hour of free waiting",
  );
  assert.deepEqual(await nightly("Zurich", "Wengen", "2026-12-08T20:00:00+01:00"), []);
  assert.deepEqual(await nightly("Zurich Airport", "Bern", "2026-12-08T23:30:00+01:00"), []);
});

test("by when to leave a car-free place is said with a whole interval of its connection, and not where none is known", async () => {
  const leaving = async (from: string) => {
    const points = [aPoint(from), to("Zurich Airport")];
    const { limitations } = await pricing()({ points, pickupAt: new Date("2026-12-08T16:00:00+01:00") });
    return limitations.filter((text) => text.startsWith("Leave "));
  };
  assert.deepEqual(await leaving("Mürren"), ["Leave Mürren by 15:15 to be at Stechelberg at 16:00."]);
  assert.deepEqual(await leaving("Saas-Fee"), []);
});

test("times after a landing count from the pickup, as long as no waiting was requested", async () => {
  const saidOf = async (from: string, journey: Parameters<typeof hire>[0] = {}) => {
    const { limitations } = await hire({ points: [aPoint(from), to("Bern")], ...journey });
    return limitations.some((text) => text.includes("Times exclude it and baggage claim."));
  };
  assert.equal(await saidOf("Zurich Airport"), true);
  assert.equal(await saidOf("Zurich Airport", { waitingMinutes: 60 }), false);
  assert.equal(await saidOf("Zurich Airport", { hireHours: 4 }), false);
  assert.equal(await saidOf("Zurich"), false);
  const returnAt = new Date("2027-01-20T18:00:00+01:00");
  assert.equal(
    await saidOf("Bern", { points: [aPoint("Bern"), to("Zurich Airport")], returnAt }),
    true,
    "on the return",
  );
});

test("a flight number without an airport at either end changes nothing, and that is said", async () => {
  const saidOf = async (from: string, destination: string) => {
    const { limitations } = await hire({ points: [aPoint(from), to(destination)], flightNumber: "LX 39" });
    return limitations.filter((text) => text.startsWith("A flight number"));
  };
  assert.deepEqual(await saidOf("Zurich", "Bern"), [
    "A flight number was sent, but Zürich is not an airport: the pickup does not depend on the flight.",
  ]);
  assert.deepEqual(await saidOf("Zurich Airport", "Bern"), []);
  assert.deepEqual(await saidOf("Bern", "Zurich Airport"), []);
});

suite("free waiting is what was charged", () => {
  const LANDED = "2026-12-08T13:00:00.000Z";
  const { catalog } = defaultCatalog;
  /** From Geneva Airport to Annecy, for which most classes have a fixed fare with free minutes of its own. */
  const toAnnecy = async (freeWaitingMinutes: number, rest: Parameters<typeof hire>[0] = {}) => {
    const fares = catalog.fares.map((fare) => ({ ...fare, freeWaitingMinutes }));
    const price = pricing({ ...defaultCatalog, catalog: { ...catalog, fares } });
    const points = [aPoint("Geneva Airport"), to("Annecy")];
    const { legs, limitations, options } = await price({ points, pickupAt: new Date(LANDED), ...rest });
    const freeOf = (chosen: typeof options) =>
      withFreeWaiting(legs, chosen)
        .filter(({ action }) => action === "pickup")
        .map(({ freeUntil }) => freeUntil);
    const ofClass = (id: string) => freeOf(options.filter(({ vehicleClass }) => vehicleClass === id));
    return { legs, limitations, ofClass };
  };

  test("a fixed fare without free waiting does not leave times without free waiting", async () => {
    const { limitations, ofClass } = await toAnnecy(0);
    assert.deepEqual([ofClass("sedan"), ofClass("first_class")], [[LANDED], ["2026-12-08T14:00:00.000Z"]]);
    assert.ok(
      limitations.some((text) => text.includes("exclude it and baggage claim (First-class sedan, First-class van).")),
      limitations.join("\n"),
    );
    assert.ok(!limitations.some((text) => text.includes("free waiting starts")));
  });

  test("a leg says the earliest end of the free waiting, from the landing", async () => {
    const { legs, ofClass } = await toAnnecy(90);
    assert.deepEqual(
      [ofClass("sedan"), ofClass("first_class")],
      [["2026-12-08T14:30:00.000Z"], ["2026-12-08T14:00:00.000Z"]],
    );
    const [pickup] = legs;
    assert.deepEqual([pickup?.landing, pickup?.freeUntil], [true, "2026-12-08T14:00:00.000Z"]);
  });

  test("requested waiting does not move the end of the free waiting, and a hire has none", async () => {
    const waiting = await toAnnecy(90, { waitingMinutes: 45 });
    assert.deepEqual(waiting.ofClass("sedan"), ["2026-12-08T14:30:00.000Z"]);
    const hired = await toAnnecy(90, { hireHours: 3 });
    assert.deepEqual([hired.ofClass("sedan"), hired.legs.some(({ landing }) => landing)], [[null], false]);
  });

  test("each pickup of a return has its own", async () => {
    const { legs } = await toAnnecy(90, { returnAt: new Date("2026-12-12T13:00:00Z") });
    const pickups = legs.filter(({ action }) => action === "pickup");
    assert.deepEqual(
      pickups.map(({ landing, freeUntil }) => [landing, freeUntil]),
      [
        [true, "2026-12-08T14:00:00.000Z"],
        [false, "2026-12-12T13:15:00.000Z"],
      ],
    );
  });

  test("the fixed fare's free minutes decide whether a connection may be missed", async () => {
    const fare = { id: "to-wengen", label: "Wengen", routes: [{ from: "zurich-airport", to: "wengen" }] };
    const rappen = Object.fromEntries(catalog.vehicleClasses.map(({ id }) => [id, 50_000]));
    const saidWith = async (freeWaitingMinutes: number) => {
      const own = { ...catalog, fares: [{ ...fare, rappen, includes: [], freeWaitingMinutes }] };
      const { limitations } = await pricing({ ...defaultCatalog, catalog: own })({
        points: [aPoint("Zurich Airport"), to("Wengen")],
        pickupAt: new Date("2026-12-08T20:40:00+01:00"),
      });
      return limitations.some((text) => text.includes("may not run"));
    };
    assert.deepEqual([await saidWith(0), await saidWith(60)], [false, true]);
  });
});
