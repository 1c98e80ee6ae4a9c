import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A disk of 256 KiB, or `undefined` if this user may not mount one: the test is skipped then. */
export function aSmallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    rmdirSync(folder);
    t.skip(`no tmpfs can be mounted: ${String(error).split("\n", 2).join(" ")}`);
    return undefined;
  }
  t.after(() => {
    execFileSync("umount", ["-l", folder]);
    rmdirSync(folder);
  });
  return folder;
}

export function mount(options: string, folder: string): void {
  execFileSync("mount", ["-o", options, folder], { stdio: "pipe" });
}
