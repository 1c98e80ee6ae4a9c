import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { loadRoads } from "../../src/routing/load-roads.ts";
import type { MeasuredRoute } from "../../src/routing/router.ts";
import type { RoadEdge } from "../../src/routing/schema.ts";
import { routerContract } from "../ports/router.contract.ts";
import { DEFAULT_CATALOGUE } from "../support/default-catalogue.ts";
import { aRoadNetwork, aStop } from "../support/road-fixture.ts";

routerContract("embedded", async () => createEmbeddedRouter(loadRoads(DEFAULT_CATALOGUE), "Europe/Zurich"));

const SUMMER = new Date("2027-07-15T10:00:00Z");
const WINTER = new Date("2027-01-15T10:00:00Z");
const { signal } = new AbortController();
const router = createEmbeddedRouter(aRoadNetwork(), "Europe/Zurich");

function measure(
  stops: readonly (string | readonly [number, number])[],
  at = SUMMER,
  on = router,
): Promise<MeasuredRoute> {
  return on.measure(stops.map(aStop), at, signal);
}

const refused = (code: string, message: RegExp) => ({ name: "PublicError", code, message });

suite("ways through the network", () => {
  test("km and minutes of the roads add up", async () => {
    assert.deepEqual(await measure(["west", "east"]), {
      distanceKm: 40,
      durationMinutes: 35,
      feesRappen: 0,
      notes: [],
      doubts: [],
    });
  });

  test("in summer the pass is the shortest time", async () => {
    const { distanceKm, durationMinutes, feesRappen, notes } = await measure(["west", "north"]);
    assert.deepEqual(
      { distanceKm, durationMinutes, feesRappen, notes },
      { distanceKm: 45, durationMinutes: 60, feesRappen: 0, notes: [] },
    );
  });

  test("in winter the car train is, with its wait in the time, its fare in the fees and its name in the notes", async () => {
    assert.deepEqual(await measure(["west", "north"], WINTER), {
      distanceKm: 38,
      durationMinutes: 80,
      feesRappen: 2_950,
      notes: ["Includes the Deep car train: allow 45 min for waiting and 15 min for the ride."],
      doubts: [],
    });
  });

  test("the notes follow the way", async () => {
    const edges: readonly Partial<RoadEdge>[] = [
      { from: "west", to: "middle", name: "First Tunnel", toll: { fareRappen: 100 } },
      { from: "east", to: "middle", name: "Second Tunnel", toll: { fareRappen: 200 } },
    ];
    const tunnels = createEmbeddedRouter(aRoadNetwork({ edges }), "Europe/Zurich");
    const { notes } = await measure(["west", "east"], SUMMER, tunnels);
    assert.deepEqual(notes, ["Includes the toll of First Tunnel.", "Includes the toll of Second Tunnel."]);
    assert.deepEqual((await measure(["east", "west"], SUMMER, tunnels)).notes, notes.toReversed());
  });

  test("a car train that runs by arrangement asks for confirmation", async () => {
    const train = { railMinutes: 15, waitMinutes: 45, fareRappen: 6_500, byArrangement: true } as const;
    const edges = [{ from: "west", to: "middle", minutes: 60, name: "Old car train", carTrain: train }];
    const { doubts } = await measure(
      ["west", "middle"],
      SUMMER,
      createEmbeddedRouter(aRoadNetwork({ edges }), "Europe/Zurich"),
    );
    assert.deepEqual(doubts, ["The Old car train has no timetable and runs by arrangement."]);
  });

  test("the closure begins and ends at local midnight", async () => {
    const days = [
      "2026-10-31T22:59:59Z",
      "2026-10-31T23:00:00Z",
      "2027-05-31T21:59:59Z",
      "2027-05-31T22:00:00Z",
    ];
    const km: number[] = [];
    for (const day of days) km.push((await measure(["west", "north"], new Date(day))).distanceKm);
    assert.deepEqual(km, [45, 38, 38, 45]);
  });

  test("a toll is charged and named", async () => {
    const route = await measure(["east", "north"]);
    assert.deepEqual([route.distanceKm, route.durationMinutes, route.feesRappen], [40, 50, 2_900]);
    assert.deepEqual(route.notes, ["Includes the toll of Long Tunnel."]);
  });

  test("there and back costs every fee twice", async () => {
    const route = await measure(["east", "north", "east"]);
    assert.deepEqual([route.distanceKm, route.durationMinutes, route.feesRappen], [80, 100, 5_800]);
  });

  test("a stop on the way changes nothing, and one off the way adds its detour", async () => {
    assert.equal((await measure(["west", "middle", "east"])).distanceKm, 40);
    assert.equal((await measure(["west", "east", "middle"])).distanceKm, 60);
  });

  test("of two ways equally fast the shorter one is taken, there and back", async () => {
    const edges = [
      { from: "west", to: "middle", km: 21, minutes: 20 },
      { from: "middle", to: "east", km: 21, minutes: 20 },
      { from: "west", to: "pass", km: 20, minutes: 20 },
      { from: "pass", to: "east", km: 20, minutes: 20 },
    ];
    for (const order of [edges, [...edges].reverse()]) {
      const tied = createEmbeddedRouter(aRoadNetwork({ edges: order }), "UTC");
      assert.equal((await measure(["west", "east"], SUMMER, tied)).distanceKm, 40);
      assert.equal((await measure(["east", "west"], SUMMER, tied)).distanceKm, 40);
    }
  });

  test("a stop twice is no distance", async () => {
    assert.equal((await measure(["west", "west"])).distanceKm, 0);
    assert.equal((await measure(["west", "west"])).durationMinutes, 0);
  });

  test("no road between two stops is UNSUPPORTED_ROUTE and names them", async () => {
    await assert.rejects(measure(["west", "island"]), refused("UNSUPPORTED_ROUTE", /from west to island/));
    await assert.rejects(
      measure(["west", "east", "island"]),
      refused("UNSUPPORTED_ROUTE", /from east to island/),
    );
  });

  test("a place that only a closed road reaches is UNSUPPORTED_ROUTE in winter", async () => {
    assert.equal((await measure(["west", "pass"])).distanceKm, 32.5);
    await assert.rejects(
      measure(["west", "pass"], WINTER),
      refused("UNSUPPORTED_ROUTE", /open from west to pass/),
    );
  });

  test("a train for which one waits longer in a season is then left for a pass that is little slower", async () => {
    const withTrain = (seasonalWait?: { minutes: number; from: string; to: string }) => {
      const carTrain = {
        railMinutes: 10,
        waitMinutes: 20,
        fareRappen: 2_950,
        ...(seasonalWait && { seasonalWait }),
      };
      const edges = aRoadNetwork().edges.map((edge) =>
        edge.carTrain ? { ...edge, minutes: 30, carTrain } : edge,
      );
      return createEmbeddedRouter(aRoadNetwork({ edges }), "Europe/Zurich");
    };
    const season = { minutes: 40, from: "06-01", to: "10-31" };
    assert.equal((await measure(["west", "north"], SUMMER, withTrain())).durationMinutes, 50);
    assert.equal((await measure(["west", "north"], SUMMER, withTrain(season))).distanceKm, 45);
    assert.equal((await measure(["west", "north"], WINTER, withTrain(season))).durationMinutes, 50);
    const little = await measure(["west", "north"], SUMMER, withTrain({ ...season, minutes: 29 }));
    assert.equal(little.durationMinutes, 59);
    assert.deepEqual(little.notes, [
      "Includes the Deep car train: allow 29 min for waiting and 10 min for the ride.",
    ]);
  });
});

