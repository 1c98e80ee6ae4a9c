import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DayCount, type DayCountStore, summed } from "../../ledger/day-counts.ts";
import { type Disk, syncFolder, systemCode } from "./disk.ts";
import { sealLine, unsealLine } from "./json-line.ts";

const DAY = 24 * 60 * 60_000;

/**
 * The counts of a day in a file, `counts-2026-11-20.json`: one sealed line, replaced whole. The caller holds the folder's
 * lock, and makes one call at a time.
 */
export function createCountFiles(disk: Disk, folder: string, ledgerDays: number): DayCountStore {
  return {
    async addCounts(day, counts) {
      const path = join(folder, nameOf(day));
      const draft = await disk.open(`${path}.draft`, "w", 0o600);
      try {
        await draft.writeFile(sealLine(summed([...readCounts(folder, day), ...counts])));
        await draft.sync();
      } finally {
        await draft.close();
      }
      await disk.rename(`${path}.draft`, path);
      await syncFolder(disk, folder);
      const oldest = new Date(Date.parse(day) - Math.max(1, ledgerDays) * DAY).toISOString().slice(0, 10);
      for (const name of await disk.readdir(folder)) {
        if (isCountName(name) && name.slice(7, 17) < oldest) await disk.unlink(join(folder, name));
      }
    },
  };
}

/** The counts of a folder from a day to another, both included. */
export function countsBetween(folder: string, from: string, to: string): readonly DayCount[] {
  const days = readdirSync(folder)
    .filter((name) => isCountName(name) && name.endsWith(".json"))
    .map((name) => name.slice(7, 17));
  return days.filter((day) => day >= from && day <= to).flatMap((day) => readCounts(folder, day));
}

function readCounts(folder: string, day: string): readonly DayCount[] {
  try {
    return (unsealLine(readFileSync(join(folder, nameOf(day))).subarray(0, -1)) ?? []) as readonly DayCount[];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

function nameOf(day: string): string {
  return `counts-${day}.json`;
}

function isCountName(name: string): boolean {
  return /^counts-\d{4}-\d\d-\d\d\.json/.test(name);
}
