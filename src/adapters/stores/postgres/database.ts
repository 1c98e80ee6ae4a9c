import pg from "pg";
import { MINUTE } from "../../../ops/durations.ts";
import { sha256 } from "../../../ops/ids.ts";
import { UnusableStorage } from "../unusable-storage.ts";

const CONNECT_MILLISECONDS = 2_000;
const STATEMENT_MILLISECONDS = 2_000;
/** For starts and reports, where no caller waits. */
const PATIENT_CONNECT_MILLISECONDS = 5_000;
const PATIENT_STATEMENT_MILLISECONDS = MINUTE;
/** Lets the server cancel a slow statement first, since its error states the reason. */
const GRACE_MILLISECONDS = 200;

/** Runs one statement, which is a transaction of its own. Rejects with the driver's error. */
export type Query = <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

type PoolOptions = { readonly url: string; readonly connections: number; readonly isPatient?: boolean };

/**
 * Opens connections on demand, so that the server may be unavailable now. `isPatient` allows longer timeouts, where no
 * caller waits.
 */
export function openPool({ url, connections, isPatient = false }: PoolOptions): pg.Pool {
  const statementMilliseconds = isPatient ? PATIENT_STATEMENT_MILLISECONDS : STATEMENT_MILLISECONDS;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "transfer-quote-mcp",
    max: connections,
    connectionTimeoutMillis: isPatient ? PATIENT_CONNECT_MILLISECONDS : CONNECT_MILLISECONDS,
    statement_timeout: statementMilliseconds,
    query_timeout: statementMilliseconds + GRACE_MILLISECONDS,
    keepAlive: true,
  });
  // The pool drops an idle connection that breaks; without a listener its error would end the process.
  pool.on("error", () => {});
  return pool;
}

/** Each connection prepares a statement once, under the digest of its text. */
export function queryOf(pool: pg.Pool): Query {
  return async (text, values) =>
    (await pool.query({ name: sha256(text, "base64url"), text, values: [...values] })).rows;
}

export function unusableDatabase(error: unknown): UnusableStorage {
  if (error instanceof UnusableStorage) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  const text = `TRANSFER_DATABASE_URL: the database cannot be used: ${message || code}`;
  return new UnusableStorage(text, { cause: error });
}

/** A name as a text column accepts it: U+0000 and lone surrogates are escaped. */
export function keyOf(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
