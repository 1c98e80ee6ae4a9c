import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { RouteStop } from "../../src/routing/router.ts";
import { anEngineRouter, never, SUMMER } from "../support/engine-router.ts";
import { aFakeEngine, json } from "../support/fake-engine.ts";
import { speaksValhalla, valhallaRefuses } from "../support/road-engine-wires.ts";

const open = (t: TestContext, url: string) => anEngineRouter(t, "valhalla", { url });

const ZURICH: RouteStop = { name: "Zürich", roadNode: "zurich", lat: 47.3779, lng: 8.54031234 };
const HOTEL: RouteStop = { name: "Hotel", roadNode: null, lat: 47.0502, lng: 8.3093 };

suite("Valhalla on the wire", () => {
  test("is sent named coordinates with a cutoff each, for a car, in kilometers", async (t) => {
    const engine = await aFakeEngine(t, speaksValhalla());
    const router = await open(t, engine.url);
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

  test("no edges near a location is INVALID_LOCATION; Valhalla does not name which", async (t) => {
    const engine = await aFakeEngine(t, valhallaRefuses(171, "No suitable edges near location"));
    const router = await open(t, engine.url);
    await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), {
      code: "INVALID_LOCATION",
      message: 'One of "Zürich", "Hotel" has no road near.',
    });
  });

  test("unconnected regions, no path and too long a path are ROUTE_UNAVAILABLE", async (t) => {
    for (const code of [170, 442, 154]) {
      const engine = await aFakeEngine(t, valhallaRefuses(code));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "ROUTE_UNAVAILABLE" });
    }
  });

  test("its other errors are UPSTREAM_UNAVAILABLE", async (t) => {
    for (const code of [100, 106, 112, 150, 153, 199]) {
      const engine = await aFakeEngine(t, valhallaRefuses(code));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("rejects miles and answers without legs", async (t) => {
    const leg = { summary: { length: 55, time: 2700 } };
    for (const trip of [{ units: "miles", legs: [leg] }, { units: "kilometers" }, { legs: [leg] }]) {
      const engine = await aFakeEngine(t, json({ trip }));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("its data version is that of program and tiles", async (t) => {
    const engine = await aFakeEngine(t, speaksValhalla({ tiles: 1_764_500_000 }));
    assert.match((await open(t, engine.url)).dataVersion, /^valhalla-3\.5\.1-1764500000\+embedded-[\w-]+$/);
    engine.behave(speaksValhalla());
    assert.match((await open(t, engine.url)).dataVersion, /^valhalla-3\.5\.1\+embedded-[\w-]+$/);
  });
});
