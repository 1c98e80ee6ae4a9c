import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { createEngineClient } from "../../src/ops/engine-client.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openOsrmRouter } from "../../src/routing/engines/osrm-router.ts";
import type { Router, RouteStop } from "../../src/routing/router.ts";
import { engineRouterContract } from "../ports/engine-router.contract.ts";
import { routerContract } from "../ports/router.contract.ts";
import { aFakeEngine, type Behaviour } from "../support/fake-engine.ts";
import { engineParts, osrmRefuses, SUMMER, speaksOsrm } from "../support/fake-road-engines.ts";

async function open(t: TestContext, url: string): Promise<Router> {
  const client = createEngineClient({ name: "routing engine", baseUrl: url, log: silentLog });
  t.after(() => client.close());
  return openOsrmRouter(client, engineParts());
}

routerContract("osrm, on a server of the tests", async (t) => {
  const engine = await aFakeEngine(t, speaksOsrm({ dataVersion: "2026-11-30T20:00:00Z" }));
  return open(t, engine.url);
});

const { TRANSFER_ROUTER = "osrm", TRANSFER_ROUTER_URL: realUrl } = process.env;
if (realUrl !== undefined && TRANSFER_ROUTER === "osrm") {
  routerContract("osrm, the real one", (t) => open(t, realUrl));
}

/** Every leg as told, whatever is asked. */
function speaks(legs: readonly { km: number; minutes: number }[], data?: number): Behaviour {
  const body = {
    code: "Ok",
    ...(data !== undefined && { data_version: String(data) }),
    routes: [{ legs: legs.map(({ km, minutes }) => ({ distance: km * 1000, duration: minutes * 60 })) }],
  };
  return (response) => void response.end(JSON.stringify(body));
}

engineRouterContract("OSRM", {
  speaks,
  refusesWithNoRoute: osrmRefuses("NoRoute", "Impossible route between points"),
  refusesTheRequest: osrmRefuses("InvalidQuery", "Query string malformed close to position 17"),
  open: openOsrmRouter,
});

const ZURICH: RouteStop = { name: "Zürich", roadNode: "zurich", lat: 47.3779, lng: 8.54031234 };
const HOTEL: RouteStop = { name: "Hotel", roadNode: null, lat: 47.0502, lng: 8.3093 };
const never = new AbortController().signal;

suite("OSRM on the wire", () => {
  test("takes longitude before latitude, five decimals, and a radius for each stop", async (t) => {
    const engine = await aFakeEngine(t, speaksOsrm());
    const router = await open(t, engine.url);
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    const { method, url } = engine.calls.at(-1) ?? assert.fail("no call");
    assert.equal(method, "GET");
    assert.equal(url.pathname, "/route/v1/driving/8.54031,47.37790;8.30930,47.05020");
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      overview: "false",
      alternatives: "false",
      steps: "false",
      radiuses: "2000;500",
    });
  });

  test("a stop without a road near is INVALID_LOCATION and named", async (t) => {
    const engine = await aFakeEngine(
      t,
      osrmRefuses("NoSegment", "Could not find a matching segment for coordinate 1"),
    );
    const router = await open(t, engine.url);
    const destination = { ...HOTEL, field: "destination" };
    const fieldErrors = [{ field: "destination", message: "There is no road near." }];
    await assert.rejects(router.measure([ZURICH, destination], SUMMER, never), (error) => {
      assert.ok(error instanceof PublicError);
      const { code, message, options } = error;
      assert.deepEqual([code, message], ["INVALID_LOCATION", '"Hotel" has no road near.']);
      assert.deepEqual(options.fieldErrors, fieldErrors);
      return true;
    });
  });

  test("where OSRM does not say which, all are named", async (t) => {
    for (const message of ["Could not find a matching segment", "no segment for coordinate 7"]) {
      const engine = await aFakeEngine(t, osrmRefuses("NoSegment", message));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), {
        code: "INVALID_LOCATION",
        message: 'One of "Zürich", "Hotel" has no road near.',
      });
    }
  });

  test("its other refusals are no fault of the caller", async (t) => {
    for (const code of [
      "InvalidUrl",
      "InvalidService",
      "InvalidVersion",
      "InvalidOptions",
      "InvalidValue",
      "TooBig",
    ]) {
      const engine = await aFakeEngine(t, osrmRefuses(code));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("answers that say Ok and hold no route are not believed", async (t) => {
    const bodies = [
      { code: "Ok", routes: [] },
      { code: "Ok" },
      { code: "Ok", routes: [{ legs: [{ distance: "60000", duration: 3000 }] }] },
      { code: "Ok", routes: [{ legs: [{ distance: -60_000, duration: 3000 }] }] },
      { routes: [{ legs: [{ distance: 60_000, duration: 3000 }] }] },
    ];
    for (const body of bodies) {
      const engine = await aFakeEngine(t, (response) => void response.end(JSON.stringify(body)));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("the version of its data is followed with every answer, made fit for a header", async (t) => {
    const engine = await aFakeEngine(t, speaksOsrm());
    const router = await open(t, engine.url);
    assert.match(router.dataVersion, /^osrm-unversioned\+embedded-/);
    engine.behave(speaksOsrm({ dataVersion: `2026-11-30 <b>\n${"x".repeat(100)}` }));
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    assert.match(router.dataVersion, /^osrm-2026-11-30_b_x+\+embedded-[\w-]+$/);
    assert.ok(router.dataVersion.length < 100);
  });
});
