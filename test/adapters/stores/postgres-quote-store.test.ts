import assert from "node:assert/strict";
import { test } from "node:test";
import { openPool, type Query, queryOf } from "../../../src/adapters/stores/postgres/database.ts";
import { purgeExpired } from "../../../src/adapters/stores/postgres/purge-expired.ts";
import { createLedgerGuard } from "../../../src/adapters/stores/store-calls.ts";
import { DAY } from "../../../src/ops/durations.ts";
import { type Log, silentLog } from "../../../src/ops/log.ts";
import { quoteStoreContract } from "../../ports/quote-store.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { until } from "../../support/lifetime.ts";
import {
  aSchema,
  aSchemaWithRole,
  asking,
  openStore,
  purge,
  savedSales,
  withPostgres,
} from "../../support/postgres.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aSale } from "../../support/sale-fixture.ts";

await withPostgres("PostgreSQL quote store", () => {
  quoteStoreContract("PostgreSQL", async (t, { clock }) => {
    const url = await aSchema(t);
    return { store: await openStore(t, { url, clock }), sales: () => savedSales(url) };
  });

  test("lets one of nine entries of a key win over two processes, twenty times, and again after its keeping", async (t) => {
    const url = await aSchema(t);
    const clock = aClock(ISSUED_AT);
    const stores = await Promise.all([openStore(t, { url, clock }), openStore(t, { url, clock })]);
    for (let round = 0; round < 40; round += 1) {
      // Every second round finds the record of the round before, which is past its keeping.
      const keyHash = `key_hash_${Math.floor(round / 2)}`;
      const createdAt = clock.now().toISOString();
      const entries = Array.from({ length: 9 }, (_, n) => ({
        quote: aQuote({ id: `quote_${round}_${n}` }),
        record: aRecord({ keyHash, createdAt, answer: `{"quote_id":"quote_${round}_${n}"}` }),
      }));
      const answers = await Promise.all(entries.map((entry, n) => stores[n % 2]?.insert(entry)));
      const [winner, ...others] = entries.filter((_, n) => answers[n] === undefined);
      assert.ok(winner && others.length === 0, `round ${round}`);
      for (const answer of answers) if (answer) assert.deepEqual(answer, winner.record);
      for (const store of stores) assert.deepEqual(await store.findRecord(keyHash), winner.record);
      clock.set(purgedFrom(createdAt));
    }
    const [row] = await asking<{ n: number }>(url, "SELECT count(*)::int AS n FROM transfer_quotes");
    assert.equal(row?.n, 40, "no loser left a quote");
  });

  test("keeps what a text column cannot: U+0000 and half a surrogate pair", async (t) => {
    const store = await openStore(t, { url: await aSchema(t) });
    const odd = ["a\u0000b", "a\\u0000b", "\ud83d", "\ufffd", '"\\', "ü"];
    for (const name of odd) {
      const quote = aQuote({ id: name, origin: name, destination: name });
      assert.equal(await store.insert({ quote, record: aRecord({ keyHash: name }) }), undefined);
    }
    for (const name of odd) {
      assert.deepEqual(await store.find(name), aQuote({ id: name, origin: name, destination: name }));
      assert.equal((await store.findRecord(name))?.keyHash, name);
    }
  });

  test("makes its tables once where five processes start together", async (t) => {
    const url = await aSchema(t);
    const migrated: unknown[] = [];
    const log: Log = { ...silentLog, info: (facts) => migrated.push(facts) };
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => openStore(t, { url, log })));
    await Promise.all(stores.map((store, n) => store.insert(anEntry(`n${n}`))));
    const recorded = await asking(url, "SELECT name AS migration FROM transfer_migrations ORDER BY name");
    assert.ok(recorded.length > 0);
    assert.deepEqual(migrated, recorded);
  });

  test("refuses tables of a later release in one line, by the migration and what to do", async (t) => {
    const url = await aSchema(t);
    await openStore(t, { url });
    await asking(url, "INSERT INTO transfer_migrations VALUES ('999-of-a-later-version', now())");
    await assert.rejects(openStore(t, { url }), {
      name: "UnusableStorage",
      message:
        /^TRANSFER_DATABASE_URL: [^\n]*"999-of-a-later-version" is unknown to [\d.]+; start that release, or restore a backup [^\n]*$/,
    });
  });

  test("completes the tables of a preview of 0.1.0, and keeps what they hold", async (t) => {
    const url = await aSchema(t);
    await (await openStore(t, { url })).insert(anEntry("a"));
    await asking(url, "DROP TABLE transfer_calls, transfer_issuer_records");
    await asking(url, "UPDATE transfer_migrations SET name = '001-stored'");
    const store = await openStore(t, { url });
    assert.ok(await store.find("quote_a"));
    await store.ping();
  });

  test("starts with a role that may not create tables, and is ready once the role may write each", async (t) => {
    const { url, role } = await aSchemaWithRole(t);
    await assert.rejects(openStore(t, { url: role.url }), { name: "UnusableStorage", message: /permission denied/ });
    await openStore(t, { url });
    await role.may("SELECT");
    const store = await openStore(t, { url: role.url });
    const refusal = await store.ping().catch((error) => error);
    assert.equal(refusal.code, "UPSTREAM_UNAVAILABLE");
    assert.match(String(refusal.cause), /the role may not write transfer_quotes, .*transfer_outbox$/);
    await role.may("SELECT, INSERT, UPDATE, DELETE");
    await store.ping();
    assert.equal(await store.insert(anEntry("a")), undefined);
  });

  test("is not ready on a database that can only be read, and saves nothing there", async (t) => {
    const url = await aSchema(t);
    await openStore(t, { url });
    const reading = new URL(url);
    reading.searchParams.set("options", `${reading.searchParams.get("options")} -c default_transaction_read_only=on`);
    const { log, records } = aRecordingLog();
    const store = await openStore(t, { url: reading.href, log });
    for (let n = 0; n < 3; n += 1) {
      await assert.rejects(store.ping(), { code: "UPSTREAM_UNAVAILABLE" });
      await assert.rejects(store.insert(anEntry("a")), { code: "UPSTREAM_UNAVAILABLE" });
      assert.equal(await store.find("quote_a"), undefined);
    }
    assert.equal(records.map(({ message }) => message).join(), "quotes cannot be saved");
  });
});