suite("the hours of a car train", () => {
  const edges = aRoadNetwork().edges.map((edge) =>
    edge.carTrain ? { ...edge, carTrain: { ...edge.carTrain, hours: { from: "05:30", to: "23:00" } } } : edge,
  );
  const trains = createEmbeddedRouter(aRoadNetwork({ edges }), "Europe/Zurich");

  test("raise a doubt where the journey would reach it outside of them, by local time", async () => {
    // The train leaves from the middle, 20 minutes after the pickup.
    for (const [pickup, doubts] of [
      ["2027-01-15T21:40:00Z", []],
      [
        "2027-01-15T21:41:00Z",
        ["The Deep car train runs from 05:30 to 23:00; the journey would reach it at 23:01."],
      ],
      [
        "2027-01-15T04:09:00Z",
        ["The Deep car train runs from 05:30 to 23:00; the journey would reach it at 05:29."],
      ],
      ["2027-01-15T04:10:00Z", []],
    ] as const) {
      assert.deepEqual((await measure(["west", "north"], new Date(pickup), trains)).doubts, doubts, pickup);
    }
  });

  test("count from the pickup over all legs and the way to the road", async () => {
    const pickup = new Date("2027-01-15T21:20:00Z");
    assert.deepEqual((await measure(["west", "middle", "north"], pickup, trains)).doubts, []);
    const reached = await measure(["west", "middle", "west", "north"], pickup, trains);
    assert.match(reached.doubts.join(), /would reach it at 23:20/);
    const fromAfar = await measure([[45.99, 6.99], "north"], new Date("2027-01-15T21:39:00Z"), trains);
    assert.match(fromAfar.doubts.join(), /would reach it at 23:0/);
  });
});

