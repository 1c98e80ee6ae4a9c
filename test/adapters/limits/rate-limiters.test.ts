import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { createMemoryRateLimiter, MOST_KEYS } from "../../../src/adapters/limits/memory-rate-limiter.ts";
import {
  createRedisRateLimiter,
  type RedisRateLimiterOptions,
} from "../../../src/adapters/limits/redis-rate-limiter.ts";
import { rateLimited } from "../../../src/contract/errors.ts";
import { type Budgets, TIERS } from "../../../src/contract/tiers.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { addressKey, type RateLimiter, subjectKey } from "../../../src/service/calls/rate-limiter.ts";
import { rateLimiterContract } from "../../ports/rate-limiter.contract.ts";
import { aPatientLimiter } from "../../support/rate-limiter.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aDatabase, withRedis } from "../../support/redis.ts";
import { proxied } from "../../support/tcp-proxy.ts";

const ONE = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1, seconds: 3600 }])) as unknown as Budgets;
const LIMITED = { code: "RATE_LIMITED" };
const TEN = Object.fromEntries(TIERS.map((tier) => [tier, { points: 10, seconds: 600 }])) as unknown as Budgets;

await withRedis("budgets in Redis", () => {
  rateLimiterContract("Redis", async (t, budgets) => aLimiter(t, { url: await aDatabase(t), budgets }));

  test("counts on its own at once while Redis refuses connections", async (t) => {
    const { limiter, proxy } = await behindProxy(t);
    await limiter.charge("checkout", "a");
    await proxy.stop();
    await limiter.charge("checkout", "a");
    const started = performance.now();
    for (let n = 0; n < 9; n += 1) assert.ok(await isAdmitted(limiter));
    assert.equal(await isAdmitted(limiter), false, "its own ten points are used");
    assert.ok(performance.now() - started < 60_000, "no call waits for a connection that is down");
    await assert.rejects(limiter.ping(), { code: "UPSTREAM_UNAVAILABLE" });
  });

  test("does not delay calls while Redis does not reply", async (t) => {
    const { url, proxy } = await proxied(t, await aDatabase(t));
    // With the limit of the product.
    const limiter = createRedisRateLimiter({ url, budgets: TEN, log: silentLog });
    t.after(() => limiter.close());
    await backAgain(limiter);
    proxy.hang();
    const started = performance.now();
    await Promise.all(Array.from({ length: 10 }, () => limiter.charge("checkout", "a")));
    const took = performance.now() - started;
    assert.ok(took > 140 && took < 10_000, `${took} ms`);
    assert.equal(await isAdmitted(limiter), false);
    await assert.rejects(limiter.ping(), { code: "UPSTREAM_UNAVAILABLE" });
    await proxy.mend();
    await backAgain(limiter);
  });

  test("takes no busy event loop for a Redis that does not reply", async (t) => {
    const { log, records } = aRecordingLog();
    const limiter = aLimiter(t, { url: await aDatabase(t), budgets: ONE, log, replyMs: 500 });
    await backAgain(limiter);
    const charged = limiter.charge("checkout", "a");
    // Until the command has been sent.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    await charged;
    assert.deepEqual(records, []);
    assert.equal(await isAdmitted(limiter), false, "counted in Redis");
  });

  test("returns to the shared budgets when Redis recovers, and logs each change once", async (t) => {
    const { log, records } = aRecordingLog();
    const { limiter, proxy, direct } = await behindProxy(t, { log });
    for (let n = 0; n < 8; n += 1) await limiter.charge("checkout", "a");
    assert.equal(records.length, 0, "the start of a process is no outage");

    for (const outage of [1, 2]) {
      await proxy.stop();
      for (let n = 0; n < 3; n += 1) await limiter.charge("checkout", `a${outage}`);
      await assert.rejects(limiter.ping());
      await proxy.mend();
      await backAgain(limiter);
      assert.deepEqual(
        records.slice(-2).map(({ level, message }) => `${level}: ${message.split(":")[0]}`),
        ["warn: Redis is unavailable", "info: Redis is available again"],
      );
      assert.equal(records.length, 2 * outage);
    }
    const other = aLimiter(t, { url: direct });
    assert.ok(await isAdmitted(other));
    assert.ok(await isAdmitted(limiter));
    assert.equal(await isAdmitted(other), false, "eight, and two after the outages");
  });

  test("counts a bounded number of keys while Redis is unavailable", async (t) => {
    const { limiter, proxy } = await behindProxy(t, { budgets: ONE });
    await proxy.stop();
    for (let n = 0; n <= MOST_KEYS; n += 1) await limiter.charge("checkout", String(n));
    await assert.rejects(limiter.charge("checkout", String(MOST_KEYS)), LIMITED);
    await limiter.charge("checkout", "0");
  });

  test("counts a client with a budget of its own against that while Redis is unavailable", async (t) => {
    const { limiter, proxy } = await behindProxy(t, { budgets: ONE });
    await proxy.stop();
    const charge = () => limiter.charge("checkout", "a", { points: 2, seconds: 3600 });
    await charge();
    await charge();
    await assert.rejects(charge(), LIMITED);
  });

  test("logs a failing command with its cause", async (t) => {
    const { log, records } = aRecordingLog();
    const url = await aDatabase(t);
    const redis = new Redis(url);
    await redis.set("transfer-quote:checkout:a", "text");
    await redis.quit();
    await aLimiter(t, { url, log }).charge("checkout", "a");
    const causes = records.map(({ facts }) => String((facts as { readonly err: unknown }).err));
    assert.equal(causes.length, 1);
    assert.match(causes[0] ?? "", /not an integer/);
  });

  test("a process that starts without Redis counts on its own, and shares later", async (t) => {
    const direct = await aDatabase(t);
    const { url, proxy } = await proxied(t, direct);
    await proxy.stop();
    const { log, records } = aRecordingLog();
    const limiter = aLimiter(t, { url, log });
    for (let n = 0; n < 10; n += 1) await limiter.charge("checkout", "a");
    assert.equal(await isAdmitted(limiter), false);
    assert.equal(records.length, 1);
    await proxy.mend();
    await backAgain(limiter);
    assert.ok(await isAdmitted(aLimiter(t, { url: direct })));
    for (let n = 0; n < 9; n += 1) assert.ok(await isAdmitted(limiter));
    assert.equal(await isAdmitted(limiter), false);
  });
});

