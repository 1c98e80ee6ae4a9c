import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CarTrain, RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import { routerContract } from "../../ports/router.contract.ts";
import { inWords } from "../../support/fake-router.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aRoadNetwork, aStop } from "../../support/road-fixture.ts";

routerContract("embedded", async () =>
  createEmbeddedRouter(createRoadNetwork(defaultCatalog.catalog.roads, "Europe/Zurich")),
);

const SUMMER = new Date("2027-07-15T10:00:00Z");
const WINTER = new Date("2027-01-15T10:00:00Z");
const { signal } = new AbortController();
type Stops = readonly (string | readonly [number, number])[];
type Edges = readonly Partial<RoadEdge>[];

const aRouterOver = (edges?: Edges) =>
  createEmbeddedRouter(createRoadNetwork(aRoadNetwork({ ...(edges && { edges }) }), "Europe/Zurich"));

/** On the roads of `aRoadNetwork`, or on others. */
async function measure(stops: Stops, at = SUMMER, edges?: Edges) {
  return inWords(await aRouterOver(edges).measure(stops.map(aStop), at, signal));
}

const refused = (code: string, message: RegExp) => ({ name: "PublicError", code, message });

suite("routes through the network", () => {
  test("in winter the car train is, with its wait in the time, its fare in the fees and its name in the notes", async () => {
    const { distanceKm, durationMinutes, stageMinutes, ...others } = await measure(["west", "north"], WINTER);
    const { feesRappen, carTrainsRappen, carTrainKm, notes, doubts, dataVersion } = others;
    const figures = { distanceKm, durationMinutes, stageMinutes, feesRappen, carTrainsRappen, carTrainKm };
    assert.deepEqual(
      { ...figures, notes, doubts, dataVersion },
      {
        distanceKm: 38,
        durationMinutes: 80,
        stageMinutes: [80],
        feesRappen: 2_950,
        carTrainsRappen: 2_950,
        carTrainKm: 18,
        notes: [
          "Includes the Deep car train: about 45 min of waiting, 15 min of ride.",
          "High Pass is usually closed from 1 November to 31 May: the route avoids it.",
        ],
        doubts: [],
        dataVersion: "embedded-1",
      },
    );
  });

  test("notes are in the order of the route", async () => {
    const edges = [
      { from: "west", to: "middle", name: "First Tunnel", toll: { fareRappen: 100 } },
      { from: "east", to: "middle", name: "Second Tunnel", toll: { fareRappen: 200 } },
    ];
    const { notes } = await measure(["west", "east"], SUMMER, edges);
    assert.deepEqual(notes, ["Includes the toll of First Tunnel.", "Includes the toll of Second Tunnel."]);
    assert.deepEqual((await measure(["east", "west"], SUMMER, edges)).notes, notes.toReversed());
  });

  test("a car train that runs by arrangement asks for confirmation", async () => {
    const train = { loadingMinutes: 45, fareRappen: 6_500, byArrangement: true } as const;
    const edges = [{ from: "west", to: "middle", minutes: 15, name: "Old car train", carTrain: train }];
    const { doubts } = await measure(["west", "middle"], SUMMER, edges);
    assert.deepEqual(doubts, ["The Old car train has no timetable and runs by arrangement."]);
  });

  test("the closure, with three weeks before and after it, begins and ends at local midnight", async () => {
    const days = ["2026-10-10T21:59:59Z", "2026-10-10T22:00:00Z", "2027-06-22T21:59:59Z", "2027-06-22T22:00:00Z"];
    const km: number[] = [];
    for (const day of days) km.push((await measure(["west", "north"], new Date(day))).distanceKm);
    assert.deepEqual(km, [45, 38, 38, 45]);
  });

  test("a return over the same roads costs every fee twice", async () => {
    const route = await measure(["east", "north", "east"]);
    assert.deepEqual([route.distanceKm, route.durationMinutes, route.feesRappen], [80, 100, 5_800]);
  });

  test("no road between two stops is UNSUPPORTED_ROUTE and names them", async () => {
    await assert.rejects(measure(["west", "island"]), refused("UNSUPPORTED_ROUTE", /from west to island/));
    await assert.rejects(measure(["west", "east", "island"]), refused("UNSUPPORTED_ROUTE", /from east to island/));
  });

  test("an operator's reluctance leaves a train for a route that is little worse, and is no part of the time", async () => {
    const withTrain = (reluctanceMinutes?: number) => {
      const carTrain = { loadingMinutes: 20, fareRappen: 2_950, ...(reluctanceMinutes && { reluctanceMinutes }) };
      return aRoadNetwork().edges.map((edge) => (edge.carTrain ? { ...edge, carTrain } : edge));
    };
    // The pass takes 5 min longer and is 7 km longer: 6.05 min at 0.15 min a km.
    assert.equal((await measure(["west", "north"], SUMMER, withTrain())).durationMinutes, 55);
    assert.equal((await measure(["west", "north"], SUMMER, withTrain(6))).durationMinutes, 55);
    assert.equal((await measure(["west", "north"], SUMMER, withTrain(7))).distanceKm, 45);
    assert.equal((await measure(["west", "north"], WINTER, withTrain(7))).durationMinutes, 55);
  });

  test("a faster route is left for one that is shorter by enough kilometers", async () => {
    const lengthOver = async (fastKm: number) => {
      const edges = [
        { from: "west", to: "east", km: fastKm, minutes: 60 },
        { from: "west", to: "middle", km: 50, minutes: 35 },
        { from: "middle", to: "east", km: 50, minutes: 35 },
      ];
      return (await measure(["west", "east"], SUMMER, edges)).distanceKm;
    };
    assert.equal(await lengthOver(166), 166);
    assert.equal(await lengthOver(167), 100);
  });
});

