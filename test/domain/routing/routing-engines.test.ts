import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type RoutingEngineName, routingEngines } from "../../../src/adapters/engines/routing-engines.ts";
import { engineDataVersionContract } from "../../ports/engine-answers.contract.ts";
import { engineRouterContract, measuredByEngineContract } from "../../ports/engine-router.contract.ts";
import { routerContract } from "../../ports/router.contract.ts";
import { anEngineRouter, aRouterOver, HOTEL, never, SUMMER, WINTER, ZURICH } from "../../support/engine-router.ts";
import { aFakeEngine, json } from "../../support/fake-engine.ts";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { osrmRefuses, speaksOsrm } from "../../support/wires/osrm.ts";
import { trueRoads } from "../../support/wires/road-engine-wire.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";
import { speaksValhalla, valhallaRefuses } from "../../support/wires/valhalla.ts";

const { TRANSFER_ROUTER = "osrm", TRANSFER_ROUTER_URL: realUrl } = process.env;

for (const name of Object.keys(routingEngines) as RoutingEngineName[]) {
  const wire = roadEngineWires[name];
  engineRouterContract(name, wire);
  routerContract(`${name}, a fake server`, async (t) => {
    const { url } = await aFakeEngine(t, wire.speaks(trueRoads, 1_764_500_000));
    return anEngineRouter(t, name, { url });
  });
  if (realUrl !== undefined && TRANSFER_ROUTER === name) {
    routerContract(`${name}, a real server`, (t) => anEngineRouter(t, name, { url: realUrl }));
  }
}

measuredByEngineContract("osrm", roadEngineWires.osrm);

// Engines without a version of their data are as good as others.
engineDataVersionContract("osrm", {
  ...roadEngineWires.osrm,
  hasDataVersion: false,
  speaks: (legs) => roadEngineWires.osrm.speaks(legs),
});

