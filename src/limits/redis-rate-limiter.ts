import { setImmediate as turn } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { rateLimited, upstreamUnavailable } from "../contract/errors.ts";
import type { Log } from "../ops/log.ts";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";
import { type Budgets, type RateLimiter, TIERS } from "./rate-limiter.ts";

const CONNECT_MILLISECONDS = 1000;
/** A call waits no longer for Redis. */
const ANSWER_MILLISECONDS = 150;
/** A connection that says nothing for so long is broken off and made anew. */
const SILENCE_MILLISECONDS = 1000;
const LONGEST_RECONNECT_MILLISECONDS = 2000;

export interface RedisRateLimiterOptions {
  /** `redis://` or `rediss://`, with user, password and database number where needed. */
  readonly url: string;
  readonly budgets: Budgets;
  readonly log: Log;
  /** Before every key. */
  readonly keyPrefix?: string;
}

export interface RedisRateLimiter extends RateLimiter {
  /** Rejects while the budgets are not shared. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Budgets counted in Redis or Valkey, one round trip each, for all processes together. While Redis is away this process
 * counts for itself: at once where the connection is down, within 150 ms where it is silent. It says so once, and goes
 * back by itself.
 */
export function createRedisRateLimiter(options: RedisRateLimiterOptions): RedisRateLimiter {
  const { url, budgets, log, keyPrefix = "transfer-quote" } = options;
  const redis = new Redis(url, {
    connectionName: "transfer-quote-mcp",
    connectTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_RECONNECT_MILLISECONDS),
    // A call that was not answered has been counted here meanwhile; to send it again would count it twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  const insurance = createMemoryRateLimiter(budgets);
  const shared = new Map(
    TIERS.map((tier) => {
      const { points, seconds } = budgets[tier];
      const limiter = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${keyPrefix}:${tier}`,
        points,
        duration: seconds,
        rejectIfRedisNotReady: true,
      });
      return [tier, limiter] as const;
    }),
  );
  let isAway = false;
  let closing: Promise<void> | undefined;
  redis.on("ready", back);
  redis.on("error", away);
  redis.on("close", () => away(new Error("the connection ended")));
  // The first calls of a process wait for its first connection, as any call waits for an answer.
  const started = inTime(
    new Promise<void>((resolve) => {
      redis.once("ready", resolve);
      redis.once("close", resolve);
    }),
  ).catch(() => {});

  return {
    async charge(tier, key) {
      await started;
      try {
        await inTime(shared.get(tier)?.consume(key));
      } catch (refusal) {
        // A spent budget is a plain result, a broken store an Error.
        if (refusal instanceof RateLimiterRes) {
          back();
          throw rateLimited(tier, refusal.msBeforeNext);
        }
        away(refusal);
        return insurance.charge(tier, key);
      }
      back();
    },

    async ping() {
      try {
        await started;
        await inTime(redis.ping());
      } catch (error) {
        away(error);
        throw upstreamUnavailable(
          "The shared budgets cannot be reached; this process counts for itself.",
          error,
        );
      }
      back();
    },

    close() {
      closing ??= end();
      return closing;
    },
  };

  function away(error: unknown): void {
    if (isAway || closing) return;
    isAway = true;
    log.warn({ err: error }, "Redis is away: this process counts its budgets for itself");
  }

  function back(): void {
    if (!isAway || closing) return;
    isAway = false;
    log.info({}, "Redis is back: budgets are counted for all processes together");
  }

  async function end(): Promise<void> {
    await inTime(redis.quit()).catch(() => {});
    redis.disconnect();
  }
}

/** Rejects where an answer takes too long. One that has arrived while this process was busy still counts. */
async function inTime<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(async () => {
      await turn();
      reject(new Error(`no answer within ${ANSWER_MILLISECONDS} ms`));
    }, ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
