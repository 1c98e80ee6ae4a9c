import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CarTrain, RoadEdge } from "../../src/catalog/roads-schema.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { localMoment, usualWait, waitAt } from "../../src/routing/timetable.ts";
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

const train: CarTrain = {
  loadingMinutes: 5,
  fareRappen: 3_000,
  timetable: [
    { season: { from: "12-01", to: "04-30" }, first: "05:30", last: "22:45", everyMinutes: 30 },
    { days: ["tue", "wed", "thu"], first: "06:05", last: "18:35", everyMinutes: 60 },
    { days: ["fri", "sat"], first: "06:05", last: "20:35", everyMinutes: 15 },
  ],
};

function waitOn(local: string, at: CarTrain = train): number | undefined {
  return waitAt(at, new Date(local), "Europe/Zurich");
}

suite("the wait for a car train", () => {
  test("is loading and half an interval in its hours, by season and weekday", () => {
    assert.equal(waitOn("2027-01-15T12:00:00+01:00"), 20);
    assert.equal(waitOn("2027-07-15T12:00:00+02:00"), 35, "a Thursday");
    assert.equal(waitOn("2027-07-16T12:00:00+02:00"), 13, "a Friday, half a minute rounded up");
  });

  test("begins with the time until the first departure", () => {
    assert.equal(waitOn("2027-01-15T05:25:00+01:00"), 20);
    assert.equal(waitOn("2027-01-15T05:24:00+01:00"), 21);
    assert.equal(waitOn("2027-01-15T03:25:00+01:00"), 140);
  });

  test("lasts until the next morning where the last train leaves before the car is loaded", () => {
    assert.equal(waitOn("2027-01-15T22:40:00+01:00"), 20);
    assert.equal(waitOn("2027-01-15T22:41:00+01:00"), 424);
    assert.equal(waitOn("2027-07-17T21:00:00+02:00"), undefined, "no train on Sunday");
    assert.equal(waitOn("2027-07-19T12:00:00+02:00"), 1_115, "none on Monday");
  });

  test("is the loading alone at any hour without a timetable", () => {
    const { timetable, ...always } = train;
    assert.equal(waitOn("2027-01-15T03:00:00+01:00", always), 5);
    assert.equal(usualWait(always, { monthDay: "01-15", weekday: "fri" }), 5);
  });

  test("is usually that of the day's hours", () => {
    assert.equal(usualWait(train, { monthDay: "07-15", weekday: "thu" }), 35);
    assert.equal(usualWait(train, { monthDay: "07-15", weekday: "sun" }), undefined);
  });
});

test("the day is the one on the calendar of the time zone", () => {
  const dayOf = (at: string) => localMoment(new Date(at), "Europe/Zurich");
  assert.deepEqual(dayOf("2026-10-31T22:59:00Z"), { monthDay: "10-31", weekday: "sat", minute: 1439 });
  assert.deepEqual(dayOf("2026-10-31T23:00:00Z"), { monthDay: "11-01", weekday: "sun", minute: 0 });
  assert.deepEqual(dayOf("2026-12-31T23:30:00Z"), { monthDay: "01-01", weekday: "fri", minute: 30 });
});
