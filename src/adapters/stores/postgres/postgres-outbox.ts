import { expiryOf, type Outbox } from "../../../domain/sales/outbox.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import type { Clock } from "../../../ops/clock.ts";
import { keyOf, type Query } from "./database.ts";

/** `sale` is JSON. */
type EventRow = Record<"type" | "sale", string> & { readonly failures: number };

const CLAIM = `
  WITH head AS (
    SELECT event.id, sold.sale
    FROM transfer_outbox AS event JOIN transfer_sales AS sold ON sold.id = event.sale_id
    WHERE event.due_at <= $1 AND NOT EXISTS (
      SELECT FROM transfer_outbox AS earlier
      WHERE earlier.quote_id = event.quote_id AND earlier.position < event.position
    )
    ORDER BY event.due_at LIMIT $3
    FOR UPDATE OF event SKIP LOCKED
  )
  UPDATE transfer_outbox AS event SET due_at = $2 FROM head WHERE event.id = head.id
  RETURNING event.type, event.failures, head.sale`;

const END = "DELETE FROM transfer_outbox WHERE id = $1 RETURNING id";

/** Also postpones the later events of the quote, so that claims need not look at them. */
const POSTPONE = `
  UPDATE transfer_outbox SET
    due_at = CASE WHEN id = $1 THEN $3::timestamptz ELSE greatest(due_at, $3) END,
    failures = CASE WHEN id = $1 THEN failures + 1 ELSE failures END
  WHERE quote_id = $2`;

const BACKLOG =
  "SELECT count(*)::int AS length, min(occurred_at) AS oldest_at FROM transfer_outbox WHERE occurred_at <= $1";

/** Shared by any number of processes; if a process ends, its claimed events become due again at their `until`. */
export function createPostgresOutbox(query: Query, clock: Clock): Outbox {
  const now = () => clock.now().toISOString();
  let setAside = 0;

  return {
    async claim(most, until) {
      const rows = await query<EventRow>(CLAIM, [now(), until.toISOString(), most]);
      return rows.map(({ type, sale: text, failures }) => {
        const sale: SaleEvent = JSON.parse(text);
        return { ...(type === "quote.expired" ? expiryOf(sale) : sale), failures };
      });
    },

    async delivered({ id }) {
      await query(END, [id]);
    },

    async postpone({ id, quoteId }, until) {
      await query(POSTPONE, [id, keyOf(quoteId), until.toISOString()]);
    },

    async setAside({ id }) {
      setAside += (await query(END, [id])).length;
    },

    async backlog() {
      const [row] = await query<{ length: number; oldest_at: Date | null }>(BACKLOG, [now()]);
      return { length: row?.length ?? 0, oldestAt: row?.oldest_at?.toISOString() ?? null, setAside };
    },
  };
}
