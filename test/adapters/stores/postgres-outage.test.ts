import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { until } from "../../support/lifetime.ts";
import { aSchema, asking, openStore, withPostgres } from "../../support/postgres.ts";
import { anEntry, aQuote } from "../../support/quote-fixture.ts";
import { proxied } from "../../support/tcp-proxy.ts";

/**
 * Less than the 4.5 s that a call may take: a busy machine delays an answer, but not for as long as a call that waits.
 */
const AT_ONCE = 4_000;
const UNAVAILABLE = { code: "UPSTREAM_UNAVAILABLE" };

await withPostgres("outages of PostgreSQL", () => {
  test("a server that refuses connections is answered at once, and used again when it is back", async (t) => {
    const { store, proxy } = await behindProxy(t);
    await proxy.stop();
    await inTime(Promise.all([refused(store.insert(anEntry("b"))), refused(store.find("quote_a"))]), AT_ONCE);
    await refused(store.ping());
    await proxy.mend();
    await store.ping();
    assert.deepEqual(await store.find("quote_a"), anEntry("a").quote);
    assert.equal(await store.insert(anEntry("b")), undefined);
  });

  test("idle connections that the server ends, as at its stop, do not end the process", async (t) => {
    const url = new URL(await aSchema(t));
    const name = `test ${url.searchParams.get("options")}`;
    url.searchParams.set("application_name", name);
    const store = await openStore(t, { url: url.href });
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.find(`quote_${n}`)));
    const server = url.href.replace(/application_name=[^&]*/, "application_name=other");
    const ended = await asking(server, `SELECT pg_terminate_backend(pid) ${SESSIONS}`, [name]);
    assert.ok(ended.length > 1);
    const sessions = () => asking(server, `SELECT pid ${SESSIONS}`, [name]);
    await until(async () => (await sessions()).length === 0, "all sessions have ended");
    assert.equal(await store.find("quote_a"), undefined);
    await store.insert(anEntry("a"));
  });

  test("a statement that never reached the server saved nothing, and its repetition saves", async (t) => {
    const { store, proxy } = await behindProxy(t);
    proxy.breakAt("key_hash_b", "before");
    await inTime(refused(store.insert(anEntry("b"))), AT_ONCE);
    assert.equal(await store.find("quote_b"), undefined);
    assert.equal(await store.insert(anEntry("b")), undefined);
  });

  test("a statement whose answer is lost was saved once, and its repetition is given that", async (t) => {
    const { store, proxy } = await behindProxy(t);
    proxy.breakAt("key_hash_b", "answered");
    await inTime(refused(store.insert(anEntry("b"))), AT_ONCE);
    const again = { quote: aQuote({ id: "quote_again" }), record: anEntry("b").record };
    assert.deepEqual(await store.insert(again), anEntry("b").record);
    assert.deepEqual(await store.find("quote_b"), anEntry("b").quote);
    assert.equal(await store.find("quote_again"), undefined);
  });

  test("a server that is silent is answered within the time of a call, more calls than connections included", async (t) => {
    const { store, proxy } = await behindProxy(t);
    proxy.hang();
    const calls = Array.from({ length: 60 }, (_, n) => refused(store.insert(anEntry(`n${n}`))));
    await inTime(Promise.all([...calls, refused(store.ping()), refused(store.find("quote_a"))]), 10_000);
    await proxy.mend();
    await store.ping();
    assert.deepEqual(await store.find("quote_a"), anEntry("a").quote);
    await store.insert(anEntry("b"));
  });

  test("a statement that waits for a lock is given up by the server after 2 s, and nothing of it is saved", async (t) => {
    const { store, url } = await behindProxy(t);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE transfer_quotes");
      const started = performance.now();
      await assert.rejects(store.insert(anEntry("b")), (refusal: NodeJS.ErrnoException) => {
        assert.match(String(refusal.cause), /statement timeout/);
        return refusal.code === UNAVAILABLE.code;
      });
      assert.ok(performance.now() - started > 1900);
      await holder.query("COMMIT");
    } finally {
      await holder.end();
    }
    assert.equal(await store.findRecord("key_hash_b"), undefined);
    assert.equal(await store.find("quote_b"), undefined);
  });

  test("rejects the start while the database is unavailable, without showing its password", async (t) => {
    const { url, proxy } = await proxied(t, await aSchema(t));
    await proxy.stop();
    const secret = new URL(url);
    secret.password = "hunter2";
    const message = /^TRANSFER_DATABASE_URL(?!.*hunter2)/;
    await assert.rejects(openStore(t, { url: secret.href }), { message });
  });
});

const SESSIONS = "FROM pg_stat_activity WHERE application_name = $1";

/** A store with `anEntry("a")` in it; `url` leads to its database past the proxy. */
async function behindProxy(t: TestContext) {
  const url = await aSchema(t);
  const { url: through, proxy } = await proxied(t, url);
  const store = await openStore(t, { url: through });
  await store.insert(anEntry("a"));
  return { store, proxy, url };
}

async function refused(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, UNAVAILABLE);
}

async function inTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const started = performance.now();
  await work;
  const took = Math.round(performance.now() - started);
  assert.ok(took < milliseconds, `took ${took} ms`);
}
