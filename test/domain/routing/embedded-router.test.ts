import { suite } from "node:test";
import type { CarTrain, RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import { routerContract } from "../../ports/router.contract.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aRoadNetwork, routed } from "../../support/road-fixture.ts";

const embedded = (roads: Parameters<typeof createRoadNetwork>[0]) =>
  createEmbeddedRouter(createRoadNetwork(roads, "Europe/Zurich"));
const over = (...edges: readonly Partial<RoadEdge>[]) => embedded(aRoadNetwork({ edges }));
const ROADS = embedded(aRoadNetwork());

routerContract("embedded", async () => embedded(defaultCatalog.catalog.roads));

/** The roads of the fixture with a car train of these terms. */
function withTrain(carTrain: Partial<CarTrain>) {
  const edges = aRoadNetwork().edges.map((edge) =>
    edge.carTrain ? { ...edge, carTrain: { loadingMinutes: 20, fareRappen: 2_950, ...carTrain } } : edge,
  );
  return over(...edges);
}

suite("routes through the network", () => {
  routed(
    "in winter take the car train, with its wait in the time, its fare in the fees and its name in the notes",
    ROADS,
    `west > north; winter -> 38 km, 80 min, 2950 Rappen
      -> says Includes the Deep car train: about 45 min wait, 15 min ride.
      -> says High Pass is usually closed from 1 November to 31 May: the route avoids it.
     west > north; summer -> 45 km, 60 min, 0 Rappen
      -> never High Pass
     west > east; winter  -> 40 km, 35 min, 0 Rappen
      -> never High Pass`,
  );
  routed(
    "name each toll once and cost it for each passage",
    ROADS,
    `east > north -> 40 km, 50 min, 2900 Rappen
      -> says Includes tolls: Long Tunnel.
     east > north > east -> 80 km, 100 min, 5800 Rappen`,
  );
  routed(
    "name all tolls in one sentence, roads with a name in the order of the way and motorways last",
    over(
      { from: "west", to: "middle", name: "First Tunnel", toll: { fareRappen: 100 } },
      { from: "middle", to: "north", toll: { fareRappen: 300 } },
      { from: "north", to: "east", name: "Second Tunnel", toll: { fareRappen: 200 } },
    ),
    `west > east   -> 3 km
      -> says Includes tolls: First Tunnel, Second Tunnel, motorways.
     east > west   -> 3 km
      -> says Includes tolls: Second Tunnel, First Tunnel, motorways.
     middle > north -> 1 km
      -> says Includes tolls: motorways.`,
  );
  routed(
    "by a car train that runs by arrangement need confirmation",
    over({
      from: "west",
      to: "middle",
      minutes: 15,
      name: "Old car train",
      carTrain: { loadingMinutes: 45, fareRappen: 6_500, byArrangement: true },
    }),
    `west > middle -> 1 km
      -> doubts The Old car train has no timetable and runs by arrangement.`,
  );
  routed(
    "that no road joins are refused by the names of the two stops",
    ROADS,
    `west > island        -> refuses from west to island
     west > east > island -> refuses from east to island`,
  );
  routed(
    "have minutes that are rounded up and kilometers to the hectometer",
    over(
      { from: "west", to: "middle", km: 10.04, minutes: 10.1 },
      { from: "middle", to: "east", km: 10.02, minutes: 10.9 },
    ),
    "west > east -> 20.1 km, 21 min",
  );

  // The pass takes 5 min longer and is 7 km longer: 6.05 min at 0.15 min a km.
  for (const [reluctanceMinutes, wanted] of [
    [0, "38 km, 55 min"],
    [6, "38 km, 55 min"],
    [7, "45 km, 60 min"],
  ] as const)
    routed(
      `with a reluctance of ${reluctanceMinutes} min against the train, which is no part of the time`,
      withTrain(reluctanceMinutes ? { reluctanceMinutes } : {}),
      `west > north         -> ${wanted}
       west > north; winter -> 38 km, 55 min`,
    );

  for (const [fastKm, wanted] of [
    [166, 166],
    [167, 100],
  ] as const)
    routed(
      `of ${fastKm} km in 60 min or 100 km in 70 min have ${wanted} km`,
      over(
        { from: "west", to: "east", km: fastKm, minutes: 60 },
        { from: "west", to: "middle", km: 50, minutes: 35 },
        { from: "middle", to: "east", km: 50, minutes: 35 },
      ),
      `west > east -> ${wanted} km`,
    );
});

suite("the hours of a car train", () => {
  const timed = withTrain({ loadingMinutes: 5, timetable: [{ first: "05:30", last: "23:00", everyMinutes: 30 }] });
  routed(
    "decide by local time whether the route takes it, 20 minutes after the pickup, or goes around",
    timed,
    `west > north; 2027-01-15 22:35 -> 38 km
     west > north; 2027-01-15 22:36 -> 80 km
     west > north; 2027-01-15 04:00 -> 80 km
     west > north; 2027-01-15 05:00 -> 38 km`,
  );
  routed(
    "make the wait for the first train part of the time, and of what is said",
    timed,
    // At the terminal at 05:10: 20 minutes, half an interval, and the ride of 15.
    `west > north; 2027-01-15 04:50 -> 70 min
      -> says Includes the Deep car train: about 35 min wait, 15 min ride.`,
  );
  routed(
    "count from the pickup over all legs, stays and the access to the road",
    timed,
    `west > middle > north; 2027-01-15 22:20        -> 38 km
     west > middle > west > north; 2027-01-15 22:20 -> 120 km
     west > middle 15' > north; 2027-01-15 22:20    -> 38 km
     west > middle 16' > north; 2027-01-15 22:20    -> 80 km
     45.99, 6.99 > north; 2027-01-15 22:34          -> 81.9 km`,
  );
});

suite("positions off the network", () => {
  // A hundredth of a degree of latitude is 1.112 km; 1.4 times that is 1.557 km, driven at 35 km/h in 2.67 min. A
  // hundredth of longitude at 46° north is 0.772 km: 1.081 km and 1.85 min.
  routed(
    "enter it at the nearest point of a road, with the last stretch driven slowly",
    ROADS,
    `46.01, 7.1 > west        -> 11.6 km, 13 min
     west > 46.01, 7.1        -> 11.6 km, 13 min
     46, 7.05 > west          -> 5 km, 5 min
     46, 6.99 > west          -> 1.1 km, 2 min
     46.01, 7.05 > 46.01, 7.15 -> 13.1 km, 16 min`,
  );
  routed(
    "more than 3 km away need confirmation, and more than 15 km away are refused",
    ROADS,
    // 2.89, 3.11 and 14.90 km; 14.90 × 1.4 + 10 km.
    `45.974, 7.1 > west -> certain
     45.972, 7.1 > west -> doubts Somewhere is 3.1 km from the nearest road in the data of this service.
     45.866, 7.1 > west -> 30.9 km
      -> doubts Somewhere is 14.9 km from
     45.865, 7.1 > west -> refuses Somewhere lies more than 15 km`,
  );
  const doubt = "doubts Somewhere is on a road that is closed at that time: High Pass.";
  routed(
    "beside a road that is closed need confirmation and have no time, unless an open one is about as near",
    ROADS,
    // 1.22 and 0.89 km up the pass road from the middle. From 2.2 km, the nearest open road in winter ends in the middle.
    `46.011, 7.2 > west; winter  -> ${doubt}
      -> untimed
     46.011, 7.2 > west; summer  -> certain
     46.008, 7.2 > west; winter  -> certain
     46.02, 7.2 > north; winter  -> 21.1 km
      -> ${doubt}
      -> untimed`,
  );
  const closed = "is open at that time. High Pass is usually closed from 1 November to 31 May.";
  routed(
    "on a road that is closed, far from an open one, are refused like a place there",
    ROADS,
    `west > 46.1, 7.2 > north; winter -> refuses No road from west to Somewhere ${closed}
     west > pass > north; winter      -> refuses No road from west to pass ${closed}
     46.1, 7.2 > north; winter        -> refuses No road from Somewhere to north is open at that time.
     north > 46.1, 7.2; winter        -> refuses No road from north to Somewhere is open at that time.`,
  );
  routed("are put on no car train and no tunnel, which run underneath", ROADS, "46.1, 7.2 > north -> 12.5 km");
  routed(
    "take the toll, the notes and the doubts of the road that they are on, once for it",
    over(...aRoadNetwork().edges.map(({ tunnel: _, ...edge }) => edge)),
    `east > 46.1, 7.3                        -> 20 km, 2900 Rappen
      -> says Includes tolls: Long Tunnel.
     east > 46.1, 7.3 > north                -> 40 km, 2900 Rappen
     east > 46.05, 7.35 > 46.1, 7.3 > north  -> 40 km, 2900 Rappen
     46.05, 7.2 > middle; 2026-10-25         -> doubts High Pass is usually closed
      -> untimed
     46.02, 7.2 > 46.05, 7.2; 2026-10-25     -> doubts High Pass is usually closed
      -> untimed`,
  );
  routed(
    "far longer by road than by the straight line need confirmation, near ones and places do not",
    over({ from: "west", to: "middle", km: 60, minutes: 60 }),
    `46, 7 > 46, 7.2 -> doubts The route from Somewhere to Somewhere is 3.9 times as long as the straight line.
     46, 7 > 46, 7.03 -> certain
     west > middle    -> certain`,
  );
});