suite("positions off the network", () => {
  // A hundredth of a degree of latitude is 1.112 km; 1.4 times that is 1.557 km, driven at 35 km/h in 2.67 min.
  test("enter it at the nearest point of a road, with the last stretch driven slowly", async () => {
    const route = await measure([[46.01, 7.1], "west"]);
    assert.deepEqual([route.distanceKm, route.durationMinutes], [11.6, 13]); // 10 + 1.557 km, 10 + 2.67 min
    assert.deepEqual(await measure(["west", [46.01, 7.1]]), route);
  });

  test("on the road have no last stretch", async () => {
    const { distanceKm, durationMinutes } = await measure([[46, 7.05], "west"]);
    assert.deepEqual([distanceKm, durationMinutes], [5, 5]);
  });

  test("beyond the end of a road are measured from its end", async () => {
    // 0.01° of longitude at 46° north is 0.772 km; 1.081 km and 1.85 min.
    const { distanceKm, durationMinutes } = await measure([[46, 6.99], "west"]);
    assert.deepEqual([distanceKm, durationMinutes], [1.1, 2]);
  });

  test("both on one road need not pass either of its ends", async () => {
    const route = await measure([
      [46.01, 7.05],
      [46.01, 7.15],
    ]);
    assert.deepEqual([route.distanceKm, route.durationMinutes], [13.1, 16]); // 10 + 2 × 1.557 km, 10 + 2 × 2.67 min
    assert.deepEqual(
      await measure([
        [46.01, 7.15],
        [46.01, 7.05],
      ]),
      route,
    );
  });

  test("take the quicker end of their road", async () => {
    assert.equal((await measure([[46, 7.15], "east"])).distanceKm, 25);
    assert.equal((await measure([[46, 7.05], "west"])).distanceKm, 5);
  });

  test("more than 3 km away raise a doubt that names them and how far they are", async () => {
    assert.deepEqual((await measure([[45.974, 7.1], "west"])).doubts, []); // 2.89 km
    assert.deepEqual((await measure([[45.972, 7.1], "west"])).doubts, [
      "Somewhere lies 3.1 km from the measured roads.",
    ]);
  });

  test("beside a road that is closed raise a doubt, unless an open one is about as near", async () => {
    // 1.22 km up the pass road from the middle, and 0.89 km up.
    assert.deepEqual((await measure([[46.011, 7.2], "west"], WINTER)).doubts, [
      "Somewhere lies by High Pass, which is closed at that time.",
    ]);
    assert.deepEqual((await measure([[46.008, 7.2], "west"], WINTER)).doubts, []);
    assert.deepEqual((await measure([[46.011, 7.2], "west"], SUMMER)).doubts, []);
  });

  test("take the toll, the notes and the doubts of the road that they are on", async () => {
    const tolled = aRoadNetwork().edges.map(({ tunnel, ...edge }) => edge);
    const onToll = createEmbeddedRouter(aRoadNetwork({ edges: tolled }), "UTC");
    const half: readonly [number, number] = [46.1, 7.3];
    const upToHalf = await measure(["east", half], SUMMER, onToll);
    assert.deepEqual([upToHalf.distanceKm, upToHalf.feesRappen], [20, 2_900]);
    assert.deepEqual(upToHalf.notes, ["Includes the toll of Long Tunnel."]);
    const through = await measure(["east", half, "north"], SUMMER, onToll);
    assert.deepEqual([through.distanceKm, through.feesRappen], [40, 2_900]);
    const twice = await measure(["east", [46.05, 7.35], half, "north"], SUMMER, onToll);
    assert.deepEqual([twice.distanceKm, twice.feesRappen], [40, 2_900]);
    const autumn = new Date("2026-10-25T10:00:00Z");
    assert.match(
      (await measure([[46.05, 7.2], "middle"], autumn)).doubts.join(),
      /^High Pass is usually closed/,
    );
    const onPass = await measure(
      [
        [46.02, 7.2],
        [46.05, 7.2],
      ],
      autumn,
    );
    assert.match(onPass.doubts.join(), /^High Pass is usually closed/);
  });

  test("more than 15 km away are UNSUPPORTED_ROUTE", async () => {
    assert.equal((await measure([[45.866, 7.1], "west"])).distanceKm, 30.9); // 14.90 km × 1.4 + 10 km
    await assert.rejects(
      measure([[45.865, 7.1], "west"]),
      refused("UNSUPPORTED_ROUTE", /Somewhere lies more than 15 km/),
    );
  });

  test("are put on no closed road, no car train and no tunnel", async () => {
    assert.deepEqual((await measure([[46.1, 7.2], "north"])).doubts, []);
    assert.equal((await measure([[46.1, 7.2], "north"])).distanceKm, 12.5);
    // The nearest open road in winter ends at the middle, 11.12 km away; train and tunnel run underneath.
    const winter = await measure([[46.1, 7.2], "north"], WINTER);
    assert.equal(winter.distanceKm, 33.6);
    assert.deepEqual(winter.doubts, [
      "Somewhere lies by High Pass, which is closed at that time.",
      "Somewhere lies 11.1 km from the measured roads.",
    ]);
  });

  test("stand in for a node that the network does not have", async () => {
    const hamlet = { name: "Hamlet", roadNode: "hamlet", lat: 46, lng: 7.05 };
    const { distanceKm } = await router.measure([hamlet, aStop("west")], SUMMER, signal);
    assert.equal(distanceKm, 5);
  });
});

test("the minutes are rounded up, the km to the hectometre", async () => {
  const edges = [
    { from: "west", to: "middle", km: 10.04, minutes: 10.1 },
    { from: "middle", to: "east", km: 10.02, minutes: 10.9 },
  ];
  const { distanceKm, durationMinutes } = await measure(
    ["west", "east"],
    SUMMER,
    createEmbeddedRouter(aRoadNetwork({ edges }), "UTC"),
  );
  assert.deepEqual([distanceKm, durationMinutes], [20.1, 21]);
});