suite("the hours of a car train", () => {
  const timetable: CarTrain["timetable"] = [{ first: "05:30", last: "23:00", everyMinutes: 30 }];
  const edges = aRoadNetwork().edges.map((edge) =>
    edge.carTrain ? { ...edge, carTrain: { loadingMinutes: 5, fareRappen: 2_950, timetable } } : edge,
  );
  const kmAt = async (pickup: string, ...stops: Stops) => (await measure(stops, new Date(pickup), edges)).distanceKm;

  test("decide by local time whether the route takes it, 20 minutes after the pickup, or goes around", async () => {
    for (const [pickup, km] of [
      ["2027-01-15T21:35:00Z", 38],
      ["2027-01-15T21:36:00Z", 80],
      ["2027-01-15T03:00:00Z", 80],
      ["2027-01-15T04:00:00Z", 38],
    ] as const) {
      assert.equal(await kmAt(pickup, "west", "north"), km, pickup);
    }
  });

  test("make the wait for the first train part of the time, and of what is said", async () => {
    // At the terminal at 05:10: 20 minutes, half an interval, and the ride of 15.
    const pickup = new Date("2027-01-15T03:50:00Z");
    const { durationMinutes, doubts, notes } = await measure(["west", "north"], pickup, edges);
    assert.deepEqual([durationMinutes, doubts], [70, []]);
    assert.deepEqual(notes, ["Includes the Deep car train: about 35 min of waiting, 15 min of ride."]);
  });

  test("count from the pickup over all legs, stays and the access to the road", async () => {
    const pickup = "2027-01-15T21:20:00Z";
    assert.equal(await kmAt(pickup, "west", "middle", "north"), 38);
    assert.equal(await kmAt(pickup, "west", "middle", "west", "north"), 120);
    const [west, middle, north] = ["west", "middle", "north"].map(aStop);
    assert.ok(west && middle && north);
    const afterStay = async (dwellMinutes: number) =>
      (await aRouterOver(edges).measure([west, { ...middle, dwellMinutes }, north], new Date(pickup), signal))
        .distanceKm;
    assert.deepEqual([await afterStay(15), await afterStay(16)], [38, 80]);
    assert.ok((await kmAt("2027-01-15T21:34:00Z", [45.99, 6.99], "north")) > 80);
  });
});

