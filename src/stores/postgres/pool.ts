import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const CONNECT_MILLISECONDS = 1000;
/** At a start or for a report. */
const PATIENT_MILLISECONDS = 5000;
const STATEMENT_MILLISECONDS = 2000;
/** For a connection of the pool to become free. */
const TURN_MILLISECONDS = 3000;
/** For a call as a whole, whatever happens to it. */
const CALL_MILLISECONDS = 4500;
/** Gives a slow server time to cancel the statement itself, which leaves the connection usable. */
const GRACE_MILLISECONDS = 200;

/** What the server itself undid: a lost conflict or a deadlock. */
const UNDONE = ["40001", "40P01"];

/** Prepared once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs one statement as a transaction of its own: one round trip. Rejects with the driver's error. */
export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly (string | null)[],
) => Promise<Row[]>;

export interface Database {
  /** Lends `work` the database for a few statements, which share a budget of 4.5 s. */
  call<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Ends the connections; those in use when they are released. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections at a time. */
  readonly connections: number;
}

/** Opens connections when they are needed, so the server may be unavailable now. */
export function openDatabase({ url, connections }: DatabaseOptions): Database {
  const pool = openPool({ url, connections, statementMilliseconds: STATEMENT_MILLISECONDS });

  return {
    call(work) {
      const deadline = performance.now() + CALL_MILLISECONDS;
      return work((statement, values) => repeated(() => run(statement, values, deadline), deadline, UNDONE));
    },
    close: () => pool.end(),
  };

  async function run<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly (string | null)[],
    deadline: number,
  ): Promise<Row[]> {
    const client = await pool.connect();
    try {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error("no time left for another statement");
      // Known to the driver, not to its types.
      const limit = { query_timeout: Math.min(STATEMENT_MILLISECONDS + GRACE_MILLISECONDS, left) };
      const { rows } = await client.query<Row>({ ...statement, ...limit, values: [...values] });
      client.release();
      return rows;
    } catch (error) {
      client.release(isLost(error));
      if (isLost(error)) dropIdle();
      throw error;
    }
  }

  /** After one connection broke the idle ones are suspect: each would cost a call its time to find out. */
  function dropIdle(): void {
    for (let n = pool.idleCount; n > 0; n -= 1) {
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  }
}

interface PoolOptions extends DatabaseOptions {
  readonly statementMilliseconds: number;
  /** Whether no caller waits, so that a busy server may take a few seconds to accept a connection. */
  readonly isPatient?: boolean;
}

/** Connections whose errors do not end the process when the server becomes unavailable. */
export function openPool({ url, connections, statementMilliseconds, isPatient = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "transfer-quote-mcp",
    max: connections,
    connectionTimeoutMillis: isPatient ? PATIENT_MILLISECONDS : TURN_MILLISECONDS,
    statement_timeout: statementMilliseconds,
    keepAlive: true,
    Client: isPatient ? pg.Client : ImpatientClient,
    onConnect: compressFaster,
  });
  // Without listeners the connection's errors would end the process; pending queries reject anyway.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Texts of quotes and responses are compressed with lz4, which takes the server 50 µs a quote instead of 140 for the same
 * size; what was stored otherwise stays readable. A server without lz4 (PostgreSQL 13, CockroachDB) refuses it and uses
 * its own.
 */
async function compressFaster(client: pg.ClientBase): Promise<void> {
  const limit = { query_timeout: CONNECT_MILLISECONDS };
  try {
    await client.query({ text: "SET default_toast_compression = 'lz4'", ...limit });
  } catch (error) {
    if (isLost(error)) throw error;
  }
}

/** The pool has one limit for a turn and for connecting; here connecting has its own. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig | string) {
    const options = typeof config === "string" ? { connectionString: config } : config;
    super({ ...options, connectionTimeoutMillis: CONNECT_MILLISECONDS });
  }
}

/** Repeats until the deadline what failed with one of these SQL states. */
export async function repeated<T>(
  attempt: () => Promise<T>,
  deadline: number,
  sqlStates: readonly string[],
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!sqlStates.includes(sqlStateOf(error) ?? "") || performance.now() > deadline) throw error;
      await pause(5 + Math.random() * 45);
    }
  }
}

/** Whether the connection is unusable: broken, silent, being closed, or to a read-only server. */
function isLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(08|57P|25006)/.test(state);
}

/** The five characters by which the server names an error; `undefined` where the error is not the server's. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
