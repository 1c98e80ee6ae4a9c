import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MILLISECONDS = 30_000;

/** Resolves once the condition holds. The limit is generous: what a busy machine delays is no failure. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MILLISECONDS; !(await condition()); await pause(10)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MILLISECONDS} ms`);
  }
}