suite("OSRM on the wire", () => {
  test("is sent longitude before latitude, with five decimals", async (t) => {
    const { engine, router } = await aRouterOver(t, "osrm", speaksOsrm());
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    const { method, url } = engine.calls.at(-1) ?? assert.fail("no call");
    assert.equal(method, "GET");
    assert.equal(url.pathname, "/route/v1/driving/8.54031,47.37790;8.30930,47.05020");
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      overview: "false",
      alternatives: "false",
      steps: "false",
    });
  });

  test("is asked to exclude the class of seasonal roads, which a probe shows to be known", async (t) => {
    const engine = await aFakeEngine(t, speaksOsrm());
    const { roads } = defaultCatalog.catalog;
    const seasonal = { ...roads, osrmSeasonalClass: "winter" };
    const router = await anEngineRouter(t, "osrm", { url: engine.url }, seasonal);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), "winter");
    await router.measure([ZURICH, HOTEL], WINTER, never);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), "winter");
    // Over the Furka in summer, the route needs the class.
    const stops = [
      { ...ZURICH, roadNode: "andermatt", lat: 46.636, lng: 8.594 },
      { ...HOTEL, roadNode: "ulrichen", lat: 46.506, lng: 8.309 },
    ];
    await router.measure(stops, SUMMER, never);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), null);
    engine.behave(osrmRefuses("InvalidValue", "Exclude flag combination is not supported."));
    await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
  });

  test("names the stop of INVALID_LOCATION that is too far from the road where OSRM takes it", async (t) => {
    const { engine, router } = await aRouterOver(t, "osrm", speaksOsrm({ snapped: [2_000, 501] }));
    const destination = { ...HOTEL, field: "destination" };
    const call = router.measure([ZURICH, destination], SUMMER, never);
    const { detail, fieldErrors } = await refusalOf(call, "INVALID_LOCATION");
    assert.equal(detail, 'There is no road near "Hotel".');
    assert.deepEqual(fieldErrors, [{ field: "destination", message: "There is no road nearby." }]);
    engine.behave(speaksOsrm({ snapped: [2_001, 501] }));
    const both = await refusalOf(
      router.measure([{ ...ZURICH, field: "origin" }, destination], SUMMER, never),
      "INVALID_LOCATION",
    );
    assert.equal(both.detail, 'There is no road near "Zürich", "Hotel".');
    assert.deepEqual(
      both.fieldErrors?.map(({ field }) => field),
      ["origin", "destination"],
    );
    engine.behave(speaksOsrm({ snapped: [2_000, 500] }));
    assert.ok((await router.measure([ZURICH, destination], SUMMER, never)).distanceKm > 0);
  });

  test("names all stops where OSRM finds no road near one", async (t) => {
    const { router } = await aRouterOver(
      t,
      "osrm",
      osrmRefuses("NoSegment", "Could not find a matching segment for coordinate 1"),
    );
    await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), {
      code: "INVALID_LOCATION",
      message: 'There is no road near one of "Zürich", "Hotel".',
    });
  });

  test("rejects answers with code Ok and no route", async (t) => {
    const waypoints = [{ distance: 1 }, { distance: 1 }];
    const legs = [{ distance: 60_000, duration: 3000 }];
    const bodies = [
      { code: "Ok", waypoints, routes: [] },
      { code: "Ok", waypoints },
      { code: "Ok", waypoints, routes: [{ legs: [{ distance: "60000", duration: 3000 }] }] },
      { code: "Ok", waypoints, routes: [{ legs: [{ distance: -60_000, duration: 3000 }] }] },
      { code: "Ok", routes: [{ legs }] },
      { waypoints, routes: [{ legs }] },
    ];
    for (const body of bodies) {
      const { router } = await aRouterOver(t, "osrm", (response) => void response.end(JSON.stringify(body)));
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("every answer updates the data version, made fit for a header", async (t) => {
    const { engine, router } = await aRouterOver(t, "osrm", speaksOsrm());
    assert.match(router.dataVersion, /^osrm-unversioned\+embedded-/);
    engine.behave(speaksOsrm({ dataVersion: `2026-11-30 <b>\n${"x".repeat(100)}` }));
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    assert.match(router.dataVersion, /^osrm-2026-11-30_b_x+\+embedded-[\w-]+$/);
    assert.ok(router.dataVersion.length < 100);
  });
});

suite("Valhalla on the wire", () => {
  test("is sent named coordinates with a cutoff each, for a car, in kilometers", async (t) => {
    const { engine, router } = await aRouterOver(t, "valhalla", speaksValhalla());
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    const { method, url, body } = engine.calls.at(-1) ?? assert.fail("no call");
    assert.equal(`${method} ${url.pathname}`, "POST /route");
    assert.deepEqual(JSON.parse(body), {
      locations: [
        { lat: 47.3779, lon: 8.54031, search_cutoff: 2000 },
        { lat: 47.0502, lon: 8.3093, search_cutoff: 500 },
      ],
      costing: "auto",
      costing_options: { auto: { use_ferry: 0 } },
      units: "kilometers",
      directions_type: "none",
    });
  });

  test("in winter is asked to exclude closed roads by a position on each, and to take a train where the catalog does", async (t) => {
    const { engine, router } = await aRouterOver(t, "valhalla", speaksValhalla());
    const { doubts } = await router.measure([ZURICH, HOTEL], WINTER, never);
    assert.deepEqual(doubts, []);
    const { exclude_locations: excluded, costing_options: options } = JSON.parse(engine.calls.at(-1)?.body ?? "");
    assert.ok(excluded.length > 20 && excluded.length <= 50, String(excluded.length));
    const furka = { lat: 46.5726, lon: 8.4151, search_cutoff: 1000, search_filter: { min_road_class: "unclassified" } };
    assert.deepEqual(
      excluded.filter(({ lat }: { lat: number }) => lat === furka.lat),
      [furka],
    );
    assert.deepEqual(options, { auto: { use_ferry: 0, use_rail_ferry: 0 } });
    const bern = { ...ZURICH, roadNode: "bern", lat: 46.948, lng: 7.443 };
    const visp = { ...HOTEL, roadNode: "visp", lat: 46.294, lng: 7.882 };
    await router.measure([bern, visp], WINTER, never);
    assert.equal(JSON.parse(engine.calls.at(-1)?.body ?? "").costing_options.auto.use_rail_ferry, 1);
  });

  for (const [what, code, refusal] of [
    ["no edges near a location, of which it does not name which", 171, "INVALID_LOCATION"],
    ["unconnected regions", 170, "ROUTE_UNAVAILABLE"],
    ["no path", 442, "ROUTE_UNAVAILABLE"],
    ["too long a path", 154, "ROUTE_UNAVAILABLE"],
  ] as const)
    test(`${what}: ${refusal}`, async (t) => {
      const { router } = await aRouterOver(t, "valhalla", valhallaRefuses(code));
      const { detail } = await refusalOf(router.measure([ZURICH, HOTEL], SUMMER, never), refusal);
      if (code === 171) assert.equal(detail, 'There is no road near one of "Zürich", "Hotel".');
    });

  test("rejects miles and answers without legs", async (t) => {
    const leg = { summary: { length: 55, time: 2700 } };
    for (const trip of [{ units: "miles", legs: [leg] }, { units: "kilometers" }, { legs: [leg] }]) {
      const { router } = await aRouterOver(t, "valhalla", json({ trip }));
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("its data version is that of program and tiles", async (t) => {
    const { router } = await aRouterOver(t, "valhalla", speaksValhalla({ tiles: 1_764_500_000 }));
    assert.match(router.dataVersion, /^valhalla-3\.5\.1-1764500000\+embedded-[\w-]+$/);
    const withoutTiles = await aRouterOver(t, "valhalla", speaksValhalla());
    assert.match(withoutTiles.router.dataVersion, /^valhalla-3\.5\.1\+embedded-[\w-]+$/);
  });
});
