import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCatalogOverlay } from "../../../src/adapters/engines/catalog-overlay.ts";
import { textsOf } from "../../../src/contract/notices.ts";
import type { CarTrain, RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { withClosures } from "../../../src/domain/routing/closures.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import { waitAt } from "../../../src/domain/routing/timetable.ts";
import { aRoadNetwork, aStop, routed } from "../../support/road-fixture.ts";
import { instantOf } from "../../support/told.ts";

const timeZone = "Europe/Zurich";
const roads = aRoadNetwork();
const network = createRoadNetwork(roads, timeZone);
const over = (...edges: readonly Partial<RoadEdge>[]) =>
  createEmbeddedRouter(createRoadNetwork(aRoadNetwork({ edges }), timeZone));

suite("a pass that is closed from 1 November to 31 May", () => {
  const usually = "High Pass is usually closed from 1 November to 31 May";
  const near = `${usually}. Within three weeks of these dates the route avoids it; if it is open, the drive may take less time.`;
  const closed = `${usually}: the route avoids it.`;
  const DAYS = Object.entries({
    "2026-10-10 23:59": "open",
    "2026-10-11 00:00": near,
    "2026-11-01 11:00": near,
    "2026-11-22 11:00": near,
    "2026-11-23 11:00": closed,
    "2028-02-29 11:00": closed,
    "2027-05-10 11:00": closed,
    "2027-05-11 11:00": near,
    "2027-06-22 23:59": near,
    "2027-06-23 00:00": "open",
  });
  routed(
    "is avoided within three weeks of its dates too, without a doubt, and a note says why",
    createEmbeddedRouter(network),
    DAYS.map(([day, note]) => `west > north; ${day} -> ${note === "open" ? "45 km" : `38 km\n -> says ${note}`}`).join(
      "\n",
    ),
  );
  routed(
    "says nothing of a route elsewhere",
    createEmbeddedRouter(network),
    "west > east; 2027-06-10 -> never High Pass",
  );
  const january = { from: "01-05", to: "05-31" };
  routed(
    "is avoided in December, where it closes in January",
    over(...roads.edges.map((edge) => (edge.closed ? { ...edge, closed: january } : edge))),
    `west > north; 2026-12-14 -> 45 km
     west > north; 2026-12-15 -> 38 km`,
  );
  const doubt = `${usually}; the pickup is within three weeks of these dates.`;
  routed(
    "near its dates leaves what no other road reaches to be confirmed, with the reason",
    createEmbeddedRouter(network),
    `west > pass; 2027-06-10       -> 32.5 km
      -> doubts ${doubt}
      -> untimed
      -> never High Pass
     46.05, 7.2 > west; 2027-06-10 -> doubts ${doubt}
      -> untimed
     west > pass; 2027-05-20       -> refuses ${usually}`,
  );
});

suite("a road that the operator has closed", () => {
  const closure = {
    id: "storm",
    road: "High Pass",
    from: "2027-07-15",
    to: "2027-07-16",
    reason: "Danger of avalanches.",
  };
  const closing = withClosures(network, roads, { closures: [closure], timeZone });
  const until = "High Pass is closed from 15 July 2027, 00:00 to 17 July 2027, 00:00";
  const doubt = "Somewhere is on a road that is closed at that time: High Pass.";
  const unsure = `doubts ${doubt}\n -> untimed\n -> says ${until}; the route avoids it. Danger of avalanches.`;
  routed(
    "leaves positions on it to be confirmed where an open one is near, refuses them elsewhere, and opens again",
    createEmbeddedRouter(closing),
    `west > 46.02, 7.2; 2027-07-17        -> certain
     west > 46.05, 7.2; 2027-07-17        -> certain
     west > 46.02, 7.2; 2027-07-15        -> ${unsure}
     46.02, 7.2 > west; 2027-07-15        -> ${unsure}
     west > 46.02, 7.2 > east; 2027-07-15 -> ${unsure}
     west > 46.05, 7.2; 2027-07-15        -> refuses No road from west to Somewhere is open at that time. ${until}. Danger of avalanches.
     west > 46.05, 7.2; winter            -> refuses No road from west to Somewhere is open at that time.`,
  );

  const train = { ...closure, id: "train", road: "Deep car train" };
  routed(
    "stays avoided where the way around it is closed as well",
    createEmbeddedRouter(withClosures(network, roads, { closures: [closure, train], timeZone })),
    "west > north; 2027-07-15 -> 80 km",
  );

  routed(
    "is closed by its hours where it has some, also for a car that reaches it then",
    createEmbeddedRouter(
      withClosures(network, roads, {
        closures: [{ ...closure, from: "2027-07-15T12:00", to: "2027-07-15T15:00" }],
        timeZone,
      }),
    ),
    `west > north; 2027-07-15 10:00 -> 45 km
     west > north; 2027-07-15 11:30 -> 38 km
     west > north; 2027-07-15 14:59 -> 38 km
     west > north; 2027-07-15 15:00 -> 45 km`,
  );
  routed(
    "is closed until the end of its last day",
    createEmbeddedRouter(closing),
    `west > north; 2027-07-14 12:00 -> 45 km
     west > north; 2027-07-15 08:00 -> 38 km
     west > north; 2027-07-16 23:00 -> 38 km
     west > north; 2027-07-17 00:00 -> 45 km`,
  );

  test("stays on the way that counts as usual", () => {
    const kmOn = (day: string) => {
      const { distanceKm, usualKm } = closing.journey([aStop("west"), aStop("north")], instantOf(`${day} 12:00`));
      return [distanceKm, usualKm];
    };
    assert.deepEqual(kmOn("2027-07-15"), [38, 45]);
    assert.deepEqual(kmOn("2027-07-17"), [45, 45]);
  });

  test("leaves them to be confirmed with a routing engine too, which does not know the closure", () => {
    const doubtsOn = (day: string) => {
      const overlay = createCatalogOverlay(closing, roads, timeZone);
      return textsOf(overlay.on([aStop("west"), aStop([46.02, 7.2])], instantOf(day)).over(22.2, false).doubts);
    };
    assert.deepEqual([doubtsOn("2027-07-15 12:00"), doubtsOn("2027-07-17 12:00")], [[doubt], []]);
  });
});

suite("a second car train", () => {
  /** Half an interval and loading make 20 minutes. */
  const aTrain = (first: string, last = "23:00"): Partial<RoadEdge> => {
    const timetable: CarTrain["timetable"] = [{ first, last, everyMinutes: 30 }];
    return { km: 18, minutes: 15, carTrain: { loadingMinutes: 5, fareRappen: 2_950, timetable } };
  };
  const toTrain = { from: "west", to: "middle", km: 20, minutes: 20 };
  const first = { from: "middle", to: "north", ...aTrain("05:30") };
  routed(
    "is reached after the ride and the wait for the first",
    over(toTrain, first, { from: "north", to: "pass", ...aTrain("06:30") }),
    // 04:10 at the first terminal and 95 min there; 06:00 at the second and 45 min there.
    `west > pass; 2027-01-15 12:00 -> 90 min
     west > pass; 2027-01-15 03:50 -> 190 min`,
  );
  routed(
    "is missed where the wait for the first takes too long",
    over(
      toTrain,
      first,
      { from: "north", to: "pass", ...aTrain("04:00", "05:55") },
      { from: "north", to: "pass", km: 60, minutes: 60 },
    ),
    "west > pass; 2027-01-15 03:50 -> 98 km",
  );
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
const { timetable: _, ...always } = train;

suite("the wait for a car train", () => {
  for (const [why, at, minutes, of] of [
    ["is loading and half an interval", "2027-01-15 12:00", 20],
    ["is that of the season and weekday, a Thursday in summer", "2027-07-15 12:00", 35],
    ["on a Friday, half a minute rounded up", "2027-07-16 12:00", 13],
    ["where the car is loaded for the first departure", "2027-01-15 05:25", 20],
    ["begins with the minute until the first departure", "2027-01-15 05:24", 21],
    ["begins with the hours until the first departure", "2027-01-15 03:25", 140],
    ["where the car is loaded before the last train leaves", "2027-01-15 22:40", 20],
    ["lasts until the next morning where it is not", "2027-01-15 22:41", 424],
    ["has no end before a Sunday without trains", "2027-07-17 21:00", undefined],
    ["lasts over a Monday without trains", "2027-07-19 12:00", 1_115],
    ["is the loading alone at any hour without a timetable", "2027-01-15 03:00", 5, always],
  ] as const)
    test(why, () => assert.equal(waitAt(of ?? train, instantOf(at), timeZone), minutes));
});