suite("positions off the network", () => {
  // A hundredth of a degree of latitude is 1.112 km; 1.4 times that is 1.557 km, driven at 35 km/h in 2.67 min. A
  // hundredth of longitude at 46° north is 0.772 km: 1.081 km and 1.85 min.
  for (const [what, from, end, km, minutes] of [
    ["enter it at the nearest point of a road, with the last stretch driven slowly", [46.01, 7.1], "west", 11.6, 13],
    ["on the road have no last stretch", [46, 7.05], "west", 5, 5],
    ["beyond the end of a road are measured from its end", [46, 6.99], "west", 1.1, 2],
    ["both on one road need not pass either of its ends", [46.01, 7.05], [46.01, 7.15], 13.1, 16],
  ] as const) {
    test(what, async () => {
      const route = await measure([from, end]);
      assert.deepEqual([route.distanceKm, route.durationMinutes], [km, minutes]);
      assert.deepEqual(await measure([end, from]), route);
    });
  }

  test("more than 3 km away raise a doubt that names them and how far they are", async () => {
    assert.deepEqual((await measure([[45.974, 7.1], "west"])).doubts, []); // 2.89 km
    assert.deepEqual((await measure([[45.972, 7.1], "west"])).doubts, [
      "Somewhere is 3.1 km from the nearest road in the data of this service.",
    ]);
  });

  test("beside a road that is closed raise a doubt, unless an open one is about as near", async () => {
    // 1.22 km up the pass road from the middle, and 0.89 km up.
    assert.deepEqual((await measure([[46.011, 7.2], "west"], WINTER)).doubts, [
      "Somewhere is on a road that is closed at that time: High Pass.",
    ]);
    assert.deepEqual((await measure([[46.008, 7.2], "west"], WINTER)).doubts, []);
    assert.deepEqual((await measure([[46.011, 7.2], "west"], SUMMER)).doubts, []);
  });

  test("beside a road that is closed have no time, since the car may not get there", async () => {
    const stop = [46.011, 7.2] as const;
    const stages = async (at: Date) => (await measure(["west", stop, "east"], at)).stageMinutes;
    assert.deepEqual([(await stages(SUMMER))?.length, await stages(WINTER)], [2, undefined]);
  });

  test("on a road that is closed, far from an open one, are UNSUPPORTED_ROUTE like a place there", async () => {
    for (const stops of [
      ["west", [46.1, 7.2], "north"],
      ["west", "pass", "north"],
    ] as const)
      await assert.rejects(
        measure(stops, WINTER),
        refused(
          "UNSUPPORTED_ROUTE",
          /^No road from west to (Somewhere|pass) is open at that time\. High Pass is usually closed from 1 November to 31 May\.$/,
        ),
      );
    for (const stops of [
      [[46.1, 7.2], "north"],
      ["north", [46.1, 7.2]],
    ] as const)
      await assert.rejects(
        measure(stops, WINTER),
        refused("UNSUPPORTED_ROUTE", /^No road from (Somewhere|north) to (Somewhere|north) is open at that time\./),
      );
  });

  test("take the toll, the notes and the doubts of the road that they are on", async () => {
    const tolled = aRoadNetwork().edges.map(({ tunnel, ...edge }) => edge);
    const half: readonly [number, number] = [46.1, 7.3];
    const upToHalf = await measure(["east", half], SUMMER, tolled);
    assert.deepEqual([upToHalf.distanceKm, upToHalf.feesRappen], [20, 2_900]);
    assert.deepEqual(upToHalf.notes, ["Includes the toll of Long Tunnel."]);
    const through = await measure(["east", half, "north"], SUMMER, tolled);
    assert.deepEqual([through.distanceKm, through.feesRappen], [40, 2_900]);
    const twice = await measure(["east", [46.05, 7.35], half, "north"], SUMMER, tolled);
    assert.deepEqual([twice.distanceKm, twice.feesRappen], [40, 2_900]);
    const autumn = new Date("2026-10-25T10:00:00Z");
    assert.match((await measure([[46.05, 7.2], "middle"], autumn)).doubts.join(), /^High Pass is usually closed/);
    const twoOnPass = [46.02, 46.05].map((lat) => [lat, 7.2] as const);
    const onPass = await measure(twoOnPass, autumn);
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
    // 2.2 km from the middle, where the nearest open road in winter ends; train and tunnel run underneath.
    const winter = await measure([[46.02, 7.2], "north"], WINTER);
    assert.equal(winter.distanceKm, 21.1);
    assert.deepEqual(winter.doubts, ["Somewhere is on a road that is closed at that time: High Pass."]);
  });
});

test("the minutes are rounded up, the km to the hectometer", async () => {
  const edges = [
    { from: "west", to: "middle", km: 10.04, minutes: 10.1 },
    { from: "middle", to: "east", km: 10.02, minutes: 10.9 },
  ];
  const { distanceKm, durationMinutes } = await measure(["west", "east"], SUMMER, edges);
  assert.deepEqual([distanceKm, durationMinutes], [20.1, 21]);
});
