import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { BuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { type Failure, type Load, underLoad } from "../support/load.ts";
import { at, isShed, machines, termsOf, whileRedisReplies } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";
import type { ApiAnswer } from "../support/service.ts";
import { until } from "../support/until.ts";

const WAITS = { timeout: 180_000, skip: whyNoOwnServers() ?? false };
/** How soon a call is answered during an outage: 5 s, and as much again for a machine that is busy with other tests. */
const ANSWER_MILLISECONDS = 10_000;

test("outages under load", WAITS, async (t) => {
  const postgres = await ownPostgres(t);
  const redis = await ownRedis(t);
  const { token: aToken, start } = await machines(t, {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    catalogDir: aCatalogWithBudgets(t, { checkout: { points: 10, seconds: 600 } }),
  });
  let servers: readonly BuiltServer[] = await Promise.all([start(), start(), start()]);
  const token = await aToken();
  const journey = aRealJourney();
  const ready = () => Promise.all(servers.map(readiness));

  await t.test("after kill -9 of a process the others serve and its calls can be retried", async (t) => {
    const [first, ...others] = servers;
    assert.ok(first);
    const load = aLoad(t);
    await load.more("answered", 40);
    first.child.kill("SIGKILL");
    assert.deepEqual(await first.ended, { code: null, signal: "SIGKILL" });
    await load.more("failures", 3);
    await load.more("answered", 40);
    const again = await start({ TRANSFER_HTTP_PORT: new URL(first.publicUrl).port });
    servers = [again, ...others];
    await servesAgain([again]);
    await load.more("answered", 40);
    await load.stop();

    const cutOff = load.failures.filter(({ answer }) => !answer || !isOverload(answer));
    for (const { server, answer } of cutOff) {
      assert.deepEqual([server.publicUrl, answer?.text], [first.publicUrl, undefined]);
    }
    await readBack(load);
    for (const { key } of [...cutOff.slice(0, 12), ...cutOff.slice(0, 12)]) {
      const { status, body } = await resend(key);
      assert.equal(status, 201);
      assert.equal(await countAnswers(body.quote_id), 1);
    }
  });

  await t.test("an immediate stop of PostgreSQL is reported as unavailable and recovers", async (t) => {
    const load = aLoad(t);
    await load.more("answered", 40);
    await postgres.kill();
    await load.more("failures", 30);
    assert.equal(new Set(load.failures.map(({ server }) => server.publicUrl)).size, 3);
    for (const { status, body } of await ready()) {
      assert.deepEqual([status, body.status, body.failing], [503, "unavailable", ["quotes"]]);
    }
    for (const { publicUrl } of servers) assert.equal((await fetch(`${publicUrl}/healthz`)).status, 200);
    await postgres.start();
    await servesAgain(servers);
    await load.more("answered", 40);
    await load.stop();

    assertTruthful(load.failures);
    await readBack(load);
    for (const { status } of await ready()) assert.equal(status, 200);
  });

  await t.test(
    "after kill -9 of Redis every call is served, and budgets are shared again once it is back",
    async (t) => {
      const load = aLoad(t);
      await load.more("answered", 40);
      await redis.kill();
      await load.more("answered", 120);
      for (const { status, body } of await ready()) {
        assert.deepEqual([status, body.status, body.failing], [200, "degraded", ["budgets"]]);
      }
      await redis.start();
      await until(async () => (await ready()).every(({ body }) => body.status === "ready"), "Redis is used again");
      await load.more("answered", 40);
      await load.stop();

      assert.deepEqual(
        load.failures.filter(({ answer }) => !answer || !isOverload(answer)).map(({ answer }) => answer?.text),
        [],
      );
      await readBack(load);
      for (const { says } of servers) await says(/"Redis is unavailable[\s\S]*"Redis is available again/);
      await whileRedisReplies(servers, async () => {
        assert.equal(await handoffsOf(await aToken()), 10, "one budget of ten for three processes");
      });
    },
  );

  function aLoad(t: TestContext): Load {
    const load = underLoad(() => servers, token, journey);
    t.after(load.stop);
    return load;
  }

  /** Each of these servers creates a quote. */
  async function servesAgain(these: readonly BuiltServer[]): Promise<void> {
    for (const server of these) {
      const creates = async () => (await at(server, "/quotes", { token, body: journey })).status === 201;
      await until(creates, `${server.publicUrl} works again`);
    }
  }

  /** Every process returns every created quote unchanged. */
  async function readBack({ answered }: Load): Promise<void> {
    const all = [...answered.values()].map(({ body }) => body);
    assert.ok(all.length > 0);
    for (let n = 0; n < all.length; n += 9) {
      const reads = all.slice(n, n + 9).map(async (quote, index) => {
        const server = servers[index % servers.length];
        assert.ok(server);
        assert.deepEqual((await at(server, `/quotes/${quote.quote_id}`, { token })).body, quote);
      });
      await Promise.all(reads);
    }
  }

  async function resend(key: string) {
    const [server] = servers;
    assert.ok(server);
    return at(server, "/quotes", { token, body: journey, headers: { "Idempotency-Key": key } });
  }

  /** How many idempotency keys have this quote as their response. */
  async function countAnswers(quoteId: string): Promise<number> {
    const text = "SELECT scope FROM transfer_idempotency_records WHERE answer LIKE '%' || $1 || '%'";
    return (await asking(postgres.url, text, [quoteId])).length;
  }

  /** How many of thirty concurrent handoffs are accepted. */
  async function handoffsOf(token: string): Promise<number> {
    const [server] = servers;
    assert.ok(server);
    const { body: quote } = await at(server, "/quotes", { token, body: journey });
    const calls = Array.from({ length: 10 }, () => servers).flat();
    const answers = await Promise.all(
      calls.map((each) => at(each, "/checkout-sessions", { token, body: termsOf(quote) })),
    );
    return answers.filter(({ status }) => status === 200).length;
  }
});

/** Whether a call was rejected because the machine is busy: to shed load, or because the database was too slow. */
function isOverload(answer: ApiAnswer): boolean {
  return isShed(answer) || (answer.status === 503 && /^Quotes can neither/.test(answer.body?.detail));
}

function assertTruthful(failures: readonly Failure[]): void {
  for (const { answer, took } of failures) {
    assert.ok(answer, "a process that lives breaks no connection");
    const { status, headers, body } = answer;
    assert.deepEqual([status, body?.code, body?.retryable], [503, "UPSTREAM_UNAVAILABLE", true], answer.text);
    assert.equal(headers.get("content-type"), "application/problem+json");
    assert.ok(took < ANSWER_MILLISECONDS, `answered after ${Math.round(took)} ms`);
  }
}

async function readiness({ publicUrl }: BuiltServer) {
  // Probes are kept for a second.
  await pause(1_100);
  const response = await fetch(`${publicUrl}/readyz`);
  return { status: response.status, body: await response.json() };
}