await withPostgres("dropping the dead", () => {
  test("drops what is past its keeping in batches of 500, and nothing else", async (t) => {
    const url = await aSchema(t);
    const store = await openStore(t, { url });
    await store.insert(anEntry("a"));
    await addDead(url, 1200);
    let batches = 0;
    const pool = openPool({ url, connections: 1 });
    t.after(() => pool.end());
    const query = queryOf(pool);
    const counting: Query = (...statement) => {
      batches += 1;
      return query(...statement);
    };
    await purgeExpired(counting, { ledgerDays: 400, clock: aClock(ISSUED_AT), mayDeleteEvents: () => true });
    assert.deepEqual(await remaining(url), { quotes: ["quote_a"], records: ["key_hash_a"] });
    assert.equal(batches, 11);
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

await withPostgres("a clock that jumps", () => {
  test("deletes no ledger, and is logged once", async (t) => {
    const url = await aSchema(t);
    const clock = aClock(ISSUED_AT);
    const store = await openStore(t, { url, clock });
    await store.insert({ quote: undefined, record: undefined, sale: aSale(aQuote()) });
    const { log, records } = aRecordingLog();
    const mayDeleteEvents = createLedgerGuard(log);
    const keptAfter = async (days: number) => {
      clock.set(new Date(Date.parse(ISSUED_AT) + days * DAY));
      await purge(url, { clock, mayDeleteEvents });
      return (await savedSales(url)).length;
    };
    assert.deepEqual([await keptAfter(500), await keptAfter(501), await keptAfter(1)], [1, 1, 1]);
    assert.equal(records.map(({ level }) => level).join(), "error");
    assert.equal(await keptAfter(400.5), 0);
  });
});

async function addDead(url: string, count: number): Promise<void> {
  const values = [new Date(Date.parse(ISSUED_AT) - 1).toISOString(), count];
  const dead = "SELECT 'dead_' || n,";
  const all = "FROM generate_series(1, $2::int) AS n";
  await asking(url, `INSERT INTO transfer_quotes ${dead} '{}', $1 ${all}`, values);
  await asking(url, `INSERT INTO transfer_idempotency_records ${dead} '', '', $1, $1 ${all}`, values);
}

async function remaining(url: string) {
  const quotes = await asking<{ id: string }>(url, "SELECT id FROM transfer_quotes");
  const records = await asking<{ key_hash: string }>(url, "SELECT key_hash FROM transfer_idempotency_records");
  return { quotes: quotes.map(({ id }) => id), records: records.map(({ key_hash }) => key_hash) };
}

const OLD = "an old secret of at least 32 characters";
const NEW = "a new secret of at least 32 characters";
const OTHER = "another secret of at least 32 characters";
const REFUSED = { name: "UnusableStorage", message: /^TRANSFER_CHECKOUT_SECRET .*allowed:[^\n]*$/ };

await withPostgres("checkout secrets of several processes", () => {
  test("of processes that start together with different secrets one starts", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(t, { url })));
    const outcomes = await Promise.allSettled(stores.map((store, n) => store.checkCheckoutSecrets([`${OTHER} ${n}`])));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.name] : []));
    assert.deepEqual(refused, Array(3).fill("UnusableStorage"));
  });

  test("a process needs the others' secret, and a rotation goes by way of both", async (t) => {
    const url = await aSchema(t);
    const [one, other] = await Promise.all([openStore(t, { url }), openStore(t, { url })]);
    await one.checkCheckoutSecrets([OLD]);
    await other.checkCheckoutSecrets([OLD]);
    await assert.rejects(other.checkCheckoutSecrets([NEW]), REFUSED);
    await one.checkCheckoutSecrets([NEW, OLD]);
    await one.checkCheckoutSecrets([NEW]);
    await assert.rejects(other.checkCheckoutSecrets([OLD]), REFUSED);
    await other.checkCheckoutSecrets([OTHER, NEW]);
  });

  test("the database keeps no secret, and no fingerprint that a second database would share", async (t) => {
    const kept = await Promise.all(
      [1, 2].map(async () => {
        const url = await aSchema(t);
        await (await openStore(t, { url })).checkCheckoutSecrets([OLD]);
        const [row] = await asking<{ value: string }>(url, "SELECT value FROM transfer_settings");
        assert.doesNotMatch(row?.value ?? "", /secret of/);
        return (JSON.parse(row?.value ?? "") as { fingerprints: string[] }).fingerprints;
      }),
    );
    assert.notDeepEqual(kept[0], kept[1]);
  });

  test("processes that start together agree on a setting, which stays", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(t, { url })));
    const values = await Promise.all(stores.map((store, n) => store.setting("caller_hash_key", `key ${n}`)));
    assert.equal(new Set(values).size, 1);
    assert.equal(await stores[0]?.setting("caller_hash_key", "another key"), values[0]);
  });
});
