import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { createRoadGraph } from "../../src/routing/road-graph.ts";
import { createRoadStates, type RoadState } from "../../src/routing/road-state.ts";
import { createSearch, type WeightOf } from "../../src/routing/search.ts";
import { createTimedPath } from "../../src/routing/timed-path.ts";
import { localMoment, minutesAfter } from "../../src/routing/timetable.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { roads, places } = loadCatalog(DEFAULT_CATALOG);
const mainNodes = [
  ...new Set(places.filter(({ main, carFree }) => main && !carFree).map(({ id, node }) => node ?? id)),
];
const states = createRoadStates(roads);
const graph = createRoadGraph(roads);
const findPath = createTimedPath(roads, "Europe/Zurich", graph);
const search = createSearch(graph);
const ROUNDING = 1e-9;

interface Least {
  readonly weight: number;
  readonly hasTrain: boolean;
}
const leastByState = new Map<RoadState, readonly (readonly Least[])[]>();

/** With every train in its hours: what weighs least, whenever it begins. One search finds all that begin at a place. */
function leastIn(state: RoadState): readonly (readonly Least[])[] {
  const weightsFrom = (id: string, weightOf: WeightOf) => {
    const { weights } = search(graph.positions.get(id) ?? assert.fail(id), weightOf);
    return mainNodes.map((to) => weights[graph.positions.get(to) ?? -1] ?? assert.fail(to));
  };
  const least =
    leastByState.get(state) ??
    mainNodes.map((from) => {
      const byRoad = weightsFrom(from, (edge) =>
        roads.edges[edge]?.carTrain ? Number.POSITIVE_INFINITY : state.weightOf(edge),
      );
      return weightsFrom(from, state.weightOf).map((weight, to) => ({
        weight,
        hasTrain: weight < (byRoad[to] ?? Number.NaN) - ROUNDING,
      }));
    });
  leastByState.set(state, least);
  return least;
}

suite("between main places a route via a third one never weighs less than the direct one", () => {
  for (const departure of [
    "2027-07-15T12:00:00+02:00",
    "2027-07-15T23:00:00+02:00",
    "2027-07-16T03:00:00+02:00",
    "2027-01-15T12:00:00+01:00",
    "2027-01-15T23:00:00+01:00",
    "2027-01-16T03:00:00+01:00",
  ]) {
    test(`at ${departure}`, () => {
      const at = new Date(departure);
      const state = states.certainOn(localMoment(at, "Europe/Zurich"));
      const least = leastIn(state);
      const nameOf = (index: number) => mainNodes[index] ?? assert.fail(`${index}`);
      const pathAt = (from: number, to: number, leaving: Date) =>
        findPath(nameOf(from), nameOf(to), state, leaving) ?? assert.fail(`${nameOf(from)} ${nameOf(to)}`);
      const direct = least.map((row, from) =>
        row.map(({ weight, hasTrain }, to) => {
          // Only with a train does it matter when a path begins; of the others a tenth is searched.
          if (!hasTrain && (from + to) % 10 > 0) return weight;
          const path = pathAt(from, to, at);
          assert.ok(hasTrain || Math.abs(path.weight - weight) < ROUNDING, `${nameOf(from)} ${nameOf(to)}`);
          return path.weight;
        }),
      );
      const shorter: string[] = [];
      for (const [a, legs] of direct.entries()) {
        for (const [v, first] of legs.entries()) {
          for (const [b, weight] of legs.entries()) {
            const isSurelyWorse = first + (least[v]?.[b]?.weight ?? 0) >= weight - ROUNDING;
            if (isSurelyWorse) continue;
            const second = pathAt(v, b, minutesAfter(at, pathAt(a, v, at).minutes));
            if (first + second.weight < weight - ROUNDING) shorter.push([a, v, b].map(nameOf).join(" – "));
          }
        }
      }
      assert.deepEqual(shorter, []);
    });
  }
});
