import { existsSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import { EXPIRY_DELAY_MILLISECONDS, expiryOf, type Outbox, type OutboxEvent } from "../outbox.ts";
import { createMutex } from "../store-calls.ts";
import { replaceFile } from "./disk.ts";
import { type HourFile, NO_EVENT, STEP } from "./hour-file.ts";
import type { LowdbQuoteStoreOptions } from "./lowdb-quote-store.ts";

/** A line stands for its event (0), and where that created a quote, later also for the quote's expiry (1). */
type Stage = 0 | 1;
const END: Stage = 1;

/** Events before the cursor have been claimed; those of them that are not in `open` were delivered or set aside. */
interface Cursor {
  /** By hour and stage: how many lines are before the cursor. */
  readonly passed: Record<string, Passed>;
  /** Claimed, and neither delivered nor set aside. */
  open: readonly (readonly [hour: string, line: number, stage: Stage])[];
}
type Passed = [events: number, ends: number];
type File = Pick<HourFile, "hour" | "ends" | "entry">;

interface Claimed {
  readonly file: File;
  readonly line: number;
  readonly stage: Stage;
  event: OutboxEvent;
  /** In milliseconds since 1970. */
  dueAt: number;
}

export interface LowdbOutbox extends Outbox {
  /** Sets aside the events of a file that is past its retention. */
  purged(file: File): void;
  close(): Promise<void>;
}

export type LowdbOutboxParts = Required<Pick<LowdbQuoteStoreOptions, "folder" | "clock" | "log" | "disk">> & {
  /** The files of entries by their hours, the oldest first. */
  readonly files: ReadonlyMap<string, File>;
};

/**
 * Reads the events from the files of quotes with a cursor, which is saved in `outbox.json`. After its creation that
 * file is not synced: after a power failure some events are delivered again. A new outbox starts with the next event.
 */
export async function openLowdbOutbox({ folder, files, clock, log, disk }: LowdbOutboxParts): Promise<LowdbOutbox> {
  const path = join(folder, "outbox.json");
  const isNew = !existsSync(path);
  const cursor = new Low<Cursor>(new JSONFile(path), { passed: {}, open: [] });
  await cursor.read().catch((error) => {
    log.warn({ file: path, err: error }, "the cursor of events is damaged: up to a day of events is delivered again");
  });
  const { passed } = cursor.data;
  /** The open events of each quote in order: only the first can be claimed. */
  const open = new Map<string, Claimed[]>();
  /** Moves and saves of the cursor exclude each other: a save between a move and its claim would lose an event. */
  const mutex = createMutex();
  let setAside = 0;

  for (const [hour, line, stage] of cursor.data.open) {
    const file = files.get(hour);
    if (file) await claimLine(file, line, stage);
  }
  if (isNew) {
    for (const [hour, { ends }] of files) passed[hour] = [ends.length, ends.length];
    await replaceFile(disk, path, [Buffer.from(JSON.stringify(cursor.data))]);
  }

  return {
    claim: (most, until) =>
      mutex(async () => {
        const now = clock.now().getTime();
        let due = dueEvents(now);
        while (due.length < most && (await claimNext(now))) due = dueEvents(now);
        const claimed = due.slice(0, most);
        for (const each of claimed) each.dueAt = until.getTime();
        return claimed.map(({ event }) => event);
      }),

    async delivered(event) {
      if (removeOpen(event)) await save();
    },

    async postpone({ id, quoteId }, until) {
      const claimed = open.get(quoteId)?.find(({ event }) => event.id === id);
      if (!claimed) return;
      claimed.event = { ...claimed.event, failures: claimed.event.failures + 1 };
      claimed.dueAt = until.getTime();
    },

    async setAside(event) {
      if (!removeOpen(event)) return;
      setAside += 1;
      await save();
    },

    async backlog() {
      const instants = [...open.values()].flat().map(({ event }) => event.at);
      let length = instants.length;
      let latest: Stage | undefined;
      for (const [file, line, stage] of waiting(clock.now().getTime(), [...files.values()])) {
        length += 1;
        if (stage === latest) continue;
        latest = stage;
        const { sale } = await file.entry(line);
        if (sale) instants.push(stage === END ? sale.expiresAt : sale.at);
      }
      return { length, oldestAt: instants.sort()[0] ?? null, setAside };
    },

    purged(file) {
      const claimed = [...open.values()].flat().filter((each) => each.file === file);
      const lost = claimed.length + [...waiting(Number.POSITIVE_INFINITY, [file])].length;
      for (const { event } of claimed) removeOpen(event);
      delete passed[file.hour];
      setAside += lost;
      if (lost > 0) log.error({ events: lost }, "events were set aside: their retention is over");
    },

    close: save,
  };

  /** What the cursor has not passed: first events, then expiries of quotes until the first that is later than `now`. */
  function* waiting(now: number, among: readonly File[]): Generator<readonly [File, number, Stage]> {
    for (const stage of [0, END] as const) {
      for (const file of among) {
        for (let line = passedIn(file)[stage]; line < file.ends.length; line += 1) {
          const end = file.ends[line] ?? NO_EVENT;
          if (stage === END && end > now) return;
          if (stage === END ? end > STEP : end !== NO_EVENT) yield [file, line, stage];
        }
      }
    }
  }

  /** Claims the next due event that can be read and moves the cursor past it; false where there is none. */
  async function claimNext(now: number): Promise<boolean> {
    for (const [file, line, stage] of waiting(now - EXPIRY_DELAY_MILLISECONDS, [...files.values()])) {
      const isClaimed = await claimLine(file, line, stage);
      passedIn(file)[stage] = line + 1;
      if (isClaimed) return true;
    }
    return false;
  }

  /** Adds the event of a line to `open`; false where the line cannot be read. */
  async function claimLine(file: File, line: number, stage: Stage): Promise<boolean> {
    try {
      const { sale } = await file.entry(line);
      if (!sale) throw new Error(`line ${line + 1} of ${file.hour} has no event`);
      const event = { ...(stage === END ? expiryOf(sale) : sale), failures: 0 };
      open.set(event.quoteId, [...(open.get(event.quoteId) ?? []), { file, line, stage, event, dueAt: 0 }]);
      return true;
    } catch (error) {
      setAside += 1;
      log.error({ hour: file.hour, line: line + 1, err: error }, "an event cannot be read and was set aside");
      return false;
    }
  }

  /** The first event of each quote, if it is due. */
  function dueEvents(now: number): readonly Claimed[] {
    return [...open.values()].flatMap(([first]) => (first && first.dueAt <= now ? [first] : []));
  }

  /** Removes an event from `open`; false where it was not there. */
  function removeOpen({ id, quoteId }: Pick<OutboxEvent, "id" | "quoteId">): boolean {
    const all = open.get(quoteId) ?? [];
    const left = all.filter(({ event }) => event.id !== id);
    if (left.length === 0) open.delete(quoteId);
    else open.set(quoteId, left);
    return left.length < all.length;
  }

  function passedIn({ hour }: File): Passed {
    passed[hour] ??= [0, 0];
    return passed[hour];
  }

  function save(): Promise<void> {
    return mutex(() => {
      cursor.data.open = [...open.values()].flat().map(({ file, line, stage }) => [file.hour, line, stage]);
      return cursor.write();
    });
  }
}
