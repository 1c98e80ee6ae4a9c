import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createEngineClient } from "../../src/ops/engine-client.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openValhallaRouter } from "../../src/routing/engines/valhalla-router.ts";
import type { Router, RouteStop } from "../../src/routing/router.ts";
import { engineRouterContract } from "../ports/engine-router.contract.ts";
import { routerContract } from "../ports/router.contract.ts";
import { aFakeEngine, type Behaviour, json } from "../support/fake-engine.ts";
import { engineParts, SUMMER, speaksValhalla, valhallaRefuses } from "../support/fake-road-engines.ts";

async function open(t: TestContext, url: string): Promise<Router> {
  const client = createEngineClient({ name: "routing engine", baseUrl: url, log: silentLog });
  t.after(() => client.close());
  return openValhallaRouter(client, engineParts());
}

routerContract("valhalla, on a server of the tests", async (t) => {
  const engine = await aFakeEngine(t, speaksValhalla({ tiles: 1_764_500_000 }));
  return open(t, engine.url);
});

const { TRANSFER_ROUTER, TRANSFER_ROUTER_URL: realUrl } = process.env;
if (realUrl !== undefined && TRANSFER_ROUTER === "valhalla") {
  routerContract("valhalla, the real one", (t) => open(t, realUrl));
}

/** Every leg as told, whatever is asked. */
function speaks(legs: readonly { km: number; minutes: number }[], data?: number): Behaviour {
  const route = {
    trip: {
      units: "kilometers",
      legs: legs.map(({ km, minutes }) => ({ summary: { length: km, time: minutes * 60 } })),
    },
  };
  const status = { version: "3.5.1", tileset_last_modified: data };
  return (response, { url }) => json(url.pathname === "/status" ? status : route)(response, EMPTY_CALL);
}

const EMPTY_CALL = { method: "GET", url: new URL("http://engine.test"), headers: {}, body: "" };

engineRouterContract("VALHALLA", {
  speaks,
  refusesWithNoRoute: valhallaRefuses(442, "No path could be found for input"),
  refusesTheRequest: valhallaRefuses(125, "No costing method found"),
  open: openValhallaRouter,
});

const ZURICH: RouteStop = { name: "Zürich", roadNode: "zurich", lat: 47.3779, lng: 8.54031234 };
const HOTEL: RouteStop = { name: "Hotel", roadNode: null, lat: 47.0502, lng: 8.3093 };
const never = new AbortController().signal;

suite("Valhalla on the wire", () => {
  test("is sent named coordinates with a cutoff each, for a car, in kilometres", async (t) => {
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

  test("no edges near a location is INVALID_LOCATION; Valhalla does not say which", async (t) => {
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

  test("its other refusals are no fault of the caller", async (t) => {
    for (const code of [100, 106, 112, 150, 153, 199]) {
      const engine = await aFakeEngine(t, valhallaRefuses(code));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("miles and answers without legs are not believed", async (t) => {
    const leg = { summary: { length: 55, time: 2700 } };
    for (const trip of [{ units: "miles", legs: [leg] }, { units: "kilometers" }, { legs: [leg] }]) {
      const engine = await aFakeEngine(t, json({ trip }));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("its data are known by program and tiles", async (t) => {
    const engine = await aFakeEngine(t, speaksValhalla({ tiles: 1_764_500_000 }));
    assert.match((await open(t, engine.url)).dataVersion, /^valhalla-3\.5\.1-1764500000\+embedded-[\w-]+$/);
    engine.behave(speaksValhalla());
    assert.match((await open(t, engine.url)).dataVersion, /^valhalla-3\.5\.1\+embedded-[\w-]+$/);
  });
});
