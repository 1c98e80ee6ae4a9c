import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** An empty folder that is removed after the test. */
export function aFolder(t: Pick<TestContext, "after">): string {
  const folder = mkdtempSync(join(tmpdir(), "transfer-quote-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
