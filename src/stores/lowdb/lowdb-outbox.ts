import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import { EXPIRY_DELAY_MILLISECONDS, expiryOf, type Outbox, type OutboxEvent } from "../outbox.ts";
import { type Disk, replaceFile } from "./disk.ts";
import { createMutex, type HourFile, NO_EVENT } from "./hours.ts";

const FILE = "outbox.json";
const START: Cursor = { passed: {}, open: [] };

/** Where the cursor is: what it has passed was claimed, and has been delivered unless it is open. */
interface Cursor {
  /** By file, how many lines it has passed, for events and for the ends of quotes, which follow later. */
  readonly passed: Readonly<Record<string, Passed>>;
  /** File, line, and whether it is the end of a quote: claimed, and neither delivered nor set aside. */
  readonly open: readonly (readonly [string, number, boolean])[];
}
type Passed = Record<"events" | "ends", number>;
type File = Pick<HourFile, "name" | "ends" | "item">;

interface Claimed {
  readonly file: File;
  readonly line: number;
  readonly isEnd: boolean;
  readonly event: OutboxEvent;
  /** In milliseconds since 1970. */
  dueAt: number;
  failures: number;
}

export interface LowdbOutbox extends Outbox {
  /** The file is past its retention: its events are given up. */
  purged(file: File): void;
  /** Saves the cursor. */
  close(): Promise<void>;
}

export interface LowdbOutboxParts {
  readonly folder: string;
  /** The files of entries, the oldest first. */
  readonly files: () => readonly File[];
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
}

/**
 * The events in the files of quotes behind a cursor, which is saved in `outbox.json`. That is not synced after it was
 * created: what a power failure loses of it is delivered again. A new outbox begins with the next event.
 */
