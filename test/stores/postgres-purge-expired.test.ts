import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Clock } from "../../src/ops/clock.ts";
import { openPool, type Query, queryOf } from "../../src/stores/postgres/database.ts";
import { purgeExpired } from "../../src/stores/postgres/purge-expired.ts";
import { aClock } from "../support/fake-clock.ts";
import { aSchema, asking, openStore, withPostgres } from "../support/postgres.ts";
import { anEntry, ISSUED_AT } from "../support/quote-fixture.ts";
import { until } from "../support/until.ts";

await withPostgres("dropping the dead", () => {
  test("drops what is past its keeping in batches of 500, and nothing else", async (t) => {
    const url = await aSchema(t);
    const store = await openStore(t, { url });
    await store.insert(anEntry("a"));
    await addDead(url, 1200);
    let batches = 0;
    const query = aQuery(t, url);
    const counting: Query = (...statement) => {
      batches += 1;
      return query(...statement);
    };
    await purgeExpired(counting, keptFor400Days(aClock(ISSUED_AT)));
    assert.deepEqual(await remaining(url), { quotes: ["quote_a"], records: ["scope_a"] });
    assert.equal(batches, 7);
  });

  test("drops by itself, about once a minute", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const url = await aSchema(t);
    await openStore(t, { url });
    await addDead(url, 700);
    t.mock.timers.tick(70_000);
    await until(async () => {
      const { quotes, records } = await remaining(url);
      return quotes.length + records.length === 0;
    }, "all are dropped");
  });
});

function aQuery(t: TestContext, url: string): Query {
  const pool = openPool({ url, connections: 1 });
  t.after(() => pool.end());
  return queryOf(pool);
}

async function addDead(url: string, count: number): Promise<void> {
  const ended = new Date(Date.parse(ISSUED_AT) - 1).toISOString();
  await asking(url, `INSERT INTO transfer_quotes SELECT 'dead_' || n, '{}', $1 FROM generate_series(1, $2::int) AS n`, [
    ended,
    count,
  ]);
  await asking(
    url,
    `INSERT INTO transfer_idempotency_records SELECT 'dead_' || n, '', '', $1, $1 FROM generate_series(1, $2::int) AS n`,
    [ended, count],
  );
}

async function remaining(url: string) {
  const quotes = await asking<{ id: string }>(url, "SELECT id FROM transfer_quotes");
  const records = await asking<{ scope: string }>(url, "SELECT scope FROM transfer_idempotency_records");
  return { quotes: quotes.map(({ id }) => id), records: records.map(({ scope }) => scope) };
}

function keptFor400Days(clock: Clock) {
  return { ledgerDays: 400, clock };
}
