import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createEngineClient } from "../../src/ops/engine-client.ts";
import { silentLog } from "../../src/ops/log.ts";
import { EAST, type EngineWire, NORTH, never, setUpOver, WEST } from "../support/engine-router.ts";
import { aFakeEngine, neverAnswers } from "../support/fake-engine.ts";
import { engineParts, SUMMER, WINTER, type WireLeg } from "../support/fake-road-engines.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";
import { engineFaultsContract } from "./engine-faults.contract.ts";

/** What routers over foreign engines have in common, on the small network of `aRoadNetwork`. */
export function engineRouterContract(name: string, wire: EngineWire): void {
  const setUp = setUpOver(wire);

  suite(`${name}: measurement`, () => {
    test("adds up the legs, rounds km to one decimal and minutes up", async (t) => {
      const { measure } = await setUp(t, [
        { km: 35.04, minutes: 40.2 },
        { km: 40.03, minutes: 50.1 },
      ]);
      assert.deepEqual(await measure([WEST, EAST, NORTH]), {
        distanceKm: 75.1,
        durationMinutes: 91,
        feesRappen: 2_900,
        notes: ["Includes the toll of Long Tunnel."],
        doubts: [],
      });
    });

    test("whole minutes stay what they are, and nothing is nothing", async (t) => {
      const { engine, measure } = await setUp(t, [{ km: 40, minutes: 35 }]);
      assert.equal((await measure([WEST, EAST])).durationMinutes, 35);
      engine.behave(wire.speaks([{ km: 0, minutes: 0 }]));
      const { distanceKm, durationMinutes } = await measure([WEST, WEST]);
      assert.deepEqual({ distanceKm, durationMinutes }, { distanceKm: 0, durationMinutes: 0 });
    });

    test("keeps an answer, for its stops in their order", async (t) => {
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

    test("forgets an answer after its time, and the oldest beyond their number", async (t) => {
      const { measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }], { keepAnswers: 1 });
      await measure([WEST, EAST]);
      await measure([EAST, WEST]);
      await measure([WEST, EAST]);
      assert.equal(asked(), 3);
      const brief = await setUp(t, [{ km: 40, minutes: 35 }], { keepMs: 1 });
      await brief.measure([WEST, EAST]);
      const before = performance.now();
      while (performance.now() - before < 5) await new Promise((resolve) => setImmediate(resolve));
      await brief.measure([WEST, EAST]);
      assert.equal(brief.asked(), 2);
    });

    test("a stop outside the service area is refused unasked", async (t) => {
      const { measure, asked } = await setUp(t, [{ km: 40, minutes: 35 }]);
      const paris = { name: "Paris", roadNode: null, lat: 48.8566, lng: 2.3522 };
      await assert.rejects(measure([WEST, paris]), { code: "UNSUPPORTED_ROUTE", message: /Paris/ });
      await assert.rejects(measure([WEST, { ...paris, lat: Number.NaN }]), { code: "UNSUPPORTED_ROUTE" });
      assert.equal(asked(), 0);
    });
  });

  suite(`${name}: what is not believed`, () => {
    // West to east is 30.9 km as the crow flies.
    const implausible: Readonly<Record<string, readonly WireLeg[]>> = {
      "shorter than the crow flies": [{ km: 30.5, minutes: 30 }],
      "more than four times that": [{ km: 124, minutes: 100 }],
      "faster than 115 km/h": [{ km: 40, minutes: 20 }],
      "slower than 15 km/h": [{ km: 40, minutes: 161 }],
      "in no time": [{ km: 40, minutes: 0 }],
      "beyond all numbers": [{ km: 1e300, minutes: 1e300 }],
      "with a leg too few": [],
      "with a leg too many": [
        { km: 40, minutes: 35 },
        { km: 40, minutes: 35 },
      ],
    };
    for (const [what, legs] of Object.entries(implausible)) {
      test(`a measurement ${what} is ROUTE_UNAVAILABLE, with its reason in the log alone`, async (t) => {
        const warnings: object[] = [];
        const log = { ...silentLog, warn: (facts: object) => void warnings.push(facts) };
        const { measure, asked } = await setUp(t, legs, { log });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE", message: /not plausible/ });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE" });
        assert.equal(asked(), 2, "it is not kept");
        assert.match(JSON.stringify(warnings[0]), /reason.*(west to east|legs)/);
      });
    }

    test("a measurement at each limit is", async (t) => {
      for (const leg of [
        { km: 31, minutes: 30 },
        { km: 123, minutes: 90 },
        { km: 40, minutes: 21 },
        { km: 40, minutes: 159 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        assert.equal((await measure([WEST, EAST])).distanceKm, leg.km);
      }
    });

    // 0.3 km as the crow flies.
    const near = { ...WEST, name: "near", lat: 46.0027 };

    test("a short leg may wind and crawl a little", async (t) => {
      for (const leg of [
        { km: 1.5, minutes: 6 },
        { km: 1.9, minutes: 12 },
        { km: 0.4, minutes: 6 },
        { km: 0.2, minutes: 0.1 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        assert.equal((await measure([WEST, near])).distanceKm, leg.km);
      }
      const { measure } = await setUp(t, [
        { km: 40, minutes: 35 },
        { km: 0, minutes: 0 },
      ]);
      assert.equal((await measure([WEST, EAST, EAST])).distanceKm, 40);
    });

    test("a short leg leads neither out of the country nor through the night", async (t) => {
      for (const leg of [
        { km: 60, minutes: 60 },
        { km: 1.9, minutes: 0.5 },
        { km: 1.9, minutes: 13 },
        { km: 1.9, minutes: 1e9 },
        { km: 1e-300, minutes: 1e300 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        await assert.rejects(measure([WEST, near]), { code: "ROUTE_UNAVAILABLE" }, JSON.stringify(leg));
      }
    });

    test("many short legs are allowed no more than one", async (t) => {
      const stops = Array.from({ length: 12 }, (_, index) => ({ ...WEST, lat: 46 + index / 100_000 }));
      for (const [leg, isBelieved] of [
        [{ km: 0.02, minutes: 0.1 }, true],
        [{ km: 3.9, minutes: 9 }, false],
        [{ km: 0.1, minutes: 5 }, false],
      ] as const) {
        const { measure } = await setUp(
          t,
          Array.from({ length: 11 }, () => leg),
        );
        if (isBelieved) assert.equal((await measure(stops)).distanceKm, 0.2);
        else await assert.rejects(measure(stops), { code: "ROUTE_UNAVAILABLE" }, JSON.stringify(leg));
      }
    });
  });

  suite(`${name}: what our catalogue adds`, () => {
    test("a pass that is closed at departure is a doubt that names it and its dates", async (t) => {
      const { measure } = await setUp(t, [{ km: 45, minutes: 60 }]);
      assert.deepEqual((await measure([WEST, NORTH])).doubts, []);
      const { doubts } = await measure([WEST, NORTH], WINTER);
      assert.deepEqual(doubts, ["High Pass is closed from 1 November to 31 May."]);
    });

    test("a way shorter than the catalogue's of that day is a doubt while a pass is closed anywhere", async (t) => {
      const doubtsOf = async (km: number, at: Date) => {
        const { measure } = await setUp(t, [{ km, minutes: 60 }]);
        return (await measure([WEST, EAST], at)).doubts;
      };
      const edges = [
        { from: "west", to: "middle", km: 50, minutes: 40 },
        { from: "middle", to: "east", km: 50, minutes: 40 },
        { from: "middle", to: "pass", km: 10, minutes: 20, closed: { from: "11-01", to: "05-31" } },
      ];
      const closedDoubt = ["The measured way may lead over a pass that is closed."];
      for (const [km, doubts] of [
        [89.9, closedDoubt],
        [90.1, []],
        [120, []],
      ] as const) {
        const engine = await aFakeEngine(t, wire.speaks([{ km, minutes: 80 }]));
        const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log: silentLog });
        t.after(() => client.close());
        const router = await wire.open(client, engineParts(aRoadNetwork({ edges })));
        assert.deepEqual((await router.measure([WEST, EAST], WINTER, never)).doubts, doubts);
        assert.deepEqual((await router.measure([WEST, EAST], SUMMER, never)).doubts, []);
      }
      // More than 10 %, but not more than 5 km.
      assert.deepEqual(await doubtsOf(35.1, WINTER), []);
      assert.deepEqual(await doubtsOf(34.9, WINTER), closedDoubt);
    });

    test("a car train that does not run when it is reached is a doubt", async (t) => {
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.carTrain
          ? { ...edge, carTrain: { ...edge.carTrain, hours: { from: "05:30", to: "10:00" } } }
          : edge,
      );
      const { measure } = await setUp(t, [{ km: 40, minutes: 80 }], {
        overlay: engineParts(aRoadNetwork({ edges })).overlay,
      });
      assert.match(
        (await measure([WEST, NORTH], WINTER)).doubts.join(),
        /The Deep car train runs from 05:30 to 10:00/,
      );
    });

    test("a car train of that day is a fee and a note", async (t) => {
      const { measure } = await setUp(t, [{ km: 40, minutes: 80 }]);
      const { feesRappen, notes } = await measure([WEST, NORTH], WINTER);
      assert.equal(feesRappen, 2_950);
      assert.deepEqual(notes, [
        "Includes the Deep car train: allow 45 min for waiting and 15 min for the ride.",
      ]);
      assert.equal((await measure([WEST, NORTH])).feesRappen, 0);
    });

    test("a fee for a way that was hardly the measured one is a doubt", async (t) => {
      const { measure } = await setUp(t, [{ km: 80, minutes: 100 }]);
      const { doubts } = await measure([EAST, NORTH]);
      assert.deepEqual(doubts, [
        "The measured way may not be the one with the car train or toll that is named.",
      ]);
    });

    test("where the catalogue has every road closed there is no route, whatever the engine says", async (t) => {
      const edges = [
        { from: "middle", to: "north", km: 25, minutes: 40, closed: { from: "11-01", to: "05-31" } },
      ];
      const engine = await aFakeEngine(t, wire.speaks([{ km: 25, minutes: 40 }]));
      const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log: silentLog });
      t.after(() => client.close());
      const router = await wire.open(client, engineParts(aRoadNetwork({ edges })));
      const middle = { name: "middle", roadNode: "middle", lat: 46, lng: 7.2 };
      await assert.rejects(router.measure([middle, NORTH], WINTER, never), { code: "UNSUPPORTED_ROUTE" });
      assert.equal((await router.measure([middle, NORTH], SUMMER, never)).distanceKm, 25);
    });

    test("where the catalogue has no roads at all the engine's are measured, with a doubt", async (t) => {
      const { measure } = await setUp(t, [{ km: 40, minutes: 40 }]);
      const beyond = { name: "Beyond", roadNode: null, lat: 45, lng: 9 };
      const further = { name: "Further", roadNode: null, lat: 45, lng: 9.4 };
      assert.deepEqual(await measure([beyond, further]), {
        distanceKm: 40,
        durationMinutes: 40,
        feesRappen: 0,
        notes: [],
        doubts: ["Closed passes, tolls and car trains on this journey could not be checked."],
      });
    });
  });

  engineFaultsContract(name, wire);
}
