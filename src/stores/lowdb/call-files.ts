import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "../../ops/durations.ts";
import type { LostDemand } from "../../quotes/lost-demand.ts";
import { CALL_KEPT_DAYS, type CallStorage, type KeptCall } from "../call-journal.ts";
import type { Period } from "../sales.ts";

/** A file for each day (UTC). */
const fileAt = (kind: "calls" | "lost", instant: Date) => `${kind}-${instant.toISOString().slice(0, 10)}.jsonl`;
const CALLS = /^calls-\d{4}-\d\d-\d\d\.jsonl$/;
const LOST = /^lost-\d{4}-\d\d-\d\d\.jsonl$/;

/**
 * Calls as JSON lines, and refused demand apart from them. All processes of a data folder append to the files; what a
 * crash of the machine cuts off is not found.
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
    const lines = entries.map((each) => `${JSON.stringify(each)}\n`).join("");
    await appendFile(join(folder, name), lines, { mode: 0o600 });
  }

  async function removeOld(at: Date): Promise<void> {
    const before = (days: number) => new Date(at.getTime() - days * DAY);
    const [oldestCalls, oldestLost] = [fileAt("calls", before(CALL_KEPT_DAYS)), fileAt("lost", before(ledgerDays))];
    for (const name of await readdir(folder))
      if ((CALLS.test(name) && name < oldestCalls) || (LOST.test(name) && name < oldestLost))
        await rm(join(folder, name));
  }
}

/** The call with this request id; `undefined` where none is kept. */
export async function findCallInFiles(folder: string, requestId: string): Promise<KeptCall | undefined> {
  for (const name of (await namesIn(folder, CALLS)).reverse()) {
    const text = await readFile(join(folder, name), "utf8");
    const line = text.split("\n").find((each) => each.startsWith(`{"requestId":${JSON.stringify(requestId)},`));
    if (line?.endsWith("}")) return JSON.parse(line);
  }
  return undefined;
}

/** What was refused in a period, day by day. */
export async function* lostDemandInFiles(folder: string, { since, until }: Period): AsyncGenerator<LostDemand[]> {
  const [first, last] = [fileAt("lost", since), fileAt("lost", until)];
  const [from, to] = [since.toISOString(), until.toISOString()];
  for (const name of await namesIn(folder, LOST)) {
    if (name < first || name > last) continue;
    const lines = (await readFile(join(folder, name), "utf8")).split("\n").filter((line) => line.endsWith("}"));
    yield lines.map((line): LostDemand => JSON.parse(line)).filter(({ at }) => at >= from && at < to);
  }
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name)).sort();
}
