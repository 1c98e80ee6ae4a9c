import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A disk in memory, or `undefined` where this user may not mount one. */
export function aDisk(t: Pick<TestContext, "after">, size: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "transfer-quote-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  t.after(() => {
    execFileSync("umount", ["-l", folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** A disk of 256 KiB; the test is skipped where there is none. */
export function aSmallDisk(t: TestContext): string | undefined {
  const folder = aDisk(t, "256k");
  if (!folder) t.skip("no tmpfs can be mounted");
  return folder;
}

export function mount(options: string, folder: string): void {
  execFileSync("mount", ["-o", options, folder], { stdio: "pipe" });
}
