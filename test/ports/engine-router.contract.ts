import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RoutingEngineName } from "../../src/adapters/engines/routing-engines.ts";
import type { RoadData } from "../../src/domain/catalog/catalog.ts";
import type { CarTrain } from "../../src/domain/catalog/roads-schema.ts";
import { EAST, leg, NORTH, never, SUMMER, setUpOver, WEST, WINTER } from "../support/engine-router.ts";
import { neverAnswers } from "../support/fake-engine.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";
import type { RoadEngineWire, WireLeg } from "../support/wires/road-engine-wire.ts";
import {
  engineDataVersionContract,
  engineFaultsContract,
  enginePlausibilityContract,
} from "./engine-answers.contract.ts";

/** What each router over a foreign engine promises by its wire. */
export function engineRouterContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  engineAvoidanceContract(name, wire);
  engineFaultsContract(name, wire);
  engineDataVersionContract(name, wire);
}

/** What is made of any engine's measurements, on the small network of `aRoadNetwork`: one engine proves it for all. */
export function measuredByEngineContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: measurement`, () => {
    test("adds up the legs, rounds km to one decimal and minutes up", async (t) => {
      const { measure, router } = await setUp(t, [leg(35.04, 40.2), leg(40.03, 50.1)]);
      assert.deepEqual(await measure([WEST, EAST, NORTH]), {
        distanceKm: 75.1,
        durationMinutes: 91,
        stageMinutes: [41, 50],
        feesRappen: 2_900,
        carTrainsRappen: 0,
        carTrainKm: 0,
        notes: ["Includes tolls: Long Tunnel."],
        doubts: [],
        dataVersion: router.dataVersion,
      });
    });

    test("caches an answer by its stops in their order, and by how near to each a road has to be", async (t) => {
      const { engine, measure, asked } = await setUp(t, [leg(40, 35)]);
      const first = await measure([WEST, EAST]);
      engine.behave(neverAnswers);
      assert.deepEqual(await measure([WEST, EAST]), first);
      assert.deepEqual((await measure([WEST, EAST], WINTER)).distanceKm, 40);
      assert.equal(asked(), 1);
      engine.behave(wire.speaks([leg(41, 35)]));
      assert.equal((await measure([EAST, WEST])).distanceKm, 41);
      assert.equal((await measure([WEST, { ...EAST, lat: 46.0001 }])).distanceKm, 41);
      await measure([WEST, { ...EAST, isPosition: true }]);
      assert.equal(asked(), 4);
    });

    test("rejects a stop outside the service area without a call", async (t) => {
      const { measure, asked } = await setUp(t, [leg(40, 35)]);
      const paris = { name: "Paris", roadNode: null, lat: 48.8566, lng: 2.3522 };
      await assert.rejects(measure([WEST, paris]), { code: "UNSUPPORTED_ROUTE", message: /Paris/ });
      await assert.rejects(measure([WEST, { ...paris, lat: Number.NaN }]), { code: "UNSUPPORTED_ROUTE" });
      assert.equal(asked(), 0);
    });
  });

  enginePlausibilityContract(name, wire);

  suite(`${name}: catalog overlay`, () => {
    test("a pass that is closed at departure is a doubt that names it and its dates", async (t) => {
      const { measure } = await setUp(t, [leg(45, 60)]);
      assert.deepEqual((await measure([WEST, NORTH])).doubts, []);
      const { doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual(doubts, ["High Pass is closed from 1 November to 31 May."]);
    });

    test("a route shorter than the catalog's of that day is a doubt while a pass is closed anywhere", async (t) => {
      const edges = [
        { from: "west", to: "middle", km: 50, minutes: 40 },
        { from: "middle", to: "east", km: 50, minutes: 40 },
        { from: "middle", to: "pass", km: 10, minutes: 20, closed: { from: "11-01", to: "05-31" } },
      ];
      const closedDoubt = ["The measured route may lead over a pass that is closed."];
      for (const [km, minutes, doubts, roads] of [
        [89.9, 80, closedDoubt, aRoadNetwork({ edges })],
        [90.1, 80, [], aRoadNetwork({ edges })],
        [120, 80, [], aRoadNetwork({ edges })],
        // More than 10 %, but not more than 5 km.
        [35.1, 60, [], aRoadNetwork()],
        [34.9, 60, closedDoubt, aRoadNetwork()],
      ] as const) {
        const { measure } = await setUp(t, [{ km, minutes }], { roads });
        assert.deepEqual((await measure([WEST, EAST], WINTER)).doubts, doubts);
        assert.deepEqual((await measure([WEST, EAST], SUMMER)).doubts, []);
      }
    });

    test("a car train that does not run when it is reached is a doubt", async (t) => {
      const timetable: CarTrain["timetable"] = [{ first: "05:30", last: "10:00", everyMinutes: 30 }];
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.carTrain ? { ...edge, carTrain: { ...edge.carTrain, loadingMinutes: 5, timetable } } : edge,
      );
      const { measure } = await setUp(t, [leg(40, 80)], { roads: aRoadNetwork({ edges }) });
      assert.match(
        (await measure([WEST, NORTH], WINTER)).doubts.join(),
        /The measured route may take the Deep car train, which does not run at that time\./,
      );
    });

    test("a car train of that day is a fee and a note", async (t) => {
      const { measure } = await setUp(t, [leg(40, 80)]);
      const { feesRappen, carTrainsRappen, carTrainKm, notes } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([feesRappen, carTrainsRappen, carTrainKm], [2_950, 2_950, 18]);
      assert.deepEqual(notes, ["Includes the Deep car train: about 45 min wait, 15 min ride."]);
      assert.equal((await measure([WEST, NORTH])).feesRappen, 0);
    });

    test("a fee for a route that differs from the measured one is a doubt", async (t) => {
      const { measure } = await setUp(t, [leg(80, 100)]);
      const { doubts } = await measure([EAST, NORTH]);
      assert.deepEqual(doubts, ["The measured route may not use the car train or toll road that is named."]);
    });

    test("where the catalog has every road closed there is no route, whatever the engine answers", async (t) => {
      const edges = [{ from: "middle", to: "north", km: 25, minutes: 40, closed: { from: "11-01", to: "05-31" } }];
      const { router } = await setUp(t, [leg(25, 40)], { roads: aRoadNetwork({ edges }) });
      const middle = { name: "middle", roadNode: "middle", lat: 46, lng: 7.2 };
      await assert.rejects(router.measure([middle, NORTH], WINTER, never), { code: "UNSUPPORTED_ROUTE" });
      assert.equal((await router.measure([middle, NORTH], SUMMER, never)).distanceKm, 25);
    });

    test("where the catalog has no roads the engine measures, with a doubt", async (t) => {
      const { measure } = await setUp(t, [leg(40, 40)]);
      const beyond = { name: "Beyond", roadNode: null, lat: 45, lng: 9 };
      const further = { name: "Further", roadNode: null, lat: 45, lng: 9.4 };
      const { distanceKm, feesRappen, notes, doubts } = await measure([beyond, further]);
      assert.deepEqual([distanceKm, feesRappen, notes], [40, 0, []]);
      assert.deepEqual(doubts, ["Closed passes, tolls and car trains on this journey could not be checked."]);
    });
  });
}

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
function engineAvoidanceContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: closed roads`, () => {
    const CLOSED = ["High Pass is closed from 1 November to 31 May."];
    /** With a position on a part of the road alone. */
    const inPart = () => {
      const closed = { from: "11-01", to: "05-31", at: AT_THE_PASS };
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.closed && edge.from === "middle" ? { ...edge, closed } : edge,
      );
      return aRoadNetwork({ edges, osrmSeasonalClass: "seasonal" });
    };
    /** With works on the part that is open in winter. */
    const withWorks = () => {
      const closed = { from: "07-01", to: "07-10" };
      const edges = avoidable().edges.map((edge) => (edge.from === "west" ? { ...edge, closed } : edge));
      return aRoadNetwork({ edges, osrmSeasonalClass: "seasonal" });
    };
    // biome-ignore format: a table reads by its columns
    const CASES: readonly (readonly [string, RoadData, WireLeg, Date, boolean, readonly string[]])[] = [
      ["are avoided in the request, so that the measurement needs no confirmation", avoidable(), leg(38, 80), WINTER, true, []],
      ["are not avoided while they are open", avoidable(), leg(45, 60), SUMMER, false, []],
      ["are avoided while they may be closed", avoidable(), leg(38, 80), AUTUMN, true, []],
      ["need confirmation where the catalog gives no position on them", avoidable({}), leg(45, 60), WINTER, false, CLOSED],
      ["need confirmation where it gives one on a part of the road alone", inPart(), leg(45, 60), WINTER, false, CLOSED],
      ["are avoided for themselves, and not by a class that the open part has too", withWorks(), leg(38, 80), WINTER, wire.avoidsEach, wire.avoidsEach ? [] : CLOSED],
    ];
    for (const [what, roads, each, at, avoids, doubts] of CASES) {
      test(what, async (t) => {
        const { engine, measure } = await setUp(t, [each], { roads });
        const measured = await measure([WEST, NORTH], at);
        assert.deepEqual(measured.doubts, doubts);
        assert.equal(wire.avoids(engine.calls.at(-1) ?? assert.fail("no call")), avoids);
        const mayBeShorter = /High Pass is usually closed .* the drive may take less time\./.test(
          measured.notes.join(" "),
        );
        assert.equal(mayBeShorter, at === AUTUMN);
      });
    }

    test("are asked about anew when they close or open: the answer is another one", async (t) => {
      const { engine, measure } = await setUp(t, [leg(45, 60)], { roads: avoidable() });
      assert.equal((await measure([WEST, NORTH], SUMMER)).distanceKm, 45);
      engine.behave(wire.speaks([leg(38, 80)]));
      assert.equal((await measure([WEST, NORTH], WINTER)).distanceKm, 38);
      assert.equal((await measure([WEST, NORTH], SUMMER)).distanceKm, 45);
    });

    test("need confirmation where the engine finds no other route", async (t) => {
      const { engine, measure } = await setUp(t, [leg(45, 60)], { roads: avoidable() });
      engine.behave((response, call) =>
        (wire.avoids(call) ? wire.refusesWithNoRoute : wire.speaks([leg(45, 60)]))(response, call),
      );
      const { distanceKm, doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([distanceKm, doubts], [45, CLOSED]);
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
      const { measure } = await setUp(t, [leg(121, 121)], { roads });
      const { distanceKm, doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([distanceKm, doubts], [121, []]);
      await assert.rejects(measure([WEST, NORTH], SUMMER), { code: "ROUTE_UNAVAILABLE" });
    });
  });
}
