import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { aRouterOver, HOTEL, never, SUMMER, WINTER, ZURICH } from "../../support/engine-router.ts";
import { type Behavior, json } from "../../support/fake-engine.ts";
import { refusalOf } from "../../support/quoting-fixture.ts";
import { speaksValhalla, valhallaRefuses } from "../../support/wires/valhalla.ts";

const over = (t: TestContext, behavior: Behavior) => aRouterOver(t, "valhalla", behavior);

suite("Valhalla on the wire", () => {
  test("is sent named coordinates with a cutoff each, for a car, in kilometers", async (t) => {
    const { engine, router } = await over(t, speaksValhalla());
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
    const { engine, router } = await over(t, speaksValhalla());
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
      const { router } = await over(t, valhallaRefuses(code));
      const { detail } = await refusalOf(router.measure([ZURICH, HOTEL], SUMMER, never), refusal);
      if (code === 171) assert.equal(detail, 'There is no road near one of "Zürich", "Hotel".');
    });

  test("rejects miles and answers without legs", async (t) => {
    const leg = { summary: { length: 55, time: 2700 } };
    for (const trip of [{ units: "miles", legs: [leg] }, { units: "kilometers" }, { legs: [leg] }]) {
      const { router } = await over(t, json({ trip }));
      await assert.rejects(router.measure([ZURICH, HOTEL], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("its data version is that of program and tiles", async (t) => {
    const { router } = await over(t, speaksValhalla({ tiles: 1_764_500_000 }));
    assert.match(router.dataVersion, /^valhalla-3\.5\.1-1764500000\+embedded-[\w-]+$/);
    const withoutTiles = await over(t, speaksValhalla());
    assert.match(withoutTiles.router.dataVersion, /^valhalla-3\.5\.1\+embedded-[\w-]+$/);
  });
});
