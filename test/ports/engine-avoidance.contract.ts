import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import { NORTH, SUMMER, setUpOver, WEST, WINTER } from "../support/engine-router.ts";
import type { RoadEngineWire } from "../support/road-engine-wires.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";

const AUTUMN = new Date("2027-10-20T10:00:00Z");
const AT_THE_PASS = { lat: 46.1, lng: 7.2 };

/** The small network with a position on its pass, and a class for an engine that needs one. */
function avoidable(at: { readonly at?: typeof AT_THE_PASS } = { at: AT_THE_PASS }) {
  const edges = aRoadNetwork().edges.map((edge) =>
    edge.closed ? { ...edge, closed: { ...edge.closed, ...at } } : edge,
  );
  return aRoadNetwork({ edges, osrmSeasonalClass: "seasonal" });
}

/** How an engine is asked to avoid closed roads. */
export function engineAvoidanceContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: closed roads`, () => {
    test("are avoided in the request, so that the measurement needs no confirmation", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 38, minutes: 80 }], { roads: avoidable() });
      assert.deepEqual((await measure([WEST, NORTH], WINTER)).doubts, []);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), true);
    });

    test("are not avoided while they are open", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 45, minutes: 60 }], { roads: avoidable() });
      await measure([WEST, NORTH], SUMMER);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), false);
    });

    test("are avoided while they may be closed, and a note says that they may shorten the drive", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 38, minutes: 80 }], { roads: avoidable() });
      const { doubts, notes } = await measure([WEST, NORTH], AUTUMN);
      assert.deepEqual(doubts, []);
      assert.match(notes.join(" "), /High Pass is usually closed .* it may shorten the drive\./);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), true);
    });

    test("are asked about anew when they close or open: the answer is another one", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 45, minutes: 60 }], { roads: avoidable() });
      assert.equal((await measure([WEST, NORTH], SUMMER)).distanceKm, 45);
      engine.behave(wire.speaks([{ km: 38, minutes: 80 }]));
      assert.equal((await measure([WEST, NORTH], WINTER)).distanceKm, 38);
      assert.equal((await measure([WEST, NORTH], SUMMER)).distanceKm, 45);
    });

    test("need confirmation where the engine finds no other route", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 45, minutes: 60 }], { roads: avoidable() });
      engine.behave((response, call) =>
        (wire.avoids(call) ? wire.refusesWithNoRoute : wire.speaks([{ km: 45, minutes: 60 }]))(response, call),
      );
      const { distanceKm, doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([distanceKm, doubts], [45, ["High Pass is closed from 1 November to 31 May."]]);
    });

    test("need confirmation where the catalog gives no position on them", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 45, minutes: 60 }], { roads: avoidable({}) });
      assert.deepEqual((await measure([WEST, NORTH], WINTER)).doubts, [
        "High Pass is closed from 1 November to 31 May.",
      ]);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), false);
    });

    test("need confirmation where the catalog gives a position on a part of the road alone", async (t) => {
      const closedAt = { from: "11-01", to: "05-31", at: AT_THE_PASS };
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.closed && edge.from === "middle" ? { ...edge, closed: closedAt } : edge,
      );
      const roads = aRoadNetwork({ edges, osrmSeasonalClass: "seasonal" });
      const { engine, measure } = await setUp(t, [{ km: 45, minutes: 60 }], { roads });
      assert.equal((await measure([WEST, NORTH], WINTER)).doubts.length, 1);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), false);
    });

    test("are avoided for themselves, and not by a class that the open part of the route has as well", async (t) => {
      const summerWorks = { from: "07-01", to: "07-10" };
      const edges = avoidable().edges.map((edge) => (edge.from === "west" ? { ...edge, closed: summerWorks } : edge));
      const roads = aRoadNetwork({ edges, osrmSeasonalClass: "seasonal" });
      const { engine, measure } = await setUp(t, [{ km: 38, minutes: 80 }], { roads });
      await measure([WEST, NORTH], WINTER);
      assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), name === "valhalla");
    });

    test("need confirmation where the route is still shorter than the catalog's", async (t) => {
      const { measure } = await setUp(t, [{ km: 30, minutes: 40 }], { roads: avoidable() });
      const { doubts } = await measure([WEST, NORTH], WINTER);
      assert.match(doubts.join(), /may lead over a pass that is closed/);
    });

    test("make a long way around plausible where the catalog's is as long", async (t) => {
      // 27 km as the crow flies; around by road 120 km.
      const around = [
        { from: "middle", to: "pass", km: 12.5, minutes: 20, closed: { from: "11-01", to: "05-31", at: AT_THE_PASS } },
        { from: "pass", to: "north", km: 12.5, minutes: 20, closed: { from: "11-01", to: "05-31", at: AT_THE_PASS } },
        { from: "west", to: "middle", km: 20, minutes: 20 },
        { from: "west", to: "north", km: 120, minutes: 120 },
      ];
      const roads = aRoadNetwork({ edges: around, osrmSeasonalClass: "seasonal" });
      const { measure } = await setUp(t, [{ km: 121, minutes: 121 }], { roads });
      const { distanceKm, doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([distanceKm, doubts], [121, []]);
      await assert.rejects(measure([WEST, NORTH], SUMMER), { code: "ROUTE_UNAVAILABLE" });
    });
  });
}
