import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { createRoadGraph } from "../../src/routing/road-graph.ts";
import { createRoadStates, type RoadState } from "../../src/routing/road-state.ts";
import { createTimedPath } from "../../src/routing/timed-path.ts";
import { localMoment, minutesAfter } from "../../src/routing/timetable.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { roads, places } = loadCatalog(DEFAULT_CATALOG);
const mainNodes = [
  ...new Set(places.filter(({ main, carFree }) => main && !carFree).map(({ id, node }) => node ?? id)),
];
const states = createRoadStates(roads);
const findPath = createTimedPath(roads, "Europe/Zurich", createRoadGraph(roads));
const ROUNDING = 1e-9;
const leastByState = new Map<string, readonly (readonly number[])[]>();

/** With every train in its hours: what a leg weighs at the least, whenever it begins. */
function leastIn(state: RoadState): readonly (readonly number[])[] {
  const weightOf = (from: string, to: string) => findPath(from, to, state, undefined)?.weight ?? assert.fail(from);
  const least = leastByState.get(state.key) ?? mainNodes.map((from) => mainNodes.map((to) => weightOf(from, to)));
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
      const pathAt = (from: string, to: string, leaving: Date) =>
        findPath(from, to, state, leaving) ?? assert.fail(`${from} ${to}`);
      const direct = mainNodes.map((from) => mainNodes.map((to) => pathAt(from, to, at)));
      const least = leastIn(state);
      const shorter: string[] = [];
      for (const [a, legs] of direct.entries()) {
        for (const [v, first] of legs.entries()) {
          for (const [b, { weight }] of legs.entries()) {
            const isSurelyWorse = first.weight + (least[v]?.[b] ?? 0) >= weight - ROUNDING;
            if (isSurelyWorse) continue;
            const [from = "", via = "", to = ""] = [a, v, b].map((index) => mainNodes[index]);
            const second = pathAt(via, to, minutesAfter(at, first.minutes));
            if (first.weight + second.weight < weight - ROUNDING) shorter.push(`${from} – ${via} – ${to}`);
          }
        }
      }
      assert.deepEqual(shorter, []);
    });
  }
});
