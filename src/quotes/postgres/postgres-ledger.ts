import { summed } from "../../ledger/day-counts.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { reportSales } from "../../ledger/report-sales.ts";
import { COUNTS_BETWEEN, type CountRow, countOf } from "./day-counts.ts";
import { openPool } from "./pool.ts";
import { createSaleHours } from "./sale-hours.ts";

const STATEMENT_MILLISECONDS = 60_000;

/** The ledger of every process on a database. Only reads. */
export function openPostgresLedger(url: string): Ledger {
  const pool = openPool({ url, connections: 1, statementMilliseconds: STATEMENT_MILLISECONDS, isPatient: true });

  return {
    async report(query) {
      const client = await pool.connect();
      try {
        // As it is at one time: rows are added and deleted meanwhile.
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        const hours = createSaleHours(async (statement, values) => {
          const { rows } = await client.query({ ...statement, values: [...values] });
          return rows;
        });
        return await reportSales(query, [hours]);
      } finally {
        // With its transaction.
        client.release(true);
      }
    },
    async counts(from, to) {
      const { rows } = await pool.query<CountRow>(COUNTS_BETWEEN, [from, to]);
      return summed(rows.map(countOf));
    },
    close: () => pool.end(),
  };
}
