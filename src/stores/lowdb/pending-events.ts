import FlatQueue from "flatqueue";
import { type OutboxEvent, positionOf } from "../outbox.ts";

/** An event in memory, and where the rest of it is found. */
export interface PendingEvent<Source> extends Pick<OutboxEvent, "id" | "type" | "quoteId" | "at"> {
  readonly source: Source;
  readonly line: number;
  /** In milliseconds since 1970. */
  dueAt: number;
  failures: number;
}

/** Events by quote and by when they are due. */
export interface PendingEvents<Source> {
  add(event: PendingEvent<Source>): void;
  /** The event that is due longest, of those that are the earliest of their quote. */
  firstDue(now: number): PendingEvent<Source> | undefined;
  find(event: Pick<OutboxEvent, "id" | "quoteId">): PendingEvent<Source> | undefined;
  setDue(event: PendingEvent<Source>, at: number): void;
  remove(event: PendingEvent<Source>): void;
  all(): Iterable<PendingEvent<Source>>;
}

export function createPendingEvents<Source>(): PendingEvents<Source> {
  /** In order; only the first of a quote can be due. */
  const quotes = new Map<string, PendingEvent<Source>[]>();
  /** Quotes by when their first event is due; an entry whose instant is no longer that is skipped. */
  const queue = new FlatQueue<string>();

  return {
    add(event) {
      const events = quotes.get(event.quoteId) ?? [];
      if (events.length === 0) quotes.set(event.quoteId, events);
      const position = positionOf(event);
      const later = events.findIndex((each) => positionOf(each) > position);
      events.splice(later < 0 ? events.length : later, 0, event);
      if (events[0] === event) queue.push(event.quoteId, event.dueAt);
    },

    firstDue(now) {
      for (let dueAt = queue.peekValue(); dueAt !== undefined && dueAt <= now; dueAt = queue.peekValue()) {
        const first = quotes.get(queue.peek() ?? "")?.[0];
        if (first?.dueAt === dueAt) return first;
        queue.pop();
      }
      return undefined;
    },

    find: ({ id, quoteId }) => quotes.get(quoteId)?.find((each) => each.id === id),

    setDue(event, at) {
      event.dueAt = at;
      if (quotes.get(event.quoteId)?.[0] === event) queue.push(event.quoteId, at);
    },

    remove(event) {
      const events = quotes.get(event.quoteId) ?? [];
      const index = events.indexOf(event);
      if (index < 0) return;
      events.splice(index, 1);
      const [next] = events;
      if (!next) quotes.delete(event.quoteId);
      else if (index === 0) queue.push(event.quoteId, next.dueAt);
    },

    *all() {
      for (const events of quotes.values()) yield* events;
    },
  };
}