export async function openLowdbOutbox({ folder, files, clock, log, disk }: LowdbOutboxParts): Promise<LowdbOutbox> {
  const path = join(folder, FILE);
  const cursor = new Low<Cursor>(new JSONFile(path), START);
  await cursor.read().catch((error) => {
    log.warn({ file: path, err: error }, "the cursor of events is damaged: events of a day are delivered again");
    cursor.data = { ...START };
  });
  const isNew = cursor.data === START;
  const passed = new Map<string, Passed>();
  /** By quote, in order: the first can be claimed, the others wait for it. */
  const open = new Map<string, Claimed[]>();
  const mutex = createMutex();
  const saving = createMutex();
  let nextSave: Promise<void> | undefined;
  let setAside = 0;

  for (const { name, ends } of files()) {
    const all = { events: ends.length, ends: ends.length };
    passed.set(name, isNew ? all : (cursor.data.passed[name] ?? { events: 0, ends: 0 }));
  }
  for (const [name, line, isEnd] of cursor.data.open) {
    const file = files().find((each) => each.name === name);
    const claimed = file && (await claimedAt(file, line, isEnd));
    if (claimed) add(claimed);
  }
  if (isNew) await replaceFile(disk, path, [Buffer.from(JSON.stringify(current()))]);

  return {
    claim: (most, until) =>
      mutex(async () => {
        const now = clock.now().getTime();
        let due = dueAt(now);
        while (due.length < most && (await takeNext(now))) due = dueAt(now);
        const claimed = due.slice(0, most);
        for (const each of claimed) each.dueAt = until.getTime();
        return claimed.map(({ event, failures }) => ({ ...event, failures }));
      }),

    async delivered(event) {
      if (end(event)) await save();
    },

    async postpone({ id, quoteId }, until) {
      const claimed = open.get(quoteId)?.find(({ event }) => event.id === id);
      if (!claimed) return;
      claimed.failures += 1;
      claimed.dueAt = until.getTime();
    },

    async setAside(event) {
      if (!end(event)) return;
      setAside += 1;
      await save();
    },

    async backlog() {
      const instants = [...open.values()].flat().map(({ event }) => event.at);
      const seen = new Set<boolean>();
      let length = instants.length;
      for (const [file, line, isEnd] of waiting(clock.now().getTime(), files())) {
        length += 1;
        if (seen.has(isEnd)) continue;
        seen.add(isEnd);
        instants.push(isEnd ? new Date(file.ends[line] ?? 0).toISOString() : await instantOf(file, line));
      }
      return { length, oldestAt: instants.sort()[0] ?? null, setAside };
    },

    purged(file) {
      const claimed = [...open.values()].flat().filter((each) => each.file === file);
      const lost = claimed.length + [...waiting(Number.POSITIVE_INFINITY, [file])].length;
      for (const { event } of claimed) end(event);
      passed.delete(file.name);
      setAside += lost;
      if (lost > 0) log.error({ events: lost }, "events were set aside: their retention is over");
    },

    close: save,
  };

  /** What the cursor has not passed: events, and then the ends of quotes until the first that is later than `now`. */
  function* waiting(now: number, among: readonly File[]): Generator<readonly [File, number, boolean]> {
    for (const file of among) {
      for (let line = passedIn(file).events; line < file.ends.length; line += 1) {
        if ((file.ends[line] ?? NO_EVENT) !== NO_EVENT) yield [file, line, false];
      }
    }
    for (const file of among) {
      for (let line = passedIn(file).ends; line < file.ends.length; line += 1) {
        const end = file.ends[line] ?? NO_EVENT;
        if (end > now) return;
        if (end > 0) yield [file, line, true];
      }
    }
  }

  /** Moves the cursor over the next event that is due; false where there is none. */
  async function takeNext(now: number): Promise<boolean> {
    for (const [file, line, isEnd] of waiting(now - EXPIRY_DELAY_MILLISECONDS, files())) {
      const claimed = await claimedAt(file, line, isEnd);
      // In one step with `add`: a cursor saved between them would have passed an event that it does not hold.
      passedIn(file)[isEnd ? "ends" : "events"] = line + 1;
      if (!claimed) continue;
      add(claimed);
      return true;
    }
    return false;
  }

  function add(claimed: Claimed): void {
    const { quoteId } = claimed.event;
    open.set(quoteId, [...(open.get(quoteId) ?? []), claimed]);
  }

  /** The event of a line; `undefined` where that cannot be read. */
  async function claimedAt(file: File, line: number, isEnd: boolean): Promise<Claimed | undefined> {
    try {
      const { sale } = await file.item(line);
      if (!sale) throw new Error(`line ${line + 1} of ${file.name} has no event`);
      const event = { ...(isEnd ? expiryOf(sale) : sale), failures: 0 };
      return { file, line, isEnd, event, dueAt: 0, failures: 0 };
    } catch (error) {
      setAside += 1;
      log.error({ file: file.name, line: line + 1, err: error }, "an event cannot be read and was set aside");
      return undefined;
    }
  }

  /** The first event of each quote, if it is due. */
  function dueAt(now: number): readonly Claimed[] {
    return [...open.values()].flatMap(([first]) => (first && first.dueAt <= now ? [first] : []));
  }

  async function instantOf(file: File, line: number): Promise<string> {
    const { sale } = await file.item(line);
    return sale?.at ?? clock.now().toISOString();
  }

  /** Whether the event was open. */
  function end({ id, quoteId }: Pick<OutboxEvent, "id" | "quoteId">): boolean {
    const all = open.get(quoteId) ?? [];
    const left = all.filter(({ event }) => event.id !== id);
    if (left.length === 0) open.delete(quoteId);
    else open.set(quoteId, left);
    return left.length < all.length;
  }

  function passedIn({ name }: File): Passed {
    const known = passed.get(name) ?? { events: 0, ends: 0 };
    passed.set(name, known);
    return known;
  }

  function current(): Cursor {
    const claimed = [...open.values()].flat().map(({ file, line, isEnd }) => [file.name, line, isEnd] as const);
    return { passed: Object.fromEntries(passed), open: claimed };
  }

  /** Calls that wait for a write in flight share the next one; lowdb's own writer lets the first of them starve. */
  function save(): Promise<void> {
    nextSave ??= saving(() => {
      nextSave = undefined;
      cursor.data = current();
      return cursor.write();
    });
    return nextSave;
  }
}
