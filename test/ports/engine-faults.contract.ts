import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import { EAST, SUMMER, setUpOver, WEST } from "../support/engine-router.ts";
import { FAULTS, neverAnswers, timeLimitFor } from "../support/fake-engine.ts";
import type { RoadEngineWire } from "../support/road-engine-wires.ts";

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

    for (const [what, fault] of Object.entries(FAULTS)) {
      test(`${what}: UPSTREAM_UNAVAILABLE until the engine recovers`, async (t) => {
        const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }], { callMs: timeLimitFor(fault) });
        engine.behave(fault);
        await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
        await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
        engine.behave(wire.speaks([{ km: 40, minutes: 35 }]));
        await router.ping();
        assert.equal((await measure([WEST, EAST])).distanceKm, 40);
      });
    }

    test("the whole measurement has a deadline of its own", async (t) => {
      const { engine, measure } = await setUp(t, [], { deadlineMs: 400 });
      engine.behave(neverAnswers);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE", message: /too slow/ });
      await engine.hungUp;
    });

    test("a call that its caller aborts rejects with the reason of the abort", async (t) => {
      const { engine, measure, asked } = await setUp(t, []);
      engine.behave(neverAnswers);
      const leaving = new AbortController();
      const call = measure([WEST, EAST], SUMMER, leaving.signal);
      await engine.arrived(engine.calls.length + 1);
      leaving.abort(new Error("gone"));
      await assert.rejects(call, { message: "gone" });
      await engine.hungUp;
      assert.equal(asked(), 1);
    });

    test("equal concurrent measurements are one call", async (t) => {
      const { measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }]);
      await Promise.all([measure([WEST, EAST]), measure([WEST, EAST]), measure([WEST, EAST])]);
      assert.equal(asked(), 1);
    });
  });
}
