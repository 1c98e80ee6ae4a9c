import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { anEngineRouter, aRouterOver, HOTEL, never, SUMMER, WINTER, ZURICH } from "../../support/engine-router.ts";
import { aFakeEngine, type Behavior } from "../../support/fake-engine.ts";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { osrmRefuses, speaksOsrm } from "../../support/wires/osrm.ts";

const over = (t: TestContext, behavior: Behavior) => aRouterOver(t, "osrm", behavior);

suite("OSRM on the wire", () => {
  test("is sent longitude before latitude, with five decimals", async (t) => {
    const { engine, router } = await over(t, speaksOsrm());
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
    const over = [
      { ...ZURICH, roadNode: "andermatt", lat: 46.636, lng: 8.594 },
      { ...HOTEL, roadNode: "ulrichen", lat: 46.506, lng: 8.309 },
    ];
    await router.measure(over, SUMMER, never);
    assert.equal(engine.calls.at(-1)?.url.searchParams.get("exclude"), null);
    engine.behave(osrmRefuses("InvalidValue", "Exclude flag combination is not supported."));
    await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
  });

  test("names the stop of INVALID_LOCATION that is too far from the road where OSRM takes it", async (t) => {
    const { engine, router } = await over(t, speaksOsrm({ snapped: [2_000, 501] }));
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
    const { router } = await over(t, osrmRefuses("NoSegment", "Could not find a matching segment for coordinate 1"));
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
      const { router } = await over(t, (response) => void response.end(JSON.stringify(body)));
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("every answer updates the data version, made fit for a header", async (t) => {
    const { engine, router } = await over(t, speaksOsrm());
    assert.match(router.dataVersion, /^osrm-unversioned\+embedded-/);
    engine.behave(speaksOsrm({ dataVersion: `2026-11-30 <b>\n${"x".repeat(100)}` }));
    await router.measure([ZURICH, HOTEL], SUMMER, never);
    assert.match(router.dataVersion, /^osrm-2026-11-30_b_x+\+embedded-[\w-]+$/);
    assert.ok(router.dataVersion.length < 100);
  });
});
