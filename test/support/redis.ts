import { type TestContext, test } from "node:test";
import { Redis } from "ioredis";

export const redisUrl = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** Defines tests that need Redis; without it, one skipped test gives the reason. */
export async function withRedis(name: string, define: () => void): Promise<void> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  let fault: NodeJS.ErrnoException | undefined;
  redis.on("error", (error) => {
    fault = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    const why = fault?.code ?? fault?.message ?? String(error);
    test(name, { skip: `no Redis at ${new URL(redisUrl).host} (${why}); TEST_REDIS_URL names another` });
    return;
  } finally {
    redis.disconnect();
  }
  define();
}

/** Address of an empty Redis database that no other test uses; its keys are deleted after the test. */
export async function aDatabase(t: Pick<TestContext, "after">): Promise<string> {
  for (let number = 1; number < 16; number += 1) {
    const url = new URL(redisUrl);
    url.pathname = `/${number}`;
    const redis = new Redis(url.href);
    const claimed = await redis.eval(CLAIM, 1, "test-claim");
    if (!claimed) {
      await redis.quit();
      continue;
    }
    t.after(async () => {
      await redis.flushdb();
      await redis.quit();
    });
    return url.href;
  }
  throw new Error("no database of Redis is empty");
}

/** Claims an empty database. If the test is killed, the claim expires, as do all counters in the database. */
const CLAIM = `
  if redis.call("DBSIZE") > 0 then return 0 end
  redis.call("SET", KEYS[1], "1", "EX", 600)
  return 1`;
