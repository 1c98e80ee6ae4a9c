import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { anEngineRouter, EAST, never, SUMMER, setUpOver, WEST } from "../support/engine-router.ts";
import { aFakeEngine, type Behavior, FAULTS, neverAnswers } from "../support/fake-engine.ts";
import type { RoadEngineWire } from "../support/road-engine-wires.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";

/** Which version of the data routers over foreign engines name. */
export function engineDataVersionContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);
  const unavailable = FAULTS["status 500"] ?? neverAnswers;
  const unversioned = `${name}-unversioned+embedded-net`;
  /** As the wire names version 7. */
  const seven = wire.hasDataVersion ? new RegExp(`^${name}-[\\w.:-]*7\\+embedded-net$`) : /-unversioned\+embedded-net$/;

  suite(`${name}: data version`, () => {
    test("names the engine's data and the catalog's, and no address", async (t) => {
      const { router } = await opened(t, wire.speaks([], 7));
      assert.match(router.dataVersion, seven);
    });

    test("an engine may be unavailable at the start; its first ping gives the version", async (t) => {
      const { engine, router } = await opened(t, unavailable);
      assert.equal(router.dataVersion, unversioned);
      engine.behave(wire.speaks([], 7));
      await router.ping();
      assert.match(router.dataVersion, seven);
    });

    test("an engine that was unavailable at the start is asked for its version before it measures", async (t) => {
      const { engine, router, measure } = await opened(t, unavailable);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
      engine.behave(wire.speaks([{ km: 40, minutes: 35 }], 7));
      assert.match((await measure([WEST, EAST])).dataVersion, seven);
      assert.match(router.dataVersion, seven);
      const asked = engine.calls.length;
      await measure([EAST, WEST]);
      assert.equal(engine.calls.length, asked + 1, "once is enough");
    });

    if (!wire.hasDataVersion) return;

    test("an answer without a version is asked for again where the data changed meanwhile", async (t) => {
      const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }]);
      let answer = () => {};
      engine.next((response, call) => {
        answer = () => void wire.speaks([{ km: 40, minutes: 35 }])(response, call);
      });
      const asked = engine.calls.length;
      const inFlight = measure([WEST, EAST]);
      await engine.arrived(asked + 1);
      engine.behave(wire.speaks([{ km: 41, minutes: 35 }], 8));
      await router.ping();
      answer();
      const { distanceKm, dataVersion } = await inFlight;
      assert.deepEqual([distanceKm, dataVersion], [41, router.dataVersion]);
      assert.equal((await measure([WEST, EAST])).distanceKm, 41);
    });

    test("a measured route names the data of its own answer, and new data are measured anew", async (t) => {
      const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }]);
      const [before, old] = [router.dataVersion, await measure([WEST, EAST])];
      engine.behave(wire.speaks([{ km: 41, minutes: 35 }], 8));
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
