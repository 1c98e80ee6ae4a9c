import { existsSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import {
  dueAtOf,
  expiryOf,
  type Outbox,
  type OutboxEvent,
  outboxEventsOf,
  positionOf,
  saleIdOf,
} from "../../../domain/sales/outbox.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import { replaceFile } from "./json-lines.ts";
import type { StoreParts } from "./lowdb-quote-store.ts";
import type { Segments } from "./segments.ts";

/** By segment: the ids of its events that were delivered or set aside; `true` is all of a segment that has ended. */
type Done = Record<string, string[] | true>;

/** An event to be delivered, without the facts of its sale, which its segment has. */
interface Pending extends Pick<OutboxEvent, "id" | "type" | "at" | "quoteId"> {
  readonly segment: string;
  readonly position: string;
  /** In milliseconds since 1970. */
  dueAt: number;
  failures: number;
}

type Named = Pick<OutboxEvent, "quoteId" | "id">;

/**
 * The events of the stored sales minus those that are done, whose ids `outbox.json` has. After its creation that file is
 * not synced: after a power failure some events are delivered again. `segments` is called once sales have been added.
 */
export async function openLowdbOutbox(
  { folder, clock, log, disk }: StoreParts,
  segments: () => Pick<Segments, "entriesOf" | "isClosed">,
) {
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
    /** Adds the events of a stored sale, unless they are done. */
    add(segment: string, sale: SaleEvent): void {
      const known = done[segment] ?? [];
      if (known === true) return;
      for (const event of outboxEventsOf(sale).filter(({ id }) => !known.includes(id))) {
        const { id, type, at, quoteId } = event;
        const all = pending.get(quoteId) ?? [];
        all.push({ id, type, at, quoteId, segment, position: positionOf(event), dueAt: dueAtOf(event), failures: 0 });
        pending.set(quoteId, all.length > 1 ? all.sort((a, b) => (a.position < b.position ? -1 : 1)) : all);
      }
    },

    /** Called once all stored sales were added. A new outbox begins with the next event, and has none of them. */
    async begin(existing: readonly string[]): Promise<void> {
      if (!isNew) return;
      pending.clear();
      for (const segment of existing) done[segment] = true;
      await replaceFile(disk, path, Buffer.from(JSON.stringify(done)));
    },

    async claim(most, until) {
      const now = clock.now().getTime();
      const due: Pending[] = [];
      for (const [first] of pending.values()) {
        if (due.length >= most) break;
        if (first && first.dueAt <= now) due.push(first);
      }
      for (const event of due) event.dueAt = until.getTime();
      const events = await Promise.all(due.map(read));
      return events.filter((event) => event !== undefined);
    },

    async delivered(event) {
      if (remove(event)) await low.write();
    },

    async postpone(event, until) {
      const failed = pendingOf(event);
      if (failed) Object.assign(failed, { dueAt: until.getTime(), failures: failed.failures + 1 });
    },

    async setAside(event) {
      if (giveUp(event)) await low.write();
    },

    async backlog() {
      const now = clock.now().toISOString();
      const instants = [...pending.values()].flat().flatMap(({ at }) => (at <= now ? [at] : []));
      return { length: instants.length, oldestAt: instants.sort()[0] ?? null, setAside };
    },

    /** Sets aside the events of a segment that is past its retention. */
    purged(segment: string): void {
      let lost = 0;
      for (const events of pending.values())
        for (const event of events) if (event.segment === segment && giveUp(event)) lost += 1;
      delete done[segment];
      if (lost > 0) log.error({ events: lost }, "events were set aside: their retention is over");
    },

    close: () => low.write(),
  } satisfies Outbox & Record<string, unknown>;

  /** The event as it is delivered; sets it aside where its line is damaged. One that cannot be read now is due again later. */
  async function read(event: Pending): Promise<OutboxEvent | undefined> {
    const { id, type, segment, failures } = event;
    let entries: Awaited<ReturnType<Segments["entriesOf"]>>;
    try {
      entries = await segments().entriesOf(segment);
    } catch (error) {
      log.warn({ segment, event: id, err: error }, "an event cannot be read now");
      return undefined;
    }
    const sale = entries.find((entry) => entry.sale?.id === saleIdOf(id))?.sale;
    if (sale) return { ...(type === "quote.expired" ? expiryOf(sale) : sale), failures };
    log.error({ segment, event: id }, "the line of an event is damaged: it was set aside");
    giveUp(event);
    return undefined;
  }

  function pendingOf({ quoteId, id }: Named): Pending | undefined {
    return pending.get(quoteId)?.find((event) => event.id === id);
  }

  function hasPending(segment: string): boolean {
    for (const events of pending.values()) if (events.some((event) => event.segment === segment)) return true;
    return false;
  }

  /** False where the event is not pending. */
  function giveUp(event: Named): boolean {
    const isGivenUp = remove(event);
    if (isGivenUp) setAside += 1;
    return isGivenUp;
  }

  /** Moves an event to those that are done; false where it is not pending. */
  function remove(named: Named): boolean {
    const event = pendingOf(named);
    if (!event) return false;
    const others = (pending.get(event.quoteId) ?? []).filter((each) => each !== event);
    if (others.length > 0) pending.set(event.quoteId, others);
    else pending.delete(event.quoteId);
    const isLast = segments().isClosed(event.segment) && !hasPending(event.segment);
    const known = done[event.segment] ?? [];
    done[event.segment] = isLast || known === true || [...known, event.id];
    return true;
  }
}
