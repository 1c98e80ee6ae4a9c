import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { RoutingEngineName } from "../../src/adapters/engines/routing-engines.ts";
import type { RouteStop } from "../../src/domain/routing/router.ts";
import { anEngineRouter, EAST, leg, never, SUMMER, setUpOver, WEST } from "../support/engine-router.ts";
import { aFakeEngine, answers500, answersElse, type Behavior, neverAnswers } from "../support/fake-engine.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";
import type { RoadEngineWire, WireLeg } from "../support/wires/road-engine-wire.ts";

/** How routers over foreign engines fail. */
export function engineFaultsContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: faults`, () => {
    test("no route between the stops is ROUTE_UNAVAILABLE and names them", async (t) => {
      const { engine, measure, asked } = await setUp(t, []);
      engine.behave(wire.refusesWithNoRoute);
      await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE", message: /west to east/ });
      assert.equal(asked(), 1);
    });

    test("a request that the engine rejects is UPSTREAM_UNAVAILABLE, as the caller cannot correct it", async (t) => {
      const { engine, measure } = await setUp(t, []);
      engine.behave(wire.refusesTheRequest);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
    });

    for (const [what, fault] of Object.entries({ "status 500": answers500, "JSON of another service": answersElse })) {
      test(`${what}: UPSTREAM_UNAVAILABLE until the engine recovers`, async (t) => {
        const { engine, router, measure } = await setUp(t, [leg(40, 35)]);
        engine.behave(fault);
        await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
        await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
        engine.behave(wire.speaks([leg(40, 35)]));
        await router.ping();
        assert.equal((await measure([WEST, EAST])).distanceKm, 40);
      });
    }

    test("the whole measurement has a deadline of its own", async (t) => {
      const { engine, measure } = await setUp(t, [], { deadlineMs: 400, callMs: 600 });
      engine.behave(neverAnswers);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE", message: /too slow/ });
      await engine.hungUp;
    });

    test("a call that its caller aborts rejects with the reason of the abort", async (t) => {
      const { engine, measure, asked } = await setUp(t, [], { callMs: 600 });
      engine.behave(neverAnswers);
      const leaving = new AbortController();
      const call = measure([WEST, EAST], SUMMER, leaving.signal);
      await engine.arrived(engine.calls.length + 1);
      leaving.abort(new Error("gone"));
      await assert.rejects(call, { message: "gone" });
      await engine.hungUp;
      assert.equal(asked(), 1);
    });
  });
}

/** Which version of the data routers over foreign engines name. */
export function engineDataVersionContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);
  /** As the wire names version 7. */
  const seven = wire.hasDataVersion ? new RegExp(`^${name}-[\\w.:-]*7\\+embedded-net$`) : /-unversioned\+embedded-net$/;

  suite(`${name}: data version`, () => {
    test("names the engine's data and the catalog's, and no address", async (t) => {
      const { router } = await opened(t, wire.speaks([], 7));
      assert.match(router.dataVersion, seven);
    });

    test("an engine that was unavailable at the start is asked for its version before it measures", async (t) => {
      const { engine, router, measure } = await opened(t, answers500);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
      engine.behave(wire.speaks([leg(40, 35)], 7));
      assert.match((await measure([WEST, EAST])).dataVersion, seven);
      assert.match(router.dataVersion, seven);
      const asked = engine.calls.length;
      await measure([EAST, WEST]);
      assert.equal(engine.calls.length, asked + 1, "once is enough");
    });

    if (!wire.hasDataVersion) return;

    test("an answer without a version is asked for again where the data changed meanwhile", async (t) => {
      const { engine, router, measure } = await setUp(t, [leg(40, 35)]);
      let answer = () => {};
      engine.next((response, call) => {
        answer = () => void wire.speaks([leg(40, 35)])(response, call);
      });
      const asked = engine.calls.length;
      const inFlight = measure([WEST, EAST]);
      await engine.arrived(asked + 1);
      engine.behave(wire.speaks([leg(41, 35)], 8));
      await router.ping();
      answer();
      const { distanceKm, dataVersion } = await inFlight;
      assert.deepEqual([distanceKm, dataVersion], [41, router.dataVersion]);
      assert.equal((await measure([WEST, EAST])).distanceKm, 41);
    });

    test("a measured route names the data of its own answer, and new data are measured anew", async (t) => {
      const { engine, router, measure } = await setUp(t, [leg(40, 35)]);
      const [before, old] = [router.dataVersion, await measure([WEST, EAST])];
      engine.behave(wire.speaks([leg(41, 35)], 8));
      await router.ping();
      assert.notEqual(router.dataVersion, before);
      assert.deepEqual([old.distanceKm, old.dataVersion], [40, before]);
      const { distanceKm, dataVersion } = await measure([WEST, EAST]);
      assert.deepEqual([distanceKm, dataVersion], [41, router.dataVersion]);
    });
  });

  async function opened(t: TestContext, behavior: Behavior) {
    const engine = await aFakeEngine(t, behavior);
    const router = await anEngineRouter(t, name, { url: engine.url }, aRoadNetwork({ version: "net" }));
    const measure = (stops: readonly RouteStop[]) => router.measure(stops, SUMMER, never);
    return { engine, router, measure };
  }
}

/** Which measurements of a foreign engine every router rejects. */
export function enginePlausibilityContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: plausibility`, () => {
    // West to east is 30.9 km as the crow flies.
    const implausible: Readonly<Record<string, readonly WireLeg[]>> = {
      "shorter than the crow flies": [leg(30.5, 30)],
      "more than four times that": [leg(124, 100)],
      "faster than 115 km/h": [leg(40, 20)],
      "slower than 15 km/h": [leg(40, 161)],
      "in no time": [leg(40, 0)],
      "beyond all numbers": [leg(1e300, 1e300)],
      "with a leg too few": [],
      "with a leg too many": [leg(40, 35), leg(40, 35)],
    };
    for (const [what, legs] of Object.entries(implausible)) {
      test(`rejects a measurement ${what} with ROUTE_UNAVAILABLE, its reason in the log only`, async (t) => {
        const { log, records } = aRecordingLog();
        const { measure, asked } = await setUp(t, legs, { log });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE", message: /not plausible/ });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE" });
        assert.equal(asked(), 2, "it is not cached");
        assert.match(JSON.stringify(records[0]?.facts), /"reason":"(leg 0: |\d legs between)/);
      });
    }

    // 0.3 km as the crow flies.
    const near = { ...WEST, name: "near", lat: 46.0027 };

    test("accepts a measurement at each limit, and a short leg with a detour, driven slowly", async (t) => {
      for (const [end, legs] of [
        [EAST, [leg(31, 30), leg(123, 90), leg(40, 21), leg(40, 159)]],
        [near, [leg(1.5, 6), leg(1.9, 12), leg(0.4, 6), leg(0.2, 0.1)]],
      ] as const)
        for (const each of legs) {
          const { measure } = await setUp(t, [each]);
          assert.equal((await measure([WEST, end])).distanceKm, each.km);
        }
      const { measure } = await setUp(t, [leg(40, 35), leg(0, 0)]);
      assert.equal((await measure([WEST, EAST, EAST])).distanceKm, 40);
    });

    test("rejects a short leg beyond its own limits", async (t) => {
      for (const each of [leg(60, 60), leg(1.9, 0.5), leg(1.9, 13), leg(1.9, 1e9), leg(1e-300, 1e300)]) {
        const { measure } = await setUp(t, [each]);
        await assert.rejects(measure([WEST, near]), { code: "ROUTE_UNAVAILABLE" }, JSON.stringify(each));
      }
    });

    test("allows many short legs together no more than one", async (t) => {
      const stops = Array.from({ length: 12 }, (_, index) => ({ ...WEST, lat: 46 + index / 100_000 }));
      const over = async (each: WireLeg) => (await setUp(t, Array(11).fill(each))).measure(stops);
      assert.equal((await over(leg(0.02, 0.1))).distanceKm, 0.2);
      for (const each of [leg(3.9, 9), leg(0.1, 5)]) await assert.rejects(over(each), { code: "ROUTE_UNAVAILABLE" });
    });
  });
}
