import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CarTrain } from "../../src/catalog/roads-schema.ts";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import { EAST, NORTH, never, SUMMER, setUpOver, WEST, WINTER } from "../support/engine-router.ts";
import { neverAnswers } from "../support/fake-engine.ts";
import type { RoadEngineWire } from "../support/road-engine-wires.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";
import { engineAvoidanceContract } from "./engine-avoidance.contract.ts";
import { engineDataVersionContract } from "./engine-data-version.contract.ts";
import { engineFaultsContract } from "./engine-faults.contract.ts";
import { enginePlausibilityContract } from "./engine-plausibility.contract.ts";

/** What routers over foreign engines have in common, on the small network of `aRoadNetwork`. */
export function engineRouterContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: measurement`, () => {
    test("adds up the legs, rounds km to one decimal and minutes up", async (t) => {
      const { measure, router } = await setUp(t, [
        { km: 35.04, minutes: 40.2 },
        { km: 40.03, minutes: 50.1 },
      ]);
      assert.deepEqual(await measure([WEST, EAST, NORTH]), {
        distanceKm: 75.1,
        durationMinutes: 91,
        feesRappen: 2_900,
        carTrainsRappen: 0,
        notes: ["Includes the toll of Long Tunnel."],
        doubts: [],
        dataVersion: router.dataVersion,
      });
    });

    test("caches an answer by its stops in their order", async (t) => {
      const { engine, measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }]);
      const first = await measure([WEST, EAST]);
      engine.behave(neverAnswers);
      assert.deepEqual(await measure([WEST, EAST]), first);
      assert.deepEqual((await measure([WEST, EAST], WINTER)).distanceKm, 40);
      assert.equal(asked(), 1);
      engine.behave(wire.speaks([{ km: 41, minutes: 35 }]));
      assert.equal((await measure([EAST, WEST])).distanceKm, 41);
      assert.equal((await measure([WEST, { ...EAST, lat: 46.0001 }])).distanceKm, 41);
      assert.equal(asked(), 3);
    });

    test("rejects a stop outside the service area without a call", async (t) => {
      const { measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }]);
      const paris = { name: "Paris", roadNode: null, lat: 48.8566, lng: 2.3522 };
      await assert.rejects(measure([WEST, paris]), { code: "UNSUPPORTED_ROUTE", message: /Paris/ });
      await assert.rejects(measure([WEST, { ...paris, lat: Number.NaN }]), { code: "UNSUPPORTED_ROUTE" });
      assert.equal(asked(), 0);
    });
  });

  enginePlausibilityContract(name, wire);

  suite(`${name}: catalog overlay`, () => {
    test("a pass that is closed at departure is a doubt that names it and its dates", async (t) => {
      const { measure } = await setUp(t, [{ km: 45, minutes: 60 }]);
      assert.deepEqual((await measure([WEST, NORTH])).doubts, []);
      const { doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual(doubts, ["High Pass is closed from 1 November to 31 May."]);
    });

    test("a route shorter than the catalog's of that day is a doubt while a pass is closed anywhere", async (t) => {
      const doubtsOf = async (km: number, at: Date) => {
        const { measure } = await setUp(t, [{ km, minutes: 60 }]);
        return (await measure([WEST, EAST], at)).doubts;
      };
      const edges = [
        { from: "west", to: "middle", km: 50, minutes: 40 },
        { from: "middle", to: "east", km: 50, minutes: 40 },
        { from: "middle", to: "pass", km: 10, minutes: 20, closed: { from: "11-01", to: "05-31" } },
      ];
      const closedDoubt = ["The measured route may lead over a pass that is closed."];
      for (const [km, doubts] of [
        [89.9, closedDoubt],
        [90.1, []],
        [120, []],
      ] as const) {
        const { measure } = await setUp(t, [{ km, minutes: 80 }], { roads: aRoadNetwork({ edges }) });
        assert.deepEqual((await measure([WEST, EAST], WINTER)).doubts, doubts);
        assert.deepEqual((await measure([WEST, EAST], SUMMER)).doubts, []);
      }
      // More than 10 %, but not more than 5 km.
      assert.deepEqual(await doubtsOf(35.1, WINTER), []);
      assert.deepEqual(await doubtsOf(34.9, WINTER), closedDoubt);
    });

    test("a car train that does not run when it is reached is a doubt", async (t) => {
      const timetable: CarTrain["timetable"] = [{ first: "05:30", last: "10:00", everyMinutes: 30 }];
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.carTrain ? { ...edge, carTrain: { ...edge.carTrain, loadingMinutes: 5, timetable } } : edge,
      );
      const { measure } = await setUp(t, [{ km: 40, minutes: 80 }], { roads: aRoadNetwork({ edges }) });
      assert.match(
        (await measure([WEST, NORTH], WINTER)).doubts.join(),
        /The measured route may take the Deep car train, which does not run at that time\./,
      );
    });

    test("a car train of that day is a fee and a note", async (t) => {
      const { measure } = await setUp(t, [{ km: 40, minutes: 80 }]);
      const { feesRappen, carTrainsRappen, notes } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual([feesRappen, carTrainsRappen], [2_950, 2_950]);
      assert.deepEqual(notes, ["Includes the Deep car train: allow 45 min for waiting and 15 min for the ride."]);
      assert.equal((await measure([WEST, NORTH])).feesRappen, 0);
    });

    test("a fee for a route that differs from the measured one is a doubt", async (t) => {
      const { measure } = await setUp(t, [{ km: 80, minutes: 100 }]);
      const { doubts } = await measure([EAST, NORTH]);
      assert.deepEqual(doubts, ["The measured route may not be the one with the car train or toll that is named."]);
    });

    test("where the catalog has every road closed there is no route, whatever the engine answers", async (t) => {
      const edges = [{ from: "middle", to: "north", km: 25, minutes: 40, closed: { from: "11-01", to: "05-31" } }];
      const { router } = await setUp(t, [{ km: 25, minutes: 40 }], { roads: aRoadNetwork({ edges }) });
      const middle = { name: "middle", roadNode: "middle", lat: 46, lng: 7.2 };
      await assert.rejects(router.measure([middle, NORTH], WINTER, never), { code: "UNSUPPORTED_ROUTE" });
      assert.equal((await router.measure([middle, NORTH], SUMMER, never)).distanceKm, 25);
    });

    test("where the catalog has no roads the engine measures, with a doubt", async (t) => {
      const { measure, router } = await setUp(t, [{ km: 40, minutes: 40 }]);
      const beyond = { name: "Beyond", roadNode: null, lat: 45, lng: 9 };
      const further = { name: "Further", roadNode: null, lat: 45, lng: 9.4 };
      assert.deepEqual(await measure([beyond, further]), {
        distanceKm: 40,
        durationMinutes: 40,
        feesRappen: 0,
        carTrainsRappen: 0,
        notes: [],
        doubts: ["Closed passes, tolls and car trains on this journey could not be checked."],
        dataVersion: router.dataVersion,
      });
    });
  });

  engineAvoidanceContract(name, wire);
  engineFaultsContract(name, wire);
  engineDataVersionContract(name, wire);
}
