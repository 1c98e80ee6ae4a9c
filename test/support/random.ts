import { createHash } from "node:crypto";

export type Random = ReturnType<typeof createRandom>;

/** Pseudo-random numbers, the same for the same seed. */
export function createRandom(seed = 1) {
  let state = seed;
  return { random, upTo, anyOf, shuffled };

  /** From 0 to below 1. */
  function random(): number {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  }

  /** An integer from 0 to `most`, included. */
  function upTo(most: number): number {
    return Math.floor(random() * (most + 1));
  }

  function anyOf<T>(list: readonly T[]): T {
    const [item] = list.slice(upTo(list.length - 1));
    if (item === undefined) throw new Error("an empty list");
    return item;
  }

  function shuffled<T>(list: readonly T[]): readonly T[] {
    const ranked = list.map((item) => ({ item, rank: random() }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
  }
}

/** Set PROPERTY_SEED to repeat a failure, or to try other cases. */
const SEED = process.env.PROPERTY_SEED ?? "1";

/** Pseudo-random numbers of one subject, so that a change in the cases of one does not change those of another. */
export function randomOf(subject: string): Random & { readonly seed: string } {
  const digest = createHash("sha256").update(`${SEED} ${subject}`).digest();
  return { ...createRandom(digest.readUInt32BE()), seed: `PROPERTY_SEED=${SEED}` };
}

/** How many cases of each property a run tries; set PROPERTY_RUNS to try more. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
