import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { RoadEdge } from "../../src/catalog/roads-schema.ts";
import { createLightestPath } from "../../src/routing/lightest-path.ts";
import { createRoadGraph } from "../../src/routing/road-graph.ts";
import { createRoadStates, type RoadState } from "../../src/routing/road-state.ts";
import { createJoinsNodes } from "../../src/routing/search.ts";
import { createFindApproach } from "../../src/routing/timed-path.ts";
import type { LocalDay } from "../../src/routing/timetable.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { plainSearch, plainSearchByTwo } from "../support/plain-search.ts";

const { roads, places } = loadCatalog(DEFAULT_CATALOG);
const graph = createRoadGraph(roads);
const nodes = [...roads.nodes.keys()];
const placeNodes = [...new Set(places.map(({ id, node }) => node ?? id))].filter((id) => roads.nodes.has(id));
const trains = roads.edges.filter(({ carTrain }) => carTrain?.timetable);

const DAYS: readonly LocalDay[] = [
  { monthDay: "07-15", weekday: "thu" },
  { monthDay: "01-15", weekday: "fri" },
  { monthDay: "04-27", weekday: "tue" },
  { monthDay: "11-22", weekday: "mon" },
];
const ROUNDING = 1e-9;

/** Every kind of state that journeys are searched in. */
function statesOn(day: LocalDay): readonly RoadState[] {
  const states = createRoadStates(roads);
  const [certain, train] = [states.certainOn(day), trains[DAYS.indexOf(day) % trains.length]];
  return [certain, states.allOpenOn(day), ...(train ? [certain.without(train)] : [])];
}

suite("the search finds what one without landmarks, goals and caches finds", () => {
  for (const day of DAYS) {
    test(`on ${day.weekday} ${day.monthDay}: what every path weighs`, () => {
      const findPath = createLightestPath(roads, graph);
      for (const [index, state] of statesOn(day).entries()) {
        const from = placeNodes[(index * 211 + 17) % placeNodes.length] ?? "";
        const expected = plainSearch(roads, from, (_, position) => state.weightOf(position));
        for (const to of nodes) {
          const path = findPath(from, to, state);
          const weight = path?.weight ?? Number.POSITIVE_INFINITY;
          const least = expected.get(to) ?? Number.NaN;
          assert.ok(weight === least || Math.abs(weight - least) < ROUNDING, `${from} ${to}: ${weight}, ${least}`);
          if (!path) continue;
          assert.ok(Math.abs(state.weigh(path.km, path.minutes) - least) < ROUNDING, `the roads of ${from} ${to}`);
        }
      }
    });
  }
});

test("joins the nodes between which the plain search finds a path, and no others", () => {
  const joinsNodes = createJoinsNodes(graph);
  for (const state of DAYS.flatMap(statesOn)) {
    for (const from of ["zurich-airport", "gletsch"]) {
      const weights = plainSearch(roads, from, (_, position) => state.weightOf(position));
      for (const [to, weight] of weights)
        assert.equal(joinsNodes(from, to, state), Number.isFinite(weight), `${from} ${to}`);
    }
  }
});

suite("the road to a train that is waited for is the best of all that are there in time", () => {
  for (const day of DAYS.slice(1, 2)) {
    test(`on ${day.weekday} ${day.monthDay}`, () => {
      const findApproach = createFindApproach(roads, graph);
      const state = createRoadStates(roads).certainOn(day);
      const drive = (edge: RoadEdge) =>
        state.isOpen(edge) && !edge.carTrain?.timetable ? { km: edge.km, minutes: state.minutesOf(edge) } : undefined;
      for (const terminal of trains.flatMap(({ from, to }) => [from, to])) {
        const ways = plainSearchByTwo(roads, terminal, drive);
        for (const [index, from] of placeNodes.filter((_, position) => position % 40 === 0).entries()) {
          const readyMinutes = (index % 5) * 90;
          const weights = (ways.get(from) ?? []).map(({ km, minutes }) =>
            state.weigh(km, Math.max(readyMinutes, minutes)),
          );
          const edges = findApproach(from, terminal, state, readyMinutes);
          const minutes = edges?.reduce((sum, edge) => sum + state.minutesOf(edge), 0) ?? Number.NaN;
          const km = edges?.reduce((sum, edge) => sum + edge.km, 0) ?? Number.NaN;
          const weight = state.weigh(km, Math.max(readyMinutes, minutes));
          assert.ok(Math.abs(weight - Math.min(...weights)) < ROUNDING, `${from} ${terminal} ${readyMinutes}`);
        }
      }
    });
  }
});
