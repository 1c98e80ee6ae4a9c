import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { PublicError } from "../../src/contract/errors.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { anEngineRouter, never, SUMMER, WINTER } from "../support/engine-router.ts";
import { aFakeEngine } from "../support/fake-engine.ts";
import { osrmRefuses, speaksOsrm } from "../support/road-engine-wires.ts";

const open = (t: TestContext, url: string) => anEngineRouter(t, "osrm", { url });

const ZURICH: RouteStop = { name: "Zürich", roadNode: "zurich", lat: 47.3779, lng: 8.54031234 };
const HOTEL: RouteStop = { name: "Hotel", roadNode: null, lat: 47.0502, lng: 8.3093 };

suite("OSRM on the wire", () => {
  test("is sent longitude before latitude, five decimals, and a radius for each stop", async (t) => {
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

  test("is asked to exclude the class of seasonal roads, which a probe shows to be known", async (t) => {
    const engine = await aFakeEngine(t, speaksOsrm());
    const { roads } = loadCatalog(DEFAULT_CATALOG);
    const seasonal = { ...roads, osrmSeasonalClass: "winter" };
    const router = await anEngineRouter(t, "osrm", { url: engine.url }, seasonal);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), "winter");
    await router.measure([ZURICH, HOTEL], WINTER, never);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), "winter");
    // Over the Furka in summer, the route needs the class.
    const over = [
      { ...ZURICH, roadNode: "andermatt", lat: 46.636, lng: 8.594 },
      { ...HOTEL, roadNode: "ulrichen", lat: 46.506, lng: 8.309 },
    ];
    await router.measure(over, SUMMER, never);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), null);
    engine.behave(osrmRefuses("InvalidValue", "Exclude flag combination is not supported."));
    await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
  });

  test("names the stop of INVALID_LOCATION that has no road near", async (t) => {
    const engine = await aFakeEngine(t, osrmRefuses("NoSegment", "Could not find a matching segment for coordinate 1"));
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

  test("names all stops where OSRM does not name one", async (t) => {
    for (const message of ["Could not find a matching segment", "no segment for coordinate 7"]) {
      const engine = await aFakeEngine(t, osrmRefuses("NoSegment", message));
      const router = await open(t, engine.url);
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), {
        code: "INVALID_LOCATION",
        message: 'One of "Zürich", "Hotel" has no road near.',
      });
    }
  });

  test("rejects answers with code Ok and no route", async (t) => {
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

  test("every answer updates the data version, made fit for a header", async (t) => {
    const engine = await aFakeEngine(t, speaksOsrm());
    const router = await open(t, engine.url);
    assert.match(router.dataVersion, /^osrm-unversioned\+embedded-/);
    engine.behave(speaksOsrm({ dataVersion: `2026-11-30 <b>\n${"x".repeat(100)}` }));
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    assert.match(router.dataVersion, /^osrm-2026-11-30_b_x+\+embedded-[\w-]+$/);
    assert.ok(router.dataVersion.length < 100);
  });
});
