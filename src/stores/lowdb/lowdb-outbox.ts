import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import {
  DELIVERED_WITHIN_MILLISECONDS,
  dueAtOf,
  expiryOf,
  type Outbox,
  type OutboxEvent,
  outboxEventsOf,
} from "../outbox.ts";
import { acknowledge, acknowledgedIn, acknowledgementsOf } from "./acknowledgements.ts";
import type { Disk } from "./disk.ts";
import { createMutex } from "./mutex.ts";
import { createPendingEvents, type PendingEvent } from "./pending-events.ts";
import { isDamagedName } from "./quote-partition.ts";

const EVENTS_IN_TURN = 10_000;

/** A partition's file, whose events are read when they are delivered. */
interface Source {
  readonly file: string;
  sale(line: number): Promise<SaleEvent | undefined>;
}

/** What is needed of an event before it is delivered. */
export type SaleHead = Pick<SaleEvent, "id" | "type" | "quoteId" | "at" | "expiresAt">;

/** What a partition reports of the events in it. */
export interface PartitionEvents {
  /** Called with each event once it is durable, and the number of its line. */
  onSale(sale: SaleHead, line: number): void;
  /** Sets how an event is read; called once the partition has been read. */
  readFrom(sale: (line: number) => Promise<SaleEvent | undefined>): void;
  /** The partition is past its retention: what is pending of it is given up. */
  purged(): void;
}

export interface LowdbOutbox extends Outbox {
  /** Called before a partition is read or created. */
  partition(name: string): Promise<PartitionEvents>;
}

export interface LowdbOutboxParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
}

/**
 * The events in the live partitions that have not been acknowledged. In memory is only where each stands, about 0.6 kB;
 * acknowledgements are lines of a file beside the partition, which is deleted with it. They are not synced: what a crash
 * of the machine loses is delivered again.
 */
export function createLowdbOutbox({ folder, clock, log, disk }: LowdbOutboxParts): LowdbOutbox {
  const pending = createPendingEvents<Source>();
  const mutex = createMutex();
  let setAside = 0;

  return {
    async partition(name) {
      const file = acknowledgementsOf(join(folder, name));
      const acknowledged = await acknowledgedIn(disk, file);
      const source: Source = { file, sale: async () => undefined };
      return {
        onSale(sale, line) {
          for (const { id, type, quoteId, at } of outboxEventsOf(sale)) {
            if (acknowledged.has(id) || (isDamagedName(name) && isOver(at))) continue;
            pending.add({ id, type, quoteId, at, source, line, dueAt: dueAtOf({ type, at }), failures: 0 });
          }
        },
        readFrom(sale) {
          source.sale = sale;
          acknowledged.clear();
        },
        purged: () => purge(source),
      };
    },

    async claim(most, until) {
      const claimed: PendingEvent<Source>[] = [];
      const now = clock.now().getTime();
      for (let next = pending.firstDue(now); next && claimed.length < most; next = pending.firstDue(now)) {
        pending.setDue(next, until.getTime());
        claimed.push(next);
      }
      const events = await Promise.all(claimed.map(whole));
      return events.filter((event) => event !== undefined);
    },

    delivered: (event) => end(event, ""),

    async postpone(event, until) {
      const found = pending.find(event);
      if (!found) return;
      found.failures += 1;
      pending.setDue(found, until.getTime());
    },

    setAside: giveUp,

    async backlog() {
      const now = clock.now().toISOString();
      let length = 0;
      let oldestAt: string | null = null;
      let seen = 0;
      for (const { at } of pending.all()) {
        seen += 1;
        // Beside the calls of a server: a million take 80 ms.
        if (seen % EVENTS_IN_TURN === 0) await pause();
        if (at > now) continue;
        length += 1;
        if (oldestAt === null || at < oldestAt) oldestAt = at;
      }
      return { length, oldestAt, setAside };
    },
  };

  async function whole(event: PendingEvent<Source>): Promise<OutboxEvent | undefined> {
    const { source, line, type, failures } = event;
    try {
      const sale = await source.sale(line);
      if (!sale) throw new Error(`line ${line + 1} holds no event`);
      return Object.assign({ failures }, type === "quote.expired" ? expiryOf(sale) : sale);
    } catch (error) {
      log.error({ event: event.id, quote_id: event.quoteId, err: error }, "an event cannot be read and was set aside");
      await giveUp(event);
      return undefined;
    }
  }

  async function giveUp(event: Pick<OutboxEvent, "id" | "quoteId">): Promise<void> {
    if (pending.find(event)) setAside += 1;
    await end(event, " set_aside");
  }

  /** Ends it in memory first: with a full disk it would be delivered again and again. */
  async function end(event: Pick<OutboxEvent, "id" | "quoteId">, remark: string): Promise<void> {
    const found = pending.find(event);
    if (!found) return;
    pending.remove(found);
    await mutex(() => acknowledge(disk, found.source.file, `${event.id}${remark}`));
  }

  /** A damaged partition is never deleted, and read at every start. */
  function isOver(at: string): boolean {
    return Date.parse(at) + DELIVERED_WITHIN_MILLISECONDS <= clock.now().getTime();
  }

  function purge(source: Source): void {
    const lost = [...pending.all()].filter((event) => event.source === source);
    for (const event of lost) pending.remove(event);
    setAside += lost.length;
    if (lost.length > 0) log.error({ events: lost.length }, "events were set aside: their retention is over");
  }
}
