import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { openPool, queryOf } from "../../src/adapters/stores/postgres/database.ts";
import {
  openPostgresQuoteStore,
  type PostgresQuoteStore,
  type PostgresQuoteStoreOptions,
} from "../../src/adapters/stores/postgres/postgres-quote-store.ts";
import { purgeExpired } from "../../src/adapters/stores/postgres/purge-expired.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aClock } from "./fake-clock.ts";
import { ISSUED_AT } from "./quote-fixture.ts";

const server = new URL(process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/test");

/** Defines tests that need PostgreSQL; without it, one skipped test gives the reason. */
export async function withPostgres(name: string, define: () => void | Promise<void>): Promise<void> {
  try {
    await asking(server.href, "SELECT 1");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    test(name, { skip: `no PostgreSQL at ${server.host} (${code ?? error}); TEST_DATABASE_URL names another` });
    return;
  }
  await define();
}

/** Address of an empty schema that is dropped after the test. */
export async function aSchema(t: Pick<TestContext, "after">): Promise<string> {
  const schema = `test_${randomBytes(8).toString("hex")}`;
  await asking(server.href, `CREATE SCHEMA ${schema}`);
  t.after(() => asking(server.href, `DROP SCHEMA ${schema} CASCADE`));
  const url = new URL(server);
  url.searchParams.set("options", `-csearch_path=${schema}`);
  return url.href;
}

/** An empty schema, and a role without rights to its tables until `may` grants some. */
export async function aSchemaWithRole(t: Pick<TestContext, "after">) {
  const url = await aSchema(t);
  const schema = new URL(url).searchParams.get("options")?.split("=").at(-1);
  const name = `${schema}_role`;
  await asking(server.href, `CREATE ROLE ${name} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
  t.after(() => asking(server.href, `DROP OWNED BY ${name}; DROP ROLE ${name}`));
  const asRole = new URL(url);
  asRole.username = name;
  return {
    url,
    role: {
      url: asRole.href,
      may: (rights: string) => asking(url, `GRANT ${rights} ON ALL TABLES IN SCHEMA ${schema} TO ${name}`),
    },
  };
}

/** Runs one statement on a new connection. */
export async function asking<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

export async function savedSales(url: string): Promise<readonly SaleEvent[]> {
  const rows = await asking<{ sale: string }>(url, "SELECT sale FROM transfer_sales");
  return rows.map(({ sale }) => JSON.parse(sale));
}

/** The store at the instant of the fixtures; closed when the test ends. */
export async function openStore(
  t: Pick<TestContext, "after">,
  options: Pick<PostgresQuoteStoreOptions, "url"> & Partial<PostgresQuoteStoreOptions>,
): Promise<PostgresQuoteStore> {
  const store = await openPostgresQuoteStore({ ledgerDays: 400, clock: aClock(ISSUED_AT), log: silentLog, ...options });
  t.after(() => store.close());
  return store;
}

type Retention = Parameters<typeof purgeExpired>[1];

/** Deletes what is past its keeping, as each process does once a minute. */
export async function purge(url: string, retention: Pick<Retention, "clock"> & Partial<Retention>): Promise<void> {
  const pool = openPool({ url, connections: 1 });
  const defaults = { ledgerDays: 400, mayDeleteEvents: () => true };
  await purgeExpired(queryOf(pool), { ...defaults, ...retention }).finally(() => pool.end());
}
