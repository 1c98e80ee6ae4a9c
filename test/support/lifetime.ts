import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

/** An empty folder that is removed after the test, even if a process of the test still writes to it for a moment. */
export function aFolder(t: Pick<TestContext, "after">): string {
  const folder = mkdtempSync(join(tmpdir(), "transfer-quote-test-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Replaces the context of a test for what a whole file shares; cleaned up after its last test. */
export const wholeFile: Pick<TestContext, "after"> = {
  after: (clean, options) => after(clean as () => unknown, options),
};

/** Runs `work` outside a test, then the clean-ups that it has registered, the last first. */
export async function withCleanUp<T>(work: (t: Pick<TestContext, "after">) => Promise<T>): Promise<T> {
  const cleanUps: (() => unknown)[] = [];
  try {
    return await work({ after: (clean) => void cleanUps.unshift(clean as () => unknown) });
  } finally {
    for (const clean of cleanUps) await clean();
  }
}

/** Resolves once the condition holds. The limit is generous: what a busy machine delays is no failure. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, limitMs = 30_000) {
  for (const deadline = performance.now() + limitMs; !(await condition()); await pause(10)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
  }
}
