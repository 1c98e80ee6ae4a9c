import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const CONNECT_MILLISECONDS = 1000;
const STATEMENT_MILLISECONDS = 2000;
/** For a connection of the pool to become free. */
const TURN_MILLISECONDS = 3000;
/** For a call as a whole, whatever happens to it. */
const CALL_MILLISECONDS = 4500;
/** Gives a slow server the time to say so itself, which leaves the connection good. */
const GRACE_MILLISECONDS = 200;

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
  /** Ends the connections; those in use when they are given back. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections at a time. */
  readonly connections: number;
}

/** A pool opens its connections when they are needed, so that a server which is away now does no harm. */
export function openDatabase({ url, connections }: DatabaseOptions): Database {
  const pool = openPool({ url, connections, statementMilliseconds: STATEMENT_MILLISECONDS });

  return {
    call(work) {
      const deadline = performance.now() + CALL_MILLISECONDS;
      return work((statement, values) => repeated(() => run(statement, values, deadline), deadline));
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
      if (left <= 0) throw new Error("no time is left for another statement");
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

  /** Where one connection broke the idle ones are suspect: each would cost a call its time to find out. */
  function dropIdle(): void {
    for (let n = pool.idleCount; n > 0; n -= 1) {
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  }
}

/** Connections that a server which goes away does no harm to. */
export function openPool({
  url,
  connections,
  statementMilliseconds,
}: DatabaseOptions & { readonly statementMilliseconds: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "transfer-quote-mcp",
    max: connections,
    connectionTimeoutMillis: TURN_MILLISECONDS,
    statement_timeout: statementMilliseconds,
    keepAlive: true,
    Client: ImpatientClient,
  });
  // Without listeners the connection's errors would end the process; whoever waits for an answer gets them anyway.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The pool has one limit for a turn and for connecting; here connecting has its own. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig | string) {
    const options = typeof config === "string" ? { connectionString: config } : config;
    super({ ...options, connectionTimeoutMillis: CONNECT_MILLISECONDS });
  }
}

/** Repeats what the server itself undid: a lost conflict or a deadlock. */
async function repeated<T>(attempt: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!["40001", "40P01"].includes(sqlStateOf(error) ?? "") || performance.now() > deadline) throw error;
      await pause(5 + Math.random() * 45);
    }
  }
}

/** Whether the connection is of no more use: broken, silent, told to end, or to a server that only reads. */
function isLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(08|57P|25006)/.test(state);
}

/** The five characters by which the server names an error; `undefined` where the error is not the server's. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
