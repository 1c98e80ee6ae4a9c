import { at } from "./road-graph.ts";
import type { Goal, Search, WeightOf } from "./search.ts";

/** More make a search shorter and each of its steps longer. */
const LANDMARKS = 8;
/**
 * Goals without bounds before the landmarks are looked for, which takes what they save in some 16 searches. A process over
 * stdio makes few: its first quote took 8 of 123 ms of CPU time for them.
 */
const PLAIN_GOALS = 16;
const UNBOUNDED = () => 0;
/** A bound that rounding makes greater than the path would miss that path. */
const ROUNDED_DOWN = 1 - 1e-9;

/** The goal of a search; valid until the next one is made. */
export type GoalAt = (node: number) => Goal;

/**
 * Lower bounds by the triangle inequality (ALT: A*, landmarks, triangle inequality): a node that is 100 nearer to a
 * landmark than the goal is at least 100 from the goal. `leastOf` is what an edge weighs at the least, so that the
 * bounds hold whichever roads are closed and however long a train is waited for.
 */
export function createLandmarks(search: Search, nodes: number, leastOf: WeightOf): GoalAt {
  let goals = 0;
  let distances: Float64Array | undefined;
  const ofGoal = new Float64Array(LANDMARKS);

  return (node) => {
    goals += 1;
    if (goals <= PLAIN_GOALS) return { node, leastFrom: UNBOUNDED };
    distances ??= distancesOfLandmarks();
    ofGoal.set(distances.subarray(node * LANDMARKS, (node + 1) * LANDMARKS));
    const table = distances;
    return { node, leastFrom: (from) => leastFrom(from, table) };
  };

  function leastFrom(node: number, table: Float64Array): number {
    let least = 0;
    for (let landmark = 0; landmark < LANDMARKS; landmark++) {
      // Not a number where no road joins the landmark to either, and then no bound.
      const bound = Math.abs(at(table, node * LANDMARKS + landmark) - at(ofGoal, landmark));
      if (bound > least) least = bound;
    }
    return least * ROUNDED_DOWN;
  }

  /** Of each node, what it weighs from each landmark. Each landmark is the node farthest from those before it. */
  function distancesOfLandmarks(): Float64Array {
    const table = new Float64Array(nodes * LANDMARKS);
    let nearest = search(0, leastOf).weights.slice();
    for (let landmark = 0; landmark < LANDMARKS; landmark++) {
      const { weights } = search(farthestIn(nearest), leastOf);
      weights.forEach((weight, node) => {
        table[node * LANDMARKS + landmark] = weight;
      });
      nearest = landmark === 0 ? weights.slice() : nearest.map((weight, node) => Math.min(weight, at(weights, node)));
    }
    return table;
  }
}

function farthestIn(weights: Float64Array): number {
  return weights.reduce(
    (farthest, weight, node) => (Number.isFinite(weight) && weight > at(weights, farthest) ? node : farthest),
    0,
  );
}