type Options = Partial<RedisRateLimiterOptions>;

function aLimiter(t: TestContext, options: Options & { readonly url: string }) {
  return aPatientLimiter(t, { budgets: TEN, ...options });
}

/** `direct` is the address of the same database past the proxy. */
async function behindProxy(t: TestContext, options: Options = {}) {
  const direct = await aDatabase(t);
  const { url, proxy } = await proxied(t, direct);
  return { limiter: aLimiter(t, { ...options, url }), proxy, direct };
}

/** Whether a call under the key "a" is let through. */
async function isAdmitted(limiter: RateLimiter): Promise<boolean> {
  try {
    await limiter.charge("checkout", "a");
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, "RATE_LIMITED");
    return false;
  }
}

/** Within 10 s, as the operator was promised. */
test("a check waits a second for a slow Redis, connection and reply together", async (t) => {
  const server = createServer((socket) => {
    socket.on("data", async (sent) => {
      await pause(400);
      socket.write("+OK\r\n".repeat(sent.toString().split("*").length - 1));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const limiter = aLimiter(t, { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, budgets: ONE });
  await assert.rejects(limiter.ping(), { code: "UPSTREAM_UNAVAILABLE" });
});

async function backAgain(limiter: { ping(): Promise<void> }): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    try {
      return await limiter.ping();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(10);
    }
  }
}

rateLimiterContract("memory", async (_t, budgets) => createMemoryRateLimiter(budgets));

test("counts a bounded number of keys in memory, and forgets those unused longest", async () => {
  const limiter = createMemoryRateLimiter(ONE);
  const charge = (n: number) => limiter.charge("discovery", `key ${n}`);
  for (let n = 0; n < MOST_KEYS; n += 1) await charge(n);
  await assert.rejects(charge(0), LIMITED, "the bound has room for each");
  await charge(MOST_KEYS);
  await assert.rejects(charge(0), LIMITED, "it was used since");
  await charge(1);
});

test("an address of IPv6 is counted by its /64, and no subject has the key of an address", () => {
  const [first, neighbor, other] = ["2001:db8:1:2::1", "2001:db8:1:2:aaaa::9", "2001:db8:1:3::1"].map(addressKey);
  assert.deepEqual([neighbor === first, other === first], [true, false]);
  assert.equal(addressKey("::ffff:203.0.113.2"), addressKey("203.0.113.2"));
  for (const subject of ["203.0.113.2", "address:203.0.113.2", "subject:203.0.113.2"])
    assert.notEqual(subjectKey(subject), addressKey("203.0.113.2"));
});

test("a reported wait is never too short, although a counter and a timer may each be a millisecond off", () => {
  const waits = [-1, 998, 999, 1_000, 59_998].map((left) => rateLimited("routing", left).options.retryAfterSeconds);
  assert.deepEqual(waits, [1, 1, 2, 2, 60]);
});
