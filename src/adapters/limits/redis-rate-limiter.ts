import { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { rateLimited, upstreamUnavailable } from "../../contract/errors.ts";
import type { Budget, Budgets, Tier } from "../../contract/tiers.ts";
import { createLatch, type Log } from "../../ops/log.ts";
import type { RateLimiter } from "../../service/calls/rate-limiter.ts";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";

const CONNECT_MILLISECONDS = 1000;
/** A connection without traffic for this long while commands are pending is closed and reopened. */
const SILENCE_MILLISECONDS = 1000;
const LONGEST_RECONNECT_MILLISECONDS = 2000;
/** How long a check waits for the connection and the reply together. */
const PING_MILLISECONDS = 1000;

export interface RedisRateLimiterOptions {
  /** `redis://` or `rediss://`, with user, password and database number where needed. */
  readonly url: string;
  readonly budgets: Budgets;
  readonly log: Log;
  /** How long a call waits for Redis, in milliseconds. Default 150. */
  readonly replyMs?: number;
}

/**
 * Budgets in Redis or Valkey, shared by all processes, with one round trip for each charge. While Redis is unavailable,
 * this process counts in its own memory: at once if the connection is down, after `replyMs` if Redis does not reply.
 * Both transitions are logged.
 *
 * The library's insurance limiter keeps a timer and an entry for each key without a bound, which SECURITY.md promises for
 * what callers can fill, waits for a Redis that does not reply, and takes over without a word.
 */
export function createRedisRateLimiter({ url, budgets, log, replyMs = 150 }: RedisRateLimiterOptions) {
  const redis = new Redis(url, {
    connectionName: "transfer-quote-mcp",
    connectTimeout: Math.max(CONNECT_MILLISECONDS, replyMs),
    socketTimeout: Math.max(SILENCE_MILLISECONDS, replyMs),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_RECONNECT_MILLISECONDS),
    // A command without a reply has been counted in this process; resending it would count it twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  const fallback = createMemoryRateLimiter(budgets);
  let shared = budgets;
  const limiters = new Map<string, RateLimiterRedis>();
  const latch = createLatch(
    log,
    "warn",
    "Redis is unavailable: this process counts budgets in its own memory",
    "Redis is available again: budgets are shared by all processes",
  );
  let isClosing = false;
  redis.on("ready", recovered);
  redis.on("error", unavailable);
  redis.on("close", () => unavailable(new Error("the connection was closed")));
  // The first calls of a process wait for the first connection, for `replyMs` at most.
  const connected = new Promise<void>((resolve) => {
    redis.once("ready", resolve);
    redis.once("close", resolve);
  });
  const started = inTime(connected).catch(() => {});

  return {
    async charge(tier: Tier, key: string, budget = shared[tier]) {
      await started;
      try {
        await inTime(limiterOf(tier, budget).consume(key));
      } catch (refusal) {
        // The library rejects with a plain result when a budget is exceeded, and with an Error when its store fails.
        if (refusal instanceof RateLimiterRes) {
          recovered();
          throw rateLimited(tier, refusal.msBeforeNext);
        }
        unavailable(refusal);
        return fallback.charge(tier, key, budget);
      }
      recovered();
    },

    setBudgets(changed: Budgets) {
      shared = changed;
    },

    /** Rejects while Redis is unavailable. Only checks wait for this, so that it has longer than a charge. */
    async ping() {
      try {
        await inTime(
          connected.then(() => redis.ping()),
          PING_MILLISECONDS,
        );
      } catch (error) {
        unavailable(error);
        throw upstreamUnavailable("The shared budgets are unavailable; this process counts in its own memory.", error);
      }
      recovered();
    },

    async close() {
      isClosing = true;
      await redis.quit().catch(() => {});
      redis.disconnect();
    },
  } satisfies RateLimiter & Record<string, unknown>;

  /** The limiter for a budget. Its Redis keys do not contain the budget, so a tier keeps its counts when it changes. */
  function limiterOf(tier: Tier, { points, seconds: duration }: Budget): RateLimiterRedis {
    const name = `${tier} ${points} ${duration}`;
    const made =
      limiters.get(name) ??
      new RateLimiterRedis({
        storeClient: redis,
        rejectIfRedisNotReady: true,
        keyPrefix: `transfer-quote:${tier}`,
        points,
        duration,
      });
    limiters.set(name, made);
    return made;
  }

  /** Rejects after `milliseconds`, but not before the replies that have arrived are read: a busy event loop runs timers first. */
  function inTime<R>(reply: Promise<R>, milliseconds = replyMs): Promise<R> {
    return new Promise((resolve, reject) => {
      const late = () => setImmediate(reject, new Error(`no reply within ${milliseconds} ms`));
      const timer = setTimeout(late, milliseconds);
      reply.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  function unavailable(error: unknown): void {
    if (!isClosing) latch.failed({ err: error });
  }

  function recovered(): void {
    if (!isClosing) latch.worked();
  }
}
