import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { PublicError } from "../../src/contract/errors.ts";
import { type Budgets, TIERS } from "../../src/contract/tiers.ts";
import type { RateLimiter } from "../../src/service/calls/rate-limiter.ts";

/**
 * What every RateLimiter promises. `open` gives a limiter whose keys no earlier test has used, and registers its own
 * clean-up on `t`.
 */
export function rateLimiterContract(
  name: string,
  open: (t: TestContext, budgets: Budgets) => Promise<RateLimiter>,
): void {
  suite(`RateLimiter contract: ${name}`, () => {
    test("accepts as many points as the budget has, then throws RATE_LIMITED", async (t) => {
      const limiter = await open(t, budgets({ points: 3, seconds: 60 }));
      for (let point = 0; point < 3; point += 1) await limiter.charge("checkout", "a");
      const refusal = await refusalOf(limiter.charge("checkout", "a"));
      assert.equal(refusal?.code, "RATE_LIMITED");
      assert.match(refusal.message, /checkout/);
    });

    test("reports the rest of the window in whole seconds", async (t) => {
      const limiter = await open(t, budgets({ points: 1, seconds: 60 }));
      await limiter.charge("routing", "a");
      const seconds = (await refusalOf(limiter.charge("routing", "a")))?.options.retryAfterSeconds;
      // Whoever waits for less is rejected again. The window has begun just now, on a slow machine some seconds ago.
      assert.ok(Number.isInteger(seconds) && Number(seconds) > 30 && Number(seconds) <= 61, `${seconds}`);
    });

    test("counts keys separately", async (t) => {
      const limiter = await open(t, budgets({ points: 1, seconds: 60 }));
      for (const key of ["a", "b", "A", "a ", "a:b", "address:192.0.2.1", "auth0|ü 1", "constructor", "__proto__"]) {
        await limiter.charge("discovery", key);
        assert.equal((await refusalOf(limiter.charge("discovery", key)))?.code, "RATE_LIMITED", key);
      }
    });

    test("counts against changed budgets from the next call on, with what was counted before", async (t) => {
      const limiter = await open(t, budgets({ points: 2, seconds: 60 }));
      for (let point = 0; point < 2; point += 1) await limiter.charge("checkout", "a");
      limiter.setBudgets(budgets({ points: 4, seconds: 60 }));
      for (let point = 0; point < 2; point += 1) await limiter.charge("checkout", "a");
      assert.equal((await refusalOf(limiter.charge("checkout", "a")))?.code, "RATE_LIMITED");
      limiter.setBudgets(budgets({ points: 1, seconds: 3 }));
      await limiter.charge("checkout", "b");
      const seconds = (await refusalOf(limiter.charge("checkout", "b")))?.options.retryAfterSeconds;
      assert.ok(Number(seconds) <= 4, `${seconds}`);
    });

    test("counts against the budget of the call where it has one", async (t) => {
      const limiter = await open(t, budgets({ points: 1, seconds: 60 }));
      const own = { points: 3, seconds: 2 };
      for (let point = 0; point < 3; point += 1) await limiter.charge("routing", "a", own);
      const refusal = await refusalOf(limiter.charge("routing", "a", own));
      assert.equal(refusal?.code, "RATE_LIMITED");
      assert.ok(Number(refusal.options.retryAfterSeconds) <= 3);
      await limiter.charge("routing", "b");
      assert.equal((await refusalOf(limiter.charge("routing", "b")))?.code, "RATE_LIMITED");
    });

    test("accepts exactly its points of 50 concurrent calls", async (t) => {
      const limiter = await open(t, budgets({ points: 7, seconds: 60 }));
      const calls = Array.from({ length: 50 }, () => refusalOf(limiter.charge("quote_authoritative", "a")));
      const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== undefined);
      assert.equal(refusals.length, 43);
      assert.ok(refusals.every(({ code }) => code === "RATE_LIMITED"));
    });

    test("accepts calls again after the reported wait", async (t) => {
      const limiter = await open(t, budgets({ points: 1, seconds: 1 }));
      await limiter.charge("checkout", "a");
      const refusal = await refusalOf(limiter.charge("checkout", "a"));
      // On a machine so slow that the window has ended meanwhile, there is no refusal to look at.
      await wait(Number(refusal?.options.retryAfterSeconds ?? 2) * 1000);
      await limiter.charge("checkout", "a");
    });
  });
}

function budgets(each: { points: number; seconds: number }): Budgets {
  return Object.fromEntries(TIERS.map((tier) => [tier, each])) as unknown as Budgets;
}

async function refusalOf(charge: Promise<void>): Promise<PublicError | undefined> {
  try {
    await charge;
    return undefined;
  } catch (error) {
    assert.ok(error instanceof PublicError);
    return error;
  }
}
