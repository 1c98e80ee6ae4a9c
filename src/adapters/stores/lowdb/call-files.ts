import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CallJournal, KeepCalls, KeptCall } from "../../../domain/sales/kept-call.ts";
import type { Period } from "../../../domain/sales/sales.ts";
import { DAY } from "../../../ops/durations.ts";

/** A file for each day (UTC). */
const fileAt = (journal: CallJournal, instant: string) => `${journal}-${instant.slice(0, 10)}.jsonl`;

/**
 * Calls as JSON lines, to which all processes of a data folder append, and for how many days; what a crash of the machine
 * or a full disk cuts off is not found.
 */
export function keepCallsInFiles(dataDir: string, days: Readonly<Record<CallJournal, number>>): KeepCalls {
  const newest = new Map<CallJournal, string>();
  return async (journal, calls) => {
    const folder = join(dataDir, journal);
    // Those of one moment, of which a few may be of the day before.
    const { at } = calls.at(-1) ?? { at: "" };
    const name = fileAt(journal, at);
    if (name !== newest.get(journal)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const [oldest = name] = await namesIn(folder);
      // One a day, so that a clock that jumps deletes no more.
      if (oldest < fileAt(journal, new Date(Date.parse(at) - days[journal] * DAY).toISOString()))
        await rm(join(folder, oldest), { force: true });
      newest.set(journal, name);
    }
    // Begins a line, because the one before may have been cut off.
    const lines = calls.map((each) => `\n${JSON.stringify(each)}`);
    await appendFile(join(folder, name), lines.join(""), { mode: 0o600 });
  };
}

/** The calls of a period. */
export async function* callsInFiles(
  dataDir: string,
  journal: CallJournal,
  { since, until }: Period,
): AsyncGenerator<KeptCall[]> {
  const folder = join(dataDir, journal);
  const [from, to] = [since.toISOString(), until.toISOString()];
  const isWithin = (name: string) => name >= fileAt(journal, from) && name <= fileAt(journal, to);
  for (const name of (await namesIn(folder)).filter(isWithin))
    yield (await readFile(join(folder, name), "utf8"))
      .split("\n")
      .flatMap(parsed)
      .filter(({ at }) => at >= from && at < to);
}

/** Nothing for a line that was cut off. */
function parsed(line: string): KeptCall | [] {
  try {
    return JSON.parse(line);
  } catch {
    return [];
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^[a-z]+-\d{4}-\d\d-\d\d\.jsonl$/.test(name)).sort();
}
