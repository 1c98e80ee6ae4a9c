import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "../../ops/durations.ts";
import { CALL_KEPT_DAYS, type CallStorage, type KeptCall } from "../call-journal.ts";

const NAME = /^calls-(\d{4}-\d\d-\d\d)\.jsonl$/;

const fileAt = (instant: Date) => `calls-${instant.toISOString().slice(0, 10)}.jsonl`;

/**
 * Calls as JSON lines, in a file for each day. All processes of a data folder append to it; what a crash of the machine
 * cuts off is not found.
 */
export function createCallFiles(folder: string): CallStorage {
  let newest = "";

  return {
    async append(calls, at) {
      const name = fileAt(at);
      if (name !== newest) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld(at);
        newest = name;
      }
      const lines = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
      await appendFile(join(folder, name), lines, { mode: 0o600 });
    },
  };

  async function removeOld(at: Date): Promise<void> {
    const oldest = fileAt(new Date(at.getTime() - CALL_KEPT_DAYS * DAY));
    for (const name of await readdir(folder)) if (NAME.test(name) && name < oldest) await rm(join(folder, name));
  }
}

/** The call with this request id; `undefined` where none is kept. */
export async function findCallInFiles(folder: string, requestId: string): Promise<KeptCall | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  for (const name of names.sort().reverse()) {
    const text = await readFile(join(folder, name), "utf8");
    const line = text.split("\n").find((each) => each.startsWith(`{"requestId":${JSON.stringify(requestId)},`));
    if (line?.endsWith("}")) return JSON.parse(line);
  }
  return undefined;
}
