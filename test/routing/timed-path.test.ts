import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CarTrain, RoadEdge } from "../../src/catalog/roads-schema.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { aRoadNetwork, aStop } from "../support/road-fixture.ts";

const { signal } = new AbortController();

/** Half an interval and loading make 20 minutes. */
function aTrain(first: string, last = "23:00"): Pick<RoadEdge, "km" | "minutes" | "carTrain"> {
  const timetable: CarTrain["timetable"] = [{ first, last, everyMinutes: 30 }];
  return { km: 18, minutes: 15, carTrain: { loadingMinutes: 5, fareRappen: 2_950, timetable } };
}

async function measure(edges: readonly Partial<RoadEdge>[], to: string, departure: string) {
  const router = createEmbeddedRouter(createRoadNetwork(aRoadNetwork({ edges }), "Europe/Zurich"));
  const { distanceKm, durationMinutes } = await router.measure(["west", to].map(aStop), new Date(departure), signal);
  return { distanceKm, durationMinutes };
}

suite("a second car train", () => {
  const edges = [
    { from: "west", to: "middle", km: 20, minutes: 20 },
    { from: "middle", to: "north", ...aTrain("05:30") },
    { from: "north", to: "pass", ...aTrain("06:30") },
  ];

  test("is reached after the ride and the wait for the first", async () => {
    assert.equal((await measure(edges, "pass", "2027-01-15T12:00:00+01:00")).durationMinutes, 90);
    // 04:10 at the first terminal and 95 min there; 06:00 at the second and 45 min there.
    assert.equal((await measure(edges, "pass", "2027-01-15T03:50:00+01:00")).durationMinutes, 190);
  });

  test("is missed where the wait for the first takes too long", async () => {
    const around = [
      { from: "west", to: "middle", km: 20, minutes: 20 },
      { from: "middle", to: "north", ...aTrain("05:30") },
      { from: "north", to: "pass", ...aTrain("04:00", "05:55") },
      { from: "north", to: "pass", km: 60, minutes: 60 },
    ];
    assert.equal((await measure(around, "pass", "2027-01-15T03:50:00+01:00")).distanceKm, 98);
  });
});

test("a train that is waited for is reached by a shorter road", async () => {
  const edges = [
    { from: "west", to: "middle", km: 40, minutes: 20, road: "motorway" as const },
    { from: "west", to: "east", km: 10, minutes: 20 },
    { from: "east", to: "middle", km: 10, minutes: 20 },
    { from: "middle", to: "north", ...aTrain("05:30") },
  ];
  assert.deepEqual(await measure(edges, "north", "2027-01-15T12:00:00+01:00"), { distanceKm: 58, durationMinutes: 55 });
  assert.deepEqual(await measure(edges, "north", "2027-01-15T03:30:00+01:00"), {
    distanceKm: 38,
    durationMinutes: 150,
  });
  // 25 min of wait are too few for a road that takes 40 instead of 20: it would leave with the next train.
  assert.equal((await measure(edges, "north", "2027-01-15T05:00:00+01:00")).distanceKm, 58);
});
