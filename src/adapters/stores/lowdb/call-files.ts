import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CALL_KEPT_DAYS, type CallStorage, type KeptCall } from "../../../domain/sales/call-journal.ts";
import type { LostDemand } from "../../../domain/sales/lost-demand.ts";
import type { Period } from "../../../domain/sales/sales.ts";
import { DAY } from "../../../ops/durations.ts";

type Kind = "calls" | "lost";

/** A file for each day (UTC). */
const fileAt = (kind: Kind, instant: Date) => `${kind}-${instant.toISOString().slice(0, 10)}.jsonl`;

/**
 * Calls as JSON lines, and refused demand apart from them. All processes of a data folder append to the files; what a
 * crash of the machine or a full disk cuts off is not found.
 */
export function createCallFiles(folder: string, { ledgerDays }: { readonly ledgerDays: number }): CallStorage {
  let newest = "";

  return {
    async append(calls, lost, at) {
      const name = fileAt("calls", at);
      if (name !== newest) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld(at);
        newest = name;
      }
      await add(name, calls);
      if (lost.length > 0) await add(fileAt("lost", at), lost);
    },
  };

  async function add(name: string, entries: readonly object[]): Promise<void> {
    // Begins a line, because the one before may have been cut off.
    const lines = entries.map((each) => `\n${JSON.stringify(each)}`).join("");
    await appendFile(join(folder, name), lines, { mode: 0o600 });
  }

  async function removeOld(at: Date): Promise<void> {
    for (const [kind, days] of Object.entries({ calls: CALL_KEPT_DAYS, lost: ledgerDays }) as [Kind, number][]) {
      const oldest = fileAt(kind, new Date(at.getTime() - days * DAY));
      for (const name of await namesIn(folder, kind)) if (name < oldest) await rm(join(folder, name));
    }
  }
}

/** The call with this request id; `undefined` where none is kept. */
export async function findCallInFiles(folder: string, requestId: string): Promise<KeptCall | undefined> {
  for (const name of (await namesIn(folder, "calls")).reverse())
    for await (const call of entriesOf<KeptCall>(folder, name)) if (call.requestId === requestId) return call;
  return undefined;
}

/** What was refused in a period. */
export async function* lostDemandInFiles(folder: string, { since, until }: Period): AsyncGenerator<LostDemand[]> {
  const [first, last] = [fileAt("lost", since), fileAt("lost", until)];
  const [from, to] = [since.toISOString(), until.toISOString()];
  for (const name of await namesIn(folder, "lost")) {
    if (name < first || name > last) continue;
    for await (const lost of entriesOf<LostDemand>(folder, name)) if (lost.at >= from && lost.at < to) yield [lost];
  }
}

/** Lines that were cut off are left out. */
async function* entriesOf<E>(folder: string, name: string): AsyncGenerator<E> {
  for (const line of (await readFile(join(folder, name), "utf8")).split("\n")) {
    let entry: E;
    try {
      entry = JSON.parse(line);
    } catch {
      continue;
    }
    yield entry;
  }
}

async function namesIn(folder: string, kind: Kind): Promise<string[]> {
  const pattern = new RegExp(`^${kind}-\\d{4}-\\d\\d-\\d\\d\\.jsonl$`);
  return (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name)).sort();
}
