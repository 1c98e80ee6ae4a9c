import { existsSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import { dueAtOf, expiryOf, type Outbox, type OutboxEvent, outboxEventsOf, positionOf, saleIdOf } from "../outbox.ts";
import { replaceFile } from "./disk.ts";
import type { LowdbQuoteStoreOptions } from "./lowdb-quote-store.ts";
import type { Segments } from "./segments.ts";

/** By segment: the ids of its events that were delivered or set aside; `true` is all of a segment that has ended. */
type Done = Record<string, string[] | true>;

/** An event to be delivered, without the facts of its sale, which its segment has. */
interface Pending extends Pick<OutboxEvent, "id" | "type" | "at"> {
  readonly segment: string;
  readonly position: string;
  /** In milliseconds since 1970. */
  dueAt: number;
  failures: number;
}

export interface LowdbOutbox extends Outbox {
  /** Adds the events of a stored sale, unless they are done. */
  add(segment: string, sale: SaleEvent): void;
  /** Called once all stored sales were added. A new outbox begins with the next event, and has none of them. */
  begin(segments: readonly string[]): Promise<void>;
  /** Sets aside the events of a segment that is past its retention. */
  purged(segment: string): void;
  close(): Promise<void>;
}

type LowdbOutboxParts = Required<Pick<LowdbQuoteStoreOptions, "folder" | "clock" | "log" | "disk">> & {
  /** Called once sales have been added. */
  readonly segments: () => Pick<Segments, "entriesOf" | "isClosed">;
};

/**
 * The events of the stored sales minus those that are done, whose ids `outbox.json` has. After its creation that file is
 * not synced: after a power failure some events are delivered again.
 */
export async function openLowdbOutbox(parts: LowdbOutboxParts): Promise<LowdbOutbox> {
  const { folder, clock, log, disk, segments } = parts;
  const path = join(folder, "outbox.json");
  const isNew = !existsSync(path);
  const low = new Low<Done>(new JSONFile(path), {});
  await low.read().catch((error) => {
    log.warn({ file: path, err: error }, "the list of events is damaged: up to a day of events is delivered again");
  });
  const done = low.data;
  /** By quote, in order: only the first can be claimed. */
  const pending = new Map<string, Pending[]>();
  let setAside = 0;

  return {
    add(segment, sale) {
      const known = done[segment] ?? [];
      if (known === true) return;
      const added = outboxEventsOf(sale).filter(({ id }) => !known.includes(id));
      for (const event of added) {
        const { id, type, at } = event;
        const all = pending.get(sale.quoteId) ?? [];
        all.push({ id, type, at, segment, position: positionOf(event), dueAt: dueAtOf(event), failures: 0 });
        pending.set(sale.quoteId, all.length > 1 ? all.sort((a, b) => (a.position < b.position ? -1 : 1)) : all);
      }
    },

    async begin(existing) {
      if (!isNew) return;
      pending.clear();
      for (const segment of existing) done[segment] = true;
      await replaceFile(disk, path, [Buffer.from(JSON.stringify(done))]);
    },

    async claim(most, until) {
      const now = clock.now().getTime();
      const due: (readonly [quoteId: string, event: Pending])[] = [];
      for (const [quoteId, [first]] of pending) {
        if (due.length >= most) break;
        if (first && first.dueAt <= now) due.push([quoteId, first]);
      }
      for (const [, event] of due) event.dueAt = until.getTime();
      const events = await Promise.all(due.map(([quoteId, event]) => read(quoteId, event)));
      return events.filter((event) => event !== undefined);
    },

    async delivered(event) {
      if (remove(event)) await low.write();
    },

    async postpone({ quoteId, id }, until) {
      const event = pending.get(quoteId)?.find((each) => each.id === id);
      if (!event) return;
      event.dueAt = until.getTime();
      event.failures += 1;
    },

    async setAside(event) {
      if (!remove(event)) return;
      setAside += 1;
      await low.write();
    },

    async backlog() {
      const now = clock.now().toISOString();
      const instants = [...pending.values()].flat().flatMap(({ at }) => (at <= now ? [at] : []));
      return { length: instants.length, oldestAt: instants.sort()[0] ?? null, setAside };
    },

    purged(segment) {
      let lost = 0;
      for (const [quoteId, events] of pending) {
        for (const { id } of events.filter((event) => event.segment === segment))
          if (remove({ quoteId, id })) lost += 1;
      }
      delete done[segment];
      setAside += lost;
      if (lost > 0) log.error({ events: lost }, "events were set aside: their retention is over");
    },

    close: () => low.write(),
  };

  /** The event as it is delivered; sets it aside where its sale cannot be read. */
  async function read(quoteId: string, { id, type, segment, failures }: Pending): Promise<OutboxEvent | undefined> {
    try {
      const sale = (await segments().entriesOf(segment)).find((entry) => entry.sale?.id === saleIdOf(id))?.sale;
      if (!sale) throw new Error("its line is damaged");
      return { ...(type === "quote.expired" ? expiryOf(sale) : sale), failures };
    } catch (error) {
      log.error({ segment, event: id, err: error }, "an event cannot be read and was set aside");
      if (remove({ quoteId, id })) setAside += 1;
      return undefined;
    }
  }

  function hasPending(segment: string): boolean {
    for (const events of pending.values()) if (events.some((event) => event.segment === segment)) return true;
    return false;
  }

  /** Moves an event to those that are done; false where it is not pending. */
  function remove({ quoteId, id }: Pick<OutboxEvent, "quoteId" | "id">): boolean {
    const all = pending.get(quoteId) ?? [];
    const event = all.find((each) => each.id === id);
    if (!event) return false;
    if (all.length === 1) pending.delete(quoteId);
    else all.splice(all.indexOf(event), 1);
    const { segment } = event;
    const isLast = segments().isClosed(segment) && !hasPending(segment);
    const known = done[segment] ?? [];
    done[segment] = isLast || known === true || [...known, id];
    return true;
  }
}
