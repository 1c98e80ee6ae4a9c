import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createEngineClient } from "../../src/ops/engine-client.ts";
import { silentLog } from "../../src/ops/log.ts";
import { EAST, type EngineWire, never, setUpOver, WEST } from "../support/engine-router.ts";
import { aFakeEngine, FAULTS, neverAnswers } from "../support/fake-engine.ts";
import { engineParts, SUMMER } from "../support/fake-road-engines.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";

/** How routers over foreign engines fail, and which version of the data they name. */
export function engineFaultsContract(name: string, wire: EngineWire): void {
  const setUp = setUpOver(wire);

  suite(`${name}: faults`, () => {
    test("no way between the stops is ROUTE_UNAVAILABLE and says between which", async (t) => {
      const { engine, measure, asked } = await setUp(t, []);
      engine.behave(wire.refusesWithNoRoute);
      await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE", message: /west to east/ });
      assert.equal(asked(), 1);
    });

    test("a request that the engine does not understand is nothing the caller could mend", async (t) => {
      const { engine, measure } = await setUp(t, []);
      engine.behave(wire.refusesTheRequest);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
    });

    for (const [what, fault] of Object.entries(FAULTS)) {
      test(`${what}: UPSTREAM_UNAVAILABLE, and well again with the engine`, async (t) => {
        const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }], { callMs: 500 });
        engine.behave(fault);
        await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE" });
        await assert.rejects(router.ping(), { code: "UPSTREAM_UNAVAILABLE" });
        engine.behave(wire.speaks([{ km: 40, minutes: 35 }]));
        await router.ping();
        assert.equal((await measure([WEST, EAST])).distanceKm, 40);
      });
    }

    test("the whole measurement has a deadline of its own", async (t) => {
      const { engine, measure } = await setUp(t, [], { deadlineMs: 100 });
      engine.behave(neverAnswers);
      await assert.rejects(measure([WEST, EAST]), { code: "UPSTREAM_UNAVAILABLE", message: /too slow/ });
      await engine.hungUp;
    });

    test("a caller who gives up is told nothing but that", async (t) => {
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

    test("equal measurements at the same time are one call", async (t) => {
      const { measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }]);
      await Promise.all([measure([WEST, EAST]), measure([WEST, EAST]), measure([WEST, EAST])]);
      assert.equal(asked(), 1);
    });
  });

  suite(`${name}: version of the data`, () => {
    test("is the engine's and the catalogue's, and no address is in it", async (t) => {
      const engine = await aFakeEngine(t, wire.speaks([], 7));
      const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log: silentLog });
      t.after(() => client.close());
      const { dataVersion } = await wire.open(client, engineParts(aRoadNetwork({ version: "net" })));
      assert.match(dataVersion, new RegExp(`^${name.toLowerCase()}-[\\w.:-]*7\\+embedded-net$`));
    });

    test("an engine that is away at the start is no fault; its data are known with its first ping", async (t) => {
      const engine = await aFakeEngine(t, FAULTS["status 500"] ?? neverAnswers);
      const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log: silentLog });
      t.after(() => client.close());
      const router = await wire.open(client, engineParts(aRoadNetwork({ version: "net" })));
      assert.equal(router.dataVersion, `${name.toLowerCase()}-unversioned+embedded-net`);
      engine.behave(wire.speaks([], 7));
      await router.ping();
      assert.match(router.dataVersion, /7\+embedded-net$/);
    });

    test("an engine that was away at the start is asked for its data before it measures", async (t) => {
      const engine = await aFakeEngine(t, FAULTS["status 500"] ?? neverAnswers);
      const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log: silentLog });
      t.after(() => client.close());
      const router = await wire.open(client, engineParts(aRoadNetwork({ version: "net" })));
      await assert.rejects(router.measure([WEST, EAST], SUMMER, never), { code: "UPSTREAM_UNAVAILABLE" });
      engine.behave(wire.speaks([{ km: 40, minutes: 35 }], 7));
      await router.measure([WEST, EAST], SUMMER, never);
      assert.match(router.dataVersion, /7\+embedded-net$/);
      const asked = engine.calls.length;
      await router.measure([EAST, WEST], SUMMER, never);
      assert.equal(engine.calls.length, asked + 1, "once is enough");
    });

    test("an answer under way while the data change is not kept as one of the new data", async (t) => {
      const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }]);
      let answer = () => {};
      engine.next((response, call) => {
        answer = () => void wire.speaks([{ km: 40, minutes: 35 }])(response, call);
      });
      const asked = engine.calls.length;
      const old = measure([WEST, EAST]);
      await engine.arrived(asked + 1);
      engine.behave(wire.speaks([{ km: 41, minutes: 35 }], 8));
      await router.ping();
      answer();
      assert.equal((await old).distanceKm, 40);
      assert.equal((await measure([WEST, EAST])).distanceKm, 41);
    });

    test("with new data old answers are no longer used", async (t) => {
      const { engine, router, measure } = await setUp(t, [{ km: 40, minutes: 35 }]);
      await measure([WEST, EAST]);
      engine.behave(wire.speaks([{ km: 41, minutes: 35 }], 8));
      await router.ping();
      assert.equal((await measure([WEST, EAST])).distanceKm, 41);
    });
  });
}
