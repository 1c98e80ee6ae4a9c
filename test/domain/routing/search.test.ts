import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createRoadGraph, createRoadStates, type RoadState } from "../../../src/domain/routing/road-graph.ts";
import { createLightestPath } from "../../../src/domain/routing/search.ts";
import type { LocalDay } from "../../../src/domain/routing/timetable.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const { roads, places } = defaultCatalog.catalog;
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
  const { certain, allOpen } = createRoadStates(roads)(day);
  const train = trains[DAYS.indexOf(day) % trains.length];
  return [certain, allOpen, ...(train ? [certain.without([train])] : [])];
}

suite("the search finds what one without a goal and a cache finds", () => {
  for (const day of DAYS) {
    test(`on ${day.weekday} ${day.monthDay}: what every path weighs`, () => {
      const findPath = createLightestPath(roads, graph);
      for (const [index, state] of statesOn(day).entries()) {
        const from = placeNodes[(index * 211 + 17) % placeNodes.length] ?? "";
        const expected = plainSearch(from, state);
        // One of seven, others in each state.
        for (const to of nodes.filter((_, position) => position % 7 === index)) {
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

/** The weight of the lightest path to every node, by relaxing all roads until nothing improves (Bellman-Ford). */
function plainSearch(start: string, state: RoadState): ReadonlyMap<string, number> {
  const least = new Map(nodes.map((id) => [id, id === start ? 0 : Number.POSITIVE_INFINITY]));
  const weights = state.weights();
  for (let better = true; better; ) {
    better = false;
    for (const [position, { from, to }] of roads.edges.entries())
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const) {
        const by = (least.get(a) ?? Number.NaN) + (weights[position] ?? Number.NaN);
        if (by >= (least.get(b) ?? Number.NaN)) continue;
        least.set(b, by);
        better = true;
      }
  }
  return least;
}
