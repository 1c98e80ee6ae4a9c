import { setTimeout as pause } from "node:timers/promises";

/** Resolves once the condition holds. The limit is generous: what a busy machine delays is no failure. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, limitMs = 30_000) {
  for (const deadline = performance.now() + limitMs; !(await condition()); await pause(10)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
  }
}
