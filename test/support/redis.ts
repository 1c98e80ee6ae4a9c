import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { Redis } from "ioredis";
import { aTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

export const redisUrl = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** Defines tests that need Redis; where there is none, one skipped test says so. */
export async function withRedis(name: string, define: () => void): Promise<void> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  let fault: NodeJS.ErrnoException | undefined;
  redis.on("error", (error) => {
    fault = error;
  });
  try {
    await redis.connect();
    define();
  } catch (error) {
    const why = fault?.code ?? fault?.message ?? String(error);
    test(name, { skip: `no Redis at ${new URL(redisUrl).host} (${why}); TEST_REDIS_URL names another` });
  } finally {
    redis.disconnect();
  }
}

/** A prefix of keys that no other test has; they are deleted after the test. */
export function aKeyPrefix(t: TestContext): string {
  const prefix = `test-${randomBytes(8).toString("hex")}`;
  t.after(async () => {
    const redis = new Redis(redisUrl);
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1000 })) {
      if (keys.length > 0) await redis.del(...keys);
    }
    await redis.quit();
  });
  return prefix;
}

/** The address of Redis by way of a proxy that can fail. */
export async function proxiedRedis(t: TestContext): Promise<{ url: string; proxy: TcpProxy }> {
  const through = new URL(redisUrl);
  const proxy = await aTcpProxy(t, { host: through.hostname, port: Number(through.port || 6379) });
  through.hostname = "127.0.0.1";
  through.port = String(proxy.port);
  return { url: through.href, proxy };
}
