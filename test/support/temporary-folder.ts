import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** An empty folder that is removed after the test, even if a process of the test still writes to it for a moment. */
export function aFolder(t: Pick<TestContext, "after">): string {
  const folder = mkdtempSync(join(tmpdir(), "transfer-quote-test-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
