import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  dueAtOf,
  expiryOf,
  type Outbox,
  type OutboxEvent,
  outboxEventsOf,
  positionOf,
} from "../../../domain/sales/outbox.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import type { Clock } from "../../../ops/clock.ts";
import { type Disk, entryOf } from "./hour-files.ts";

/** An event to be delivered, without the facts of its sale, which its line has. */
interface Pending extends Pick<OutboxEvent, "id" | "type" | "at" | "quoteId"> {
  readonly hour: string;
  readonly line: Buffer;
  /** In milliseconds since 1970. */
  dueAt: number;
  failures: number;
}

/**
 * The events of the stored sales minus those that were delivered or set aside, whose ids `delivered-<hour>.txt` has for
 * the sales of each hour. These files are not synced: after a power failure some events are delivered again.
 */
export async function openLowdbOutbox(folder: string, clock: Clock, disk: Disk) {
  /** Ids that are not met yet in the stored sales. */
  const done = new Set<string>();
  for (const name of await disk.readdir(folder))
    if (/^delivered-.*\.txt$/.test(name))
      for (const id of (await readFile(join(folder, name), "utf8")).split("\n")) done.add(id);
  /** By quote, in order: only the first can be claimed. */
  const pending = new Map<string, Pending[]>();
  let setAside = 0;

  return {
    /** Adds the events of a stored sale, unless they are done. */
    add(hour: string, sale: SaleEvent, line: Buffer): void {
      for (const { id, type, at, quoteId } of outboxEventsOf(sale)) {
        if (done.delete(id)) continue;
        const event = { id, type, at, quoteId, hour, line, dueAt: dueAtOf({ type, at }), failures: 0 };
        const all = [...(pending.get(quoteId) ?? []), event];
        pending.set(quoteId, all.sort(byPosition));
      }
    },

    async claim(most, until) {
      const now = clock.now().getTime();
      const due = [...pending.values()].flatMap(([first]) => (first && first.dueAt <= now ? first : []));
      return due.slice(0, most).flatMap((event) => {
        event.dueAt = until.getTime();
        const { sale } = entryOf(event.line) ?? {};
        if (!sale) return [];
        return { ...(event.type === "quote.expired" ? expiryOf(sale) : sale), failures: event.failures };
      });
    },

    async delivered(event) {
      await end(event);
    },

    async postpone({ quoteId, id }, until) {
      const failed = pending.get(quoteId)?.find((event) => event.id === id);
      if (failed) Object.assign(failed, { dueAt: until.getTime(), failures: failed.failures + 1 });
    },

    async setAside(event) {
      if (await end(event)) setAside += 1;
    },

    async backlog() {
      const now = clock.now().toISOString();
      const instants = [...pending.values()].flat().flatMap(({ at }) => (at <= now ? [at] : []));
      return { length: instants.length, oldestAt: instants.sort()[0] ?? null, setAside };
    },

    /** Sets aside the events of an hour whose entries were deleted, and returns how many they were. */
    async purged(hour: string): Promise<number> {
      const late = [...pending.values()].flat().filter((event) => event.hour === hour);
      for (const event of late) remove(event);
      setAside += late.length;
      await disk.rm(doneIn(hour), { force: true });
      return late.length;
    },
  } satisfies Outbox & Record<string, unknown>;

  /** False where the event is not pending. */
  async function end(ended: OutboxEvent): Promise<boolean> {
    const event = remove(ended);
    // Begins a line, because a crash may have cut off the one before.
    if (event) await appendFile(doneIn(event.hour), `\n${event.id}`, { mode: 0o600 });
    return event !== undefined;
  }

  function remove({ quoteId, id }: Pick<OutboxEvent, "quoteId" | "id">): Pending | undefined {
    const events = pending.get(quoteId) ?? [];
    const others = events.filter((each) => each.id !== id);
    if (others.length > 0) pending.set(quoteId, others);
    else pending.delete(quoteId);
    return events.find((each) => each.id === id);
  }

  function doneIn(hour: string): string {
    return join(folder, `delivered-${hour}.txt`);
  }
}

function byPosition(a: Pending, b: Pending): number {
  return positionOf(a) < positionOf(b) ? -1 : 1;
}
