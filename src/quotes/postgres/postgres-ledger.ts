import { summed } from "../../ledger/day-counts.ts";
import type { Ledger, ReportGroup, ReportQuery, SaleGroup, SaleTotals } from "../../ledger/ledger.ts";
import { COUNTS_BETWEEN, type CountRow, countOf } from "./day-counts.ts";
import { openPool } from "./pool.ts";

const STATEMENT_MILLISECONDS = 60_000;
/** Steps follow their quote within the half hour, by the clock of another process perhaps. */
const AROUND = "interval '1 day'";

/** What a quote is grouped by. $1 is the beginning of the period, $2 its end, $3 now, $4 the time zone of days. */
const KEYS: Readonly<Record<Exclude<ReportGroup, "class">, string>> = {
  day: "to_char(quotes.occurred_at AT TIME ZONE $4::text, 'YYYY-MM-DD')",
  corridor: "coalesce(quotes.corridor, coalesce(quotes.origin, '?') || ' > ' || coalesce(quotes.destination, '?'))",
  client: "quotes.client",
};

const QUOTES = `
  quotes AS (
    SELECT quote_id, occurred_at, expires_at, client, corridor, origin, destination, vehicle_classes, totals_rappen
    FROM transfer_sales
    WHERE type = 'quote.created' AND occurred_at >= $1::timestamptz AND occurred_at < $2::timestamptz
  )`;

/** The steps around the period, and what is taken of each of its quotes: the class of the last. */
const STEPS = `
  steps AS (
    SELECT quote_id, type, occurred_at, vehicle_classes[1] AS vehicle_class, totals_rappen[1] AS rappen
    FROM transfer_sales
    WHERE type <> 'quote.created'
      AND occurred_at >= $1::timestamptz - ${AROUND} AND occurred_at < $2::timestamptz + ${AROUND}
  ), taken AS (
    SELECT quote_id,
      (array_agg(rappen ORDER BY occurred_at DESC) FILTER (WHERE type = 'handoff.created'))[1] AS handed_over,
      (array_agg(rappen ORDER BY occurred_at DESC) FILTER (WHERE type = 'handoff.opened'))[1] AS opened
    FROM steps
    GROUP BY quote_id
  )`;

const SUMS = `
  count(handed_over) AS handed_over, count(opened) AS opened,
  count(*) FILTER (WHERE is_expired) AS expired,
  coalesce(sum(quoted), 0) AS quoted_rappen, coalesce(sum(handed_over), 0) AS handed_over_rappen,
  coalesce(sum(opened), 0) AS opened_rappen`;

const IS_EXPIRED = "taken.handed_over IS NULL AND quotes.expires_at <= $3::timestamptz";

/** Quotes by a key of their own. */
function ofQuotes(key: string): string {
  return `
    WITH ${QUOTES}, ${STEPS}
    SELECT key, count(*) AS quotes, ${SUMS}
    FROM (
      SELECT ${key} AS key, totals_rappen[1] AS quoted, taken.handed_over, taken.opened, ${IS_EXPIRED} AS is_expired
      FROM quotes LEFT JOIN taken ON taken.quote_id = quotes.quote_id
    ) AS counted
    GROUP BY key`;
}

/** Offers of each class, and the steps of the period's quotes by their class. */
const OF_CLASSES = `
  WITH ${QUOTES}, ${STEPS}, offered AS (
    SELECT offer.key, count(*) AS quotes, sum(offer.rappen) AS quoted_rappen,
      count(*) FILTER (WHERE ${IS_EXPIRED}) AS expired
    FROM quotes
    LEFT JOIN taken ON taken.quote_id = quotes.quote_id
    CROSS JOIN LATERAL unnest(quotes.vehicle_classes, quotes.totals_rappen) AS offer (key, rappen)
    GROUP BY offer.key
  ), chosen AS (
    SELECT vehicle_class AS key,
      count(*) FILTER (WHERE type = 'handoff.created') AS handed_over,
      count(*) FILTER (WHERE type = 'handoff.opened') AS opened,
      sum(rappen) FILTER (WHERE type = 'handoff.created') AS handed_over_rappen,
      sum(rappen) FILTER (WHERE type = 'handoff.opened') AS opened_rappen
    FROM steps
    WHERE quote_id IN (SELECT quote_id FROM quotes)
    GROUP BY vehicle_class
  )
  SELECT offered.key, quotes, coalesce(handed_over, 0) AS handed_over, coalesce(opened, 0) AS opened, expired,
    quoted_rappen, coalesce(handed_over_rappen, 0) AS handed_over_rappen, coalesce(opened_rappen, 0) AS opened_rappen
  FROM offered LEFT JOIN chosen ON chosen.key = offered.key`;

interface Row {
  readonly key: string | null;
  readonly quotes: string;
  readonly handed_over: string;
  readonly opened: string;
  readonly expired: string;
  readonly quoted_rappen: string;
  readonly handed_over_rappen: string;
  readonly opened_rappen: string;
}

/** The ledger of every process on a database. Only reads. */
export function openPostgresLedger(url: string): Ledger {
  const pool = openPool({ url, connections: 1, statementMilliseconds: STATEMENT_MILLISECONDS, isPatient: true });

  return {
    async report(query: ReportQuery) {
      const { since, until, now, timeZone, by } = query;
      const period = [since, until, now].map((instant) => instant.toISOString());
      const [sums] = await groupsOf(ofQuotes("NULL::text"), period);
      const { key: _, ...total } = sums ?? { key: null, ...NOTHING };
      if (!by) return { total, groups: [], damagedLines: 0 };
      const text = by === "class" ? OF_CLASSES : ofQuotes(KEYS[by]);
      return { total, groups: await groupsOf(text, by === "day" ? [...period, timeZone] : period), damagedLines: 0 };
    },
    async counts(from, to) {
      const { rows } = await pool.query<CountRow>(COUNTS_BETWEEN, [from, to]);
      return summed(rows.map(countOf));
    },
    close: () => pool.end(),
  };

  async function groupsOf(text: string, values: readonly string[]): Promise<readonly SaleGroup[]> {
    const { rows } = await pool.query<Row>(text, [...values]);
    return rows.map(groupOf).sort((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
  }
}

const NOTHING: SaleTotals = {
  ...{ quotes: 0, handedOver: 0, opened: 0, expired: 0 },
  ...{ quotedRappen: 0, handedOverRappen: 0, openedRappen: 0 },
};

function groupOf(row: Row): SaleGroup {
  return {
    key: row.key && (JSON.parse(`"${row.key}"`) as string),
    quotes: Number(row.quotes),
    handedOver: Number(row.handed_over),
    opened: Number(row.opened),
    expired: Number(row.expired),
    quotedRappen: Number(row.quoted_rappen),
    handedOverRappen: Number(row.handed_over_rappen),
    openedRappen: Number(row.opened_rappen),
  };
}
