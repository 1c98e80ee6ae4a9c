import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { createRoadGraph } from "../../src/routing/road-graph.ts";
import { createRoadStates, type RoadState } from "../../src/routing/road-state.ts";
import { createTimedPath, type TimedPath } from "../../src/routing/timed-path.ts";
import { localMoment, minutesAfter } from "../../src/routing/timetable.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { roads, places } = loadCatalog(DEFAULT_CATALOG);
const mainNodes = [
  ...new Set(places.filter(({ main, carFree }) => main && !carFree).map(({ id, node }) => node ?? id)),
];
const states = createRoadStates(roads);
const findPath = createTimedPath(roads, "Europe/Zurich", createRoadGraph(roads));
const ROUNDING = 1e-9;
const leastByState = new Map<string, readonly (readonly TimedPath[])[]>();

/** With every train in its hours: what weighs least, whenever it begins. */
function leastIn(state: RoadState): readonly (readonly TimedPath[])[] {
  const pathOf = (from: string, to: string) => findPath(from, to, state, undefined) ?? assert.fail(`${from} ${to}`);
  const least = leastByState.get(state.key) ?? mainNodes.map((from) => mainNodes.map((to) => pathOf(from, to)));
  leastByState.set(state.key, least);
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
      // Only with a train does it matter when a path begins: a tenth of them is searched again.
      const pathAt = (from: number, to: number, leaving: Date) => {
        const path = least[from]?.[to];
        if (path && !path.hasTrain) return path;
        return findPath(nameOf(from), nameOf(to), state, leaving) ?? assert.fail(`${nameOf(from)} ${nameOf(to)}`);
      };
      const direct = mainNodes.map((_, from) => mainNodes.map((_, to) => pathAt(from, to, at)));
      const shorter: string[] = [];
      for (const [a, legs] of direct.entries()) {
        for (const [v, first] of legs.entries()) {
          for (const [b, { weight }] of legs.entries()) {
            const isSurelyWorse = first.weight + (least[v]?.[b]?.weight ?? 0) >= weight - ROUNDING;
            if (isSurelyWorse) continue;
            const second = pathAt(v, b, minutesAfter(at, first.minutes));
            if (first.weight + second.weight < weight - ROUNDING) shorter.push([a, v, b].map(nameOf).join(" – "));
          }
        }
      }
      assert.deepEqual(shorter, []);
    });
  }
});
