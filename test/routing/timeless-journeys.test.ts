import assert from "node:assert/strict";
import { test } from "node:test";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadGraph } from "../../src/routing/road-graph.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";

const { catalog, places } = defaultCatalog;
const { roads, corridors } = catalog;
const graph = createRoadGraph(roads);
const aNetwork = () => createRoadNetwork(roads, "Europe/Zurich", graph);
/** By day and by night, around openings of passes, and in summer and winter. */
const INSTANTS = [
  "2026-11-29T11:00:00Z",
  "2027-01-15T02:00:00Z",
  "2027-01-15T13:00:00Z",
  "2027-05-20T10:00:00Z",
  "2027-05-21T10:00:00Z",
  "2027-07-18T10:00:00Z",
];

function stopAt(id: string): RouteStop {
  const found = places.byId(id);
  return found ? stopOf(found) : assert.fail(id);
}

test("a journey is the same whatever was asked before", () => {
  const warm = aNetwork();
  const journeys = corridors
    .filter((_, index) => index % 4 === 0)
    .map(({ origin, destination }) => [stopAt(origin), stopAt(destination)]);
  for (const round of [INSTANTS, [...INSTANTS].reverse()]) {
    for (const instant of round) {
      const fresh = aNetwork();
      for (const stops of journeys) {
        const [asked, expected] = [warm, fresh].map((network) => network.journey(stops, new Date(instant)));
        assert.deepEqual(asked, expected, `${stops.map(({ name }) => name).join(" to ")} at ${instant}`);
      }
    }
  }
});

test("is kept for two nodes, and only for the stops themselves", () => {
  const network = aNetwork();
  const [from, to] = [stopAt("zurich-airport"), stopAt("bern")];
  const at = new Date("2027-07-18T10:00:00Z");
  const journey = network.journey([from, to], at);
  assert.equal(network.journey([from, to], new Date("2027-07-19T18:30:00Z")), journey);
  for (const changed of [{ name: "Berne" }, { lat: 46.9 }, { lng: 7.5 }, { address: "bern" }, { dwellMinutes: 5 }]) {
    const kept = network.journey([from, to], at);
    const other = network.journey([from, { ...to, ...changed }], at);
    assert.equal(other === kept, "dwellMinutes" in changed, JSON.stringify(changed));
  }
  assert.notEqual(network.journey([from, stopAt("thun"), to], at), journey);
});
