import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { medianRatio, mountainTimes, publishedTimes } from "../../../scripts/docs/driving-times.ts";
import { pathOf } from "../../../scripts/docs/road-distances.ts";
import type { PlaceEntry } from "../../../src/domain/catalog/places-schema.ts";
import type { RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { crowFliesKm } from "../../../src/domain/places/geo.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { isClosed } from "../../../src/domain/routing/timetable.ts";
import { recordsOf } from "../../support/csv-records.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

/** Longer than 2.6 times the crow's flight, and rightly so. */
// biome-ignore format: a table reads by its columns
const WINDING_ROADS: readonly string[] = [
  "arc-1600 bourg-st-maurice", "auddes la-tzoumaz", "ayent saint-leonard", "bourg-d-oisans alpe-d-huez",
  "bourg-st-maurice les-arcs", "caux glion", "charvensod pila", "fiesch ernen", "flumet notre-dame-de-bellecombe",
  "gieres chamrousse", "glion montreux", "heremence thyon-les-collons", "la-plagne-la-roche la-plagne",
  "la-rosiere-hairpins la-rosiere", "les-pleiades blonay", "les-saisies beaufort", "leytron dugny",
  "macot la-plagne-la-roche", "montvalezan la-rosiere-hairpins", "morschach wolfsprung-axenstrasse",
  "revereulaz torgon", "riddes auddes", "seez montvalezan", "serpiano riva-san-vitale", "sierre venthone",
  "thyon thyon-les-collons", "val-d-illiez champoussin", "venthone bluche", "veysonnaz thyon-les-collons",
  "vionnaz revereulaz",
];
/** Reached over roads alone that are closed in winter. */
// biome-ignore format: several fit on a line
const NOT_REACHED_IN_WINTER: readonly string[] = [
  "gletsch", "bielerhohe", "timmelsjoch",
  ..."albula fluela forcola furka gotthard grimsel klausen nufenen oberalp pragel san-bernardino splugen stelvio susten umbrail".split(" ").map((name) => `${name}-pass`),
];

/** A kilometer away lies another valley floor or shore. */
// biome-ignore format: a table reads by its columns
const OVER_A_CLIFF_OR_A_LAKE: readonly string[] = [
  "bellwald", "chandolin", "eischoll", "feldis", "flumserberg", "grachen", "jeizinen", "ladis",
  "madesimo", "seelisberg", "tremezzo",
];

const { roads, places } = defaultCatalog.catalog;
const router = createEmbeddedRouter(createRoadNetwork(roads, "Europe/Zurich"));
const carPlaces = places.filter((place) => !place.carFree);
const { signal } = new AbortController();

const SUMMER = new Date("2027-07-15T10:00:00Z");
const WINTER = new Date("2027-01-15T10:00:00Z");
const ZURICH_AIRPORT: RouteStop = { name: "Zurich Airport", roadNode: "zurich-airport", lat: 47.4515, lng: 8.5646 };

const named = ({ from, to }: RoadEdge) => `${from} ${to}`;
const stopAt = ({ id, name, lat, lng, node }: PlaceEntry): RouteStop => ({ name, lat, lng, roadNode: node ?? id });

suite("the roads", () => {
  test("are between 1.0 and 2.6 times as long as the crow flies, but for a listed few", () => {
    const ratioOf = (edge: RoadEdge) => edge.km / crowFlies(edge);
    const winding = roads.edges.filter((edge) => ratioOf(edge) < 1 || ratioOf(edge) > 2.6);
    assert.deepEqual(winding.map(named).sort(), WINDING_ROADS);
  });

  test("are driven at 20 to 115 km/h, car trains excepted", () => {
    const fast = roads.edges.filter(
      ({ km, minutes, carTrain }) => !carTrain && (km / minutes < 20 / 60 || km / minutes > 115 / 60),
    );
    assert.deepEqual(fast.map(named), []);
  });

  test("in the mountains take about the times that are published by car", async () => {
    const times = mountainTimes(await publishedTimes());
    assert.ok(times.length >= 20, `${times.length} published times`);
    const ratio = medianRatio(times);
    assert.ok(0.95 <= ratio && ratio <= 1.15, `published times are ${ratio.toFixed(2)} of ours at the median`);
  });

  const odd: Readonly<Record<string, (edge: RoadEdge) => boolean>> = {
    "that are car trains have a name, a fare, and a timetable or run by arrangement": ({ road, name, carTrain }) =>
      (road === "car_train") !== (carTrain !== undefined) ||
      (carTrain !== undefined &&
        (!name || !(carTrain.fareRappen > 0) || !carTrain.timetable === !carTrain.byArrangement)),
    "that are passes close over the turn of the year": (edge) =>
      edge.closed !== undefined && !edge.carTrain && (!isClosed(edge, "01-15") || isClosed(edge, "07-15")),
    "that are tunnels by their name are entered at their ends alone": ({ name, tunnel }) =>
      name?.includes("Tunnel") === true && !tunnel,
    "that cost a toll of their own are named": ({ toll, road, name }) =>
      toll !== undefined && !["motorway", "expressway"].includes(road) && !name,
  };
  for (const [title, isOdd] of Object.entries(odd))
    test(title, () => assert.deepEqual(roads.edges.filter(isOdd).map(named), []));
});

suite("published lengths of roads", () => {
  const published = recordsOf(pathOf("road-lengths.csv")).map((row) => {
    const [road = "", km = ""] = row.split(",");
    const nodes = road.split(" ");
    return { road, km: Number(km), edges: nodes.slice(1).map((to, index) => edgeBetween(nodes[index] ?? to, to)) };
  });

  for (const { road, km, edges } of published)
    test(`are kept: ${road}`, () => {
      const drawn = edges.reduce((sum, edge) => sum + edge.km, 0);
      assert.ok(Math.abs(drawn - km) < 0.06, `${drawn} instead of ${km} km`);
    });

  test("are of roads that no table judges the network by", () => {
    const tables = ["road-facts.csv", "road-checks.csv", "road-second-checks.csv"];
    const judged = tables.flatMap((file) => recordsOf(pathOf(file)).map((row) => row.split(",").slice(0, 2)));
    const nameOf = (id = "") => roads.nodes.get(id)?.name ?? "";
    const judgedToo = published.filter(({ road }) => {
      const nodes = road.split(" ");
      const ends = [nameOf(nodes[0]), nameOf(nodes.at(-1))];
      return judged.some((pair) => ends.every((name) => pair.includes(name)));
    });
    assert.deepEqual(judgedToo, []);
  });
});

suite("places and roads", () => {
  test("a place is attached to a road node at most 2 km away", () => {
    const isAstray = (place: PlaceEntry) => {
      const node = roads.nodes.get(place.node ?? place.id);
      return !node || crowFliesKm(place, node) > 2;
    };
    assert.deepEqual(carPlaces.filter(isAstray), []);
  });

  for (const [season, departure, exceptions] of [
    ["summer", SUMMER, []],
    ["winter", WINTER, NOT_REACHED_IN_WINTER],
  ] as const) {
    test(`every place that cars reach is reached from Zurich Airport in ${season}, without an unreasonable detour`, async () => {
      const failing: string[] = [];
      for (const place of carPlaces) {
        const route = await router.measure([ZURICH_AIRPORT, stopAt(place)], departure, signal).catch(() => undefined);
        const crow = crowFliesKm(ZURICH_AIRPORT, place);
        const sane = route && route.distanceKm >= crow * 0.9 && route.distanceKm <= crow * 2.6 + 10;
        if (!sane && place.id !== "zurich-airport") failing.push(place.id);
      }
      assert.deepEqual(failing.sort(), [...exceptions].sort());
    });
  }
});

test("positions a kilometer beside places are reached in about their time, but for a few over a cliff or a lake", async () => {
  const hubs = ["zurich-airport"].map((id) => {
    return stopAt(places.find((place) => place.id === id) ?? assert.fail(id));
  });
  const minutesTo = async (hub: RouteStop, stop: RouteStop) =>
    (await router.measure([hub, stop], SUMMER, signal)).durationMinutes;
  const odd = new Set<string>();
  for (const place of carPlaces)
    for (const hub of hubs) {
      const usual = await minutesTo(hub, stopAt(place));
      for (const [north, east] of [
        [0.009, 0],
        [-0.009, 0],
        [0, 0.013],
        [0, -0.013],
      ] as const) {
        const beside = { name: place.name, roadNode: null, lat: place.lat + north, lng: place.lng + east };
        if (Math.abs((await minutesTo(hub, beside)) - usual) > 15) odd.add(place.id);
      }
    }
  assert.deepEqual([...odd].sort(), OVER_A_CLIFF_OR_A_LAKE);
});

function edgeBetween(a: string, b: string): RoadEdge {
  const isBetween = ({ from, to }: RoadEdge) => (from === a && to === b) || (from === b && to === a);
  return roads.edges.find(isBetween) ?? assert.fail(`no road from ${a} to ${b}`);
}

function crowFlies({ from, to }: RoadEdge): number {
  const [a, b] = [roads.nodes.get(from), roads.nodes.get(to)];
  return a && b ? crowFliesKm(a, b) : 0;
}
