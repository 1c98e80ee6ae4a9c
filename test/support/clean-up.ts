import type { TestContext } from "node:test";

/** Runs `work` outside a test, then the clean-ups that it has registered, the last first. */
export async function withCleanUp<T>(work: (t: Pick<TestContext, "after">) => Promise<T>): Promise<T> {
  const cleanUps: (() => unknown)[] = [];
  try {
    return await work({ after: (clean) => void cleanUps.unshift(clean as () => unknown) });
  } finally {
    for (const clean of cleanUps) await clean();
  }
}
