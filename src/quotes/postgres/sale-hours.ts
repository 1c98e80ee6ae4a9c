import type { HourSums } from "../../ledger/hour-sums.ts";
import type { LedgerHour, SummableHours } from "../../ledger/ledger-hours.ts";
import { AROUND_MILLISECONDS, HOUR_MILLISECONDS, hourOf } from "../../ledger/sales-count.ts";
import type { Query, Statement } from "./pool.ts";

const AROUND = `interval '${AROUND_MILLISECONDS / HOUR_MILLISECONDS} hours'`;
/** Bounds what one result holds in memory. */
const MOST_HOURS = 24;
const BYTES_OF_EVENT = 100;
/** Later years have more digits than the server reads. */
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const EXTENT: Statement = {
  name: "sales-extent",
  text: `
    SELECT (extract(epoch FROM min(occurred_at)) * 1000)::bigint::text AS first,
      (extract(epoch FROM max(occurred_at)) * 1000)::bigint::text AS last
    FROM transfer_sales WHERE occurred_at >= $1::timestamptz AND occurred_at < $2::timestamptz`,
};

/** An index alone has the answer. */
const EVENTS_BY_HOUR: Statement = {
  name: "sales-by-hour",
  text: `
    SELECT (extract(epoch FROM hour) * 1000)::bigint::text AS hour, counted.events::text AS events
    FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 hour') AS hour
    CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM transfer_sales
      WHERE occurred_at >= hour AND occurred_at < hour + interval '1 hour'
    ) AS counted
    WHERE counted.events > 0`,
};

const SUMS: Statement = {
  name: "sale-sums",
  text: `
    SELECT (extract(epoch FROM hour) * 1000)::bigint::text AS hour, version, sums FROM transfer_sale_sums
    WHERE hour >= $1::timestamptz AND hour < $2::timestamptz`,
};

const WRITE_SUMS: Statement = {
  name: "write-sale-sums",
  text: `
    INSERT INTO transfer_sale_sums (hour, version, sums) VALUES ($1::timestamptz, $2, $3)
    ON CONFLICT (hour) DO UPDATE SET version = excluded.version, sums = excluded.sums
    RETURNING hour`,
};

const OF_PERIOD = `type = 'quote.created' AND occurred_at >= $1::timestamptz AND occurred_at < $2::timestamptz`;

const QUOTES: Statement = {
  name: "sales-quotes",
  text: `
    SELECT quote_id, (extract(epoch FROM occurred_at) * 1000)::bigint::text AS at,
      (extract(epoch FROM expires_at) * 1000)::bigint::text AS ends,
      client, corridor, origin, destination,
      array_to_string(vehicle_classes, ',') AS classes, array_to_string(totals_rappen, ',') AS totals
    FROM transfer_sales WHERE ${OF_PERIOD}`,
};

const STEPS: Statement = {
  name: "sales-steps",
  text: `
    SELECT quote_id, (extract(epoch FROM occurred_at) * 1000)::bigint::text AS at, type,
      vehicle_classes[1] AS class, totals_rappen[1]::text AS total
    FROM transfer_sales
    WHERE type <> 'quote.created'
      AND occurred_at >= $1::timestamptz - ${AROUND} AND occurred_at < $2::timestamptz + ${AROUND}
      AND quote_id IN (SELECT quote_id FROM transfer_sales WHERE ${OF_PERIOD})`,
};

type Texts<Name extends string> = Readonly<Record<Name, string>>;
type Named<Name extends string> = Readonly<Record<Name, string | null>>;
type QuoteRow = Texts<"quote_id" | "at" | "ends" | "classes" | "totals"> &
  Named<"client" | "corridor" | "origin" | "destination">;

/**
 * The rows of `transfer_sales` by hour, and `transfer_sale_sums`, each of which counts as long as there are as many
 * events around its hour as there were: rows are never changed, and deleted only from the oldest on.
 */
export function createSaleHours(query: Query): SummableHours {
  return {
    async hours(from, until) {
      const period = [from - AROUND_MILLISECONDS, until + AROUND_MILLISECONDS].map(iso);
      const [extent] = await query<Named<"first" | "last">>(EXTENT, period);
      if (extent?.first == null) return new Map();
      const ends = [extent.first, extent.last].map((at) => iso(hourOf(Number(at))));
      const rows = await query<Texts<"hour" | "events">>(EVENTS_BY_HOUR, ends);
      const events = new Map(rows.map((row) => [Number(row.hour), Number(row.events)]));
      const sums = await query<Texts<"hour" | "version" | "sums">>(SUMS, [iso(from), iso(until)]);
      const written = new Map(sums.map((row) => [Number(row.hour), row]));
      const hours = [...events.keys()].filter((hour) => hour >= from && hour < until);
      return new Map(
        hours.map((hour): [number, LedgerHour] => {
          const version = versionOf(hour, events);
          const found = written.get(hour);
          const current = found?.version === version ? (JSON.parse(found.sums) as HourSums) : undefined;
          return [hour, { version, sums: current, size: (events.get(hour) ?? 0) * BYTES_OF_EVENT }];
        }),
      );
    },

    async read(hours, on) {
      for (const [from, until] of periodsOf(hours)) {
        const period = [iso(from), iso(until)];
        const steps = await query<Texts<"quote_id" | "at" | "type" | "class" | "total">>(STEPS, period);
        for (const row of steps) {
          on.step({
            quoteId: row.quote_id,
            at: Number(row.at),
            isOpening: row.type === "handoff.opened",
            vehicleClass: row.class,
            totalRappen: Number(row.total),
          });
        }
        for (const row of await query<QuoteRow>(QUOTES, period)) {
          const at = Number(row.at);
          on.quote(
            {
              quoteId: row.quote_id,
              at,
              expiresAt: Number(row.ends),
              client: row.client && (JSON.parse(`"${row.client}"`) as string),
              corridor: row.corridor,
              origin: row.origin,
              destination: row.destination,
              classes: row.classes.split(","),
              totalsRappen: row.totals.split(",").map(Number),
            },
            hourOf(at),
          );
        }
      }
      return new Map();
    },

    async earliest() {
      const [extent] = await query<Named<"first">>(EXTENT, ["-infinity", "infinity"]);
      return extent?.first == null ? undefined : Number(extent.first);
    },

    async write(hour, version, sums) {
      await query(WRITE_SUMS, [iso(hour), version, JSON.stringify(sums)]);
    },
  };
}

function versionOf(hour: number, events: ReadonlyMap<number, number>): string {
  let sum = 0;
  for (let at = hour - AROUND_MILLISECONDS; at <= hour + AROUND_MILLISECONDS; at += HOUR_MILLISECONDS) {
    sum += events.get(at) ?? 0;
  }
  return String(sum);
}

/** Hours that follow each other as one period. */
function periodsOf(hours: readonly number[]): readonly (readonly [number, number])[] {
  const periods: [number, number][] = [];
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const last = periods.at(-1);
    if (last && last[1] === hour && hour - last[0] < MOST_HOURS * HOUR_MILLISECONDS) last[1] += HOUR_MILLISECONDS;
    else periods.push([hour, hour + HOUR_MILLISECONDS]);
  }
  return periods;
}

function iso(at: number): string {
  return new Date(Math.min(at, LATEST)).toISOString();
}
