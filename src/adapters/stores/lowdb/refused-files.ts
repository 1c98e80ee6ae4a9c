import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { KeepLost, LostDemand } from "../../../domain/sales/lost-demand.ts";
import type { Period } from "../../../domain/sales/sales.ts";
import { DAY } from "../../../ops/durations.ts";

/** A file for each day (UTC). */
const fileAt = (instant: string) => `refused-${instant.slice(0, 10)}.jsonl`;

/**
 * Refused demand as JSON lines, to which all processes of a data folder append; what a crash of the machine or a full
 * disk cuts off is not found.
 */
export function keepLostInFiles(folder: string, { ledgerDays }: { readonly ledgerDays: number }): KeepLost {
  let newest = "";
  return async (lost) => {
    // Those of one moment, of which a few may be of the day before.
    const { at } = lost.at(-1) ?? { at: "" };
    const name = fileAt(at);
    if (name !== newest) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const [oldest = name] = await namesIn(folder);
      // One a day, so that a clock that jumps deletes no more.
      if (oldest < fileAt(new Date(Date.parse(at) - ledgerDays * DAY).toISOString()))
        await rm(join(folder, oldest), { force: true });
      newest = name;
    }
    // Begins a line, because the one before may have been cut off.
    const lines = lost.map((each) => `\n${JSON.stringify(each)}`);
    await appendFile(join(folder, name), lines.join(""), { mode: 0o600 });
  };
}

/** What was refused in a period. */
export async function* lostInFiles(folder: string, { since, until }: Period): AsyncGenerator<LostDemand[]> {
  const [from, to] = [since.toISOString(), until.toISOString()];
  for (const name of (await namesIn(folder)).filter((each) => each >= fileAt(from) && each <= fileAt(to)))
    yield (await readFile(join(folder, name), "utf8"))
      .split("\n")
      .flatMap(parsed)
      .filter(({ at }) => at >= from && at < to);
}

/** Nothing for a line that was cut off. */
function parsed(line: string): LostDemand | [] {
  try {
    return JSON.parse(line);
  } catch {
    return [];
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^refused-\d{4}-\d\d-\d\d\.jsonl$/.test(name)).sort();
}
