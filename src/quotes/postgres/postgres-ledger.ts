import { summed } from "../../ledger/day-counts.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { reportSales } from "../../ledger/report-sales.ts";
import { COUNTS_BETWEEN, type CountRow, countOf } from "./day-counts.ts";
import { openPool, sqlStateOf } from "./pool.ts";
import { createSaleHours } from "./sale-hours.ts";
import { UnusableDatabase, unusableDatabase } from "./start-errors.ts";

const STATEMENT_MILLISECONDS = 60_000;

/** The ledger of every process on a database. Only reads; rejects with UnusableDatabase where it cannot. */
export function openPostgresLedger(url: string): Ledger {
  const pool = openPool({ url, connections: 1, statementMilliseconds: STATEMENT_MILLISECONDS, isPatient: true });

  return {
    async report(query) {
      const client = await pool.connect().catch(fail);
      try {
        // As it is at one time: rows are added and deleted meanwhile.
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        const hours = createSaleHours(async (statement, values) => {
          const { rows } = await client.query({ ...statement, values: [...values] });
          return rows;
        });
        const report = await reportSales(query, [hours]);
        await client.query("COMMIT");
        client.release();
        return report;
      } catch (error) {
        client.release(true);
        return fail(error);
      }
    },
    async counts(from, to) {
      const { rows } = await pool.query<CountRow>(COUNTS_BETWEEN, [from, to]).catch(fail);
      return summed(rows.map(countOf));
    },
    close: () => pool.end(),
  };
}

const UNDEFINED_TABLE = "42P01";

function fail(error: unknown): never {
  if (sqlStateOf(error) !== UNDEFINED_TABLE) throw unusableDatabase(error);
  const message = "TRANSFER_DATABASE_URL: the database has no ledger of this version yet; start the server on it once";
  throw new UnusableDatabase(message, { cause: error });
}
