import { createHash } from "node:crypto";
import { createRandom, type Random } from "./random.ts";

/** Set PROPERTY_SEED to repeat a failure, or to try other cases. */
const SEED = process.env.PROPERTY_SEED ?? "1";

/** Pseudo-random numbers of one subject, so that a change in the cases of one does not change those of another. */
export function randomOf(subject: string): Random & { readonly seed: string } {
  const digest = createHash("sha256").update(`${SEED} ${subject}`).digest();
  return { ...createRandom(digest.readUInt32BE()), seed: `PROPERTY_SEED=${SEED}` };
}

/** How many cases of each property a run tries; set PROPERTY_RUNS to try more. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
