import type { Clock } from "../../ops/clock.ts";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import { expiryOf, type Outbox } from "../outbox.ts";
import type { Database, Statement } from "./pool.ts";
import { keyOf } from "./rows.ts";

interface EventRow {
  readonly type: string;
  readonly sale: string;
  readonly failures: string;
}

interface BacklogRow {
  readonly length: string;
  readonly oldest_at: string | null;
  readonly set_aside: string;
}

/** How long an event that was set aside is kept, for the operator to look at. */
const SET_ASIDE_KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/**
 * `due_at` is compared twice: an event may have been claimed by another process under a statement that waited for its
 * row, and the inner query does not run again then.
 */
const CLAIM: Statement = {
  name: "claim-events",
  text: `
    UPDATE transfer_outbox SET due_at = $2::timestamptz
    WHERE due_at <= $1::timestamptz AND id IN (
      SELECT id FROM transfer_outbox AS head
      WHERE head.due_at <= $1::timestamptz AND NOT EXISTS (
        SELECT 1 FROM transfer_outbox AS earlier
        WHERE earlier.quote_id = head.quote_id AND earlier.position < head.position
      )
      ORDER BY head.due_at LIMIT $3::int
    )
    RETURNING type, sale, failures::text AS failures`,
};

const DELIVERED: Statement = { name: "event-delivered", text: "DELETE FROM transfer_outbox WHERE id = $1" };

/** With the later events of its quote, which claims would otherwise look at in vain. */
const POSTPONE: Statement = {
  name: "postpone-event",
  text: `
    UPDATE transfer_outbox SET
      due_at = CASE WHEN id = $1::text THEN $3::timestamptz ELSE greatest(due_at, $3::timestamptz) END,
      failures = CASE WHEN id = $1::text THEN failures + 1 ELSE failures END
    WHERE quote_id = $2::text`,
};

const SET_ASIDE: Statement = {
  name: "set-event-aside",
  text: `
    WITH given_up AS (DELETE FROM transfer_outbox WHERE id = $1 RETURNING id, type, quote_id, sale)
    INSERT INTO transfer_set_aside_events (id, type, quote_id, sale, kept_until)
    SELECT id, type, quote_id, sale, $2::timestamptz FROM given_up`,
};

const BACKLOG: Statement = {
  name: "measure-outbox",
  text: `
    SELECT (SELECT count(*) FROM transfer_outbox WHERE occurred_at <= $1::timestamptz)::text AS length,
      (SELECT min(occurred_at) FROM transfer_outbox WHERE occurred_at <= $1::timestamptz)::text AS oldest_at,
      (SELECT count(*) FROM transfer_set_aside_events WHERE kept_until > $1::timestamptz)::text AS set_aside`,
};

/** Shared by any number of processes; an event claimed by a process that ends is claimed again when its time is over. */
export function createPostgresOutbox({ call }: Pick<Database, "call">, clock: Clock): Outbox {
  const now = () => clock.now().toISOString();

  return {
    async claim(most, until) {
      const rows = await call((query) => query<EventRow>(CLAIM, [now(), until.toISOString(), String(most)]));
      return rows.map(({ type, sale: text, failures }) => {
        const sale: SaleEvent = JSON.parse(text);
        return { ...(type === "quote.expired" ? expiryOf(sale) : sale), failures: Number(failures) };
      });
    },

    async delivered({ id }) {
      await call((query) => query(DELIVERED, [keyOf(id)]));
    },

    async postpone({ id, quoteId }, until) {
      await call((query) => query(POSTPONE, [keyOf(id), keyOf(quoteId), until.toISOString()]));
    },

    async setAside({ id }) {
      const keptUntil = new Date(clock.now().getTime() + SET_ASIDE_KEPT_MILLISECONDS).toISOString();
      await call((query) => query(SET_ASIDE, [keyOf(id), keptUntil]));
    },

    async backlog() {
      const [row] = await call((query) => query<BacklogRow>(BACKLOG, [now()]));
      const oldestAt = row?.oldest_at ? new Date(row.oldest_at).toISOString() : null;
      return { length: Number(row?.length), oldestAt, setAside: Number(row?.set_aside) };
    },
  };
}
