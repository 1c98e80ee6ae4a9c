import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { textsOf } from "../../../src/contract/notices.ts";
import type { CarTrain, RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { waitAt } from "../../../src/domain/routing/timetable.ts";
import { inWords } from "../../support/fake-router.ts";
import { aRoadNetwork, aStop } from "../../support/road-fixture.ts";

const router = createEmbeddedRouter(createRoadNetwork(aRoadNetwork(), "Europe/Zurich"));
const { signal } = new AbortController();

suite("a pass that is closed from 1 November to 31 May", () => {
  const measureOn = async (day: string, ...ends: string[]) =>
    inWords(await router.measure(ends.map(aStop), new Date(`${day}T10:00:00Z`), signal));

  test("near the change the route avoids it without a doubt, and a note says that it may shorten the drive", async () => {
    const note =
      "High Pass is usually closed from 1 November to 31 May. Within three weeks of these dates the route avoids it; if it is open, the drive may take less time.";
    // biome-ignore format: a table reads by its columns
    for (const [day, km, isNoted] of [
      ["2027-07-15", 45, false], ["2026-10-10", 45, false], ["2026-10-11", 38, true], ["2026-11-01", 38, true],
      ["2026-11-22", 38, true], ["2026-11-23", 38, false], ["2027-01-15", 38, false], ["2028-02-29", 38, false],
      ["2027-05-10", 38, false], ["2027-05-11", 38, true], ["2027-06-01", 38, true], ["2027-06-22", 38, true],
      ["2027-06-23", 45, false],
    ] as const) {
      const { distanceKm, doubts, notes } = await measureOn(day, "west", "north");
      assert.deepEqual([distanceKm, doubts, notes.includes(note)], [km, [], isNoted], day);
    }
    assert.deepEqual((await measureOn("2027-06-10", "west", "east")).notes, []);
    const detour = "High Pass is usually closed from 1 November to 31 May: the route avoids it.";
    const said = async (day: string) => (await measureOn(day, "west", "north")).notes.includes(detour);
    assert.deepEqual(
      [await said("2027-01-15"), await said("2026-11-01"), await said("2027-07-15")],
      [true, false, false],
    );
  });

  test("near a change in January the route avoids it in December", async () => {
    const closed = { from: "01-05", to: "05-31" };
    const edges = aRoadNetwork().edges.map((edge) => (edge.closed ? { ...edge, closed } : edge));
    const early = createEmbeddedRouter(createRoadNetwork(aRoadNetwork({ edges }), "Europe/Zurich"));
    const kmOn = async (day: string) =>
      (await early.measure(["west", "north"].map(aStop), new Date(`${day}T10:00:00Z`), signal)).distanceKm;
    assert.deepEqual([await kmOn("2026-12-14"), await kmOn("2026-12-15")], [45, 38]);
  });

  test("near the change a place that no other road reaches needs confirmation, with the reason", async () => {
    const { distanceKm, doubts, notes } = await measureOn("2027-06-10", "west", "pass");
    assert.equal(distanceKm, 32.5);
    assert.deepEqual(doubts, [
      "High Pass is usually closed from 1 November to 31 May; the pickup is within three weeks of these dates.",
    ]);
    assert.deepEqual(notes, []);
    await assert.rejects(measureOn("2027-05-20", "west", "pass"), { code: "UNSUPPORTED_ROUTE" });
  });

  test("near the change a position beside it needs confirmation", async () => {
    const beside = aStop([46.05, 7.2]);
    const { doubts } = await router.measure([beside, aStop("west")], new Date("2027-06-10T10:00:00Z"), signal);
    assert.match(textsOf(doubts).join(), /^High Pass is usually closed .* within three weeks of these dates\.$/);
  });
});

test("a leg far longer than the straight line asks for confirmation between positions, a short one does not", async () => {
  const detour = aRoadNetwork({ edges: [{ from: "west", to: "middle", km: 60, minutes: 60 }] });
  const over = createEmbeddedRouter(createRoadNetwork(detour, "Europe/Zurich"));
  const doubtsBetween = async (...stops: readonly RouteStop[]) =>
    textsOf((await over.measure(stops, new Date("2027-07-15T10:00:00Z"), signal)).doubts);
  const from = aStop([46, 7]);
  const doubt = "The route from Somewhere to Somewhere is 3.9 times as long as the straight line.";
  assert.deepEqual(await doubtsBetween(from, aStop([46, 7.2])), [doubt]);
  assert.deepEqual(await doubtsBetween(from, aStop([46, 7.03])), []);
  const places = ["west", "middle"].map((name, at) => ({ ...aStop(name), lat: 46, lng: 7 + at * 0.2 }));
  assert.deepEqual(await doubtsBetween(...places), [], "the road between two places is known");
});

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
  });
});
