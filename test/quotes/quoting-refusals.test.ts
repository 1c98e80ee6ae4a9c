import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { upstreamUnavailable } from "../../src/contract/errors.ts";
import type { PlaceFinder } from "../../src/places/place-finder.ts";
import { aRouter } from "../support/fake-router.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, via } from "../support/quoting-fixture.ts";

suite("rejected journeys", () => {
  const price = pricing();

  test("times come before places", async () => {
    const points = [aPoint("Nowhere at all"), to("Bern")];
    await refusalOf(price({ points, pickupAt: new Date("2026-11-30T00:00:00Z") }), "PAST_DATETIME");
    await refusalOf(price({ points, pickupAt: new Date("2026-12-01T12:00:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
  });

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
    assert.match(nextAction, /^Ask the traveler which place is meant/);
  });

  test("a stop whose coordinates contradict its name, or a long trip would be bought at a short trip's price", async () => {
    const trick = aPoint("Zermatt", { field: "waypoints.0.name", position: { lat: 47.45, lng: 8.56 } });
    const { fieldErrors } = await refusalOf(price({ points: via(trick) }), "INVALID_LOCATION");
    assert.deepEqual(
      fieldErrors.map(({ field }) => field),
      ["waypoints.0.name"],
    );
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
    assert.deepEqual(
      fieldErrors.map(({ field }) => field),
      ["origin", "waypoints.0.name"],
    );
    assert.equal(most, 3, "all are looked up together");
    await refusalOf(late({ points: [aPoint("Freiburg"), to("Bern")] }), "UPSTREAM_UNAVAILABLE");
    await refusalOf(late({ points: [aPoint("Paris"), to("Bern")] }), "UNSUPPORTED_ROUTE");
  });

  test("a geocoder that takes too long for all points together", async () => {
    const places: PlaceFinder = {
      ...defaultCatalog.places,
      deadlineMs: 50,
      find: (_text, signal) => pause(60_000, undefined, { signal }) as Promise<never>,
    };
    const price = pricing({ places });
    const { detail } = await refusalOf(price(), "UPSTREAM_UNAVAILABLE");
    assert.equal(detail, "The geocoder is too slow now.");
    const leaving = new AbortController();
    const call = price({}, leaving.signal);
    leaving.abort(new Error("gone"));
    await assert.rejects(call, (error) => error instanceof Error && error.name === "AbortError");
  });

  test("a fleet that has no rate for what fits is QUOTE_UNAVAILABLE", async () => {
    const { catalog } = defaultCatalog;
    const unpriced = { ...catalog, tariff: { ...catalog.tariff, rates: {} } };
    await refusalOf(pricing({ catalog: unpriced, router: aRouter() })(), "QUOTE_UNAVAILABLE");
  });

  test("stops for a caller that has disconnected", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await assert.rejects(pricing({ router: aRouter() })({}, gone), /gone/);
  });

  test("a similar address is offered to the traveler, not to be sent unasked", async () => {
    const candidates = ["Bahnhofstrasse 1, 8001 Zürich"];
    const places: PlaceFinder = {
      ...defaultCatalog.places,
      find: async () => ({ kind: "unclear", candidates, areSimilar: true }),
    };
    const refused = await refusalOf(pricing({ places, router: aRouter() })(), "INVALID_LOCATION");
    assert.match(refused.nextAction, /^Ask the traveler which place is meant/);
    assert.match(refused.fieldErrors[0]?.message ?? "", /^This address is not known; similar ones are: /);
    assert.deepEqual(refused.fieldErrors[0]?.candidates, candidates);
  });
});
