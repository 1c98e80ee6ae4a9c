import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { basename } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { aClock } from "../support/fake-clock.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService, type TestService } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";
import type { Real } from "./quote-life.judge.ts";
import { aModel, commands } from "./quote-life.model.ts";

/** The same sequences every time; PROPERTY_SEED tries others. What fails is printed with its seed and path. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_120);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 12);
const SECRET = "a-checkout-secret-of-the-tests-0123456789";
/** What the sequences must have met, or they hold nothing. */
const OUTCOMES = [
  ...["created", "raced", "replayed", "INVALID_REQUEST", "read open", "read expired", "QUOTE_NOT_FOUND"],
  ...["handed over", "QUOTE_EXPIRED", "resolved", "crashed"],
];

type Environment = Readonly<Record<string, string>>;

test("holds every promise of a quote in random sequences of calls, on the embedded store", async (t) => {
  await hold(
    t,
    () => ({}),
    (left) => ({ TRANSFER_DATA_DIR: copyOf(t, left) }),
  );
});

await withPostgres("no sequence of calls breaks a promise of a quote", () => {
  test("holds every promise of a quote in random sequences of calls, on PostgreSQL", async (t) => {
    const env = { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET };
    await hold(
      t,
      () => env,
      () => env,
    );
  });
});

/** `begin` says where the first process of a run keeps its quotes, `goOn` where one that comes after a crash finds them. */
async function hold(t: TestContext, begin: () => Environment, goOn: (left: TestService) => Environment) {
  const limiter = aRateLimiter();
  const seen = new Map<string, number>();
  let runs = 0;
  const property = fc.asyncProperty(commands, async (sequence) => {
    runs += 1;
    const services: TestService[] = [];
    const clock = aClock();
    let service = await started(begin());
    const real: Real = {
      run: randomUUID(),
      seen,
      service: () => service,
      async crash() {
        service = await started(goOn(service));
        seen.set("crashed", (seen.get("crashed") ?? 0) + 1);
      },
    };
    try {
      await fc.asyncModelRun(() => ({ model: aModel(), real }), sequence);
    } finally {
      await Promise.all(services.map(({ close }) => close()));
    }

    async function started(env: Environment): Promise<TestService> {
      const next = await aService(t, { limiter, env, clock });
      services.push(next);
      return next;
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  t.diagnostic(`${runs} sequences: ${[...seen].map(([what, times]) => `${what} ${times}`).join(", ")}`);
  assert.deepEqual(
    OUTCOMES.filter((outcome) => !seen.has(outcome)),
    [],
    "never met",
  );
}

/** What a process that is killed now leaves on its disk, but for its lock: it lives on in this process. */
function copyOf(t: TestContext, { dataDir }: TestService): string {
  const copy = aFolder(t);
  const isLock = (path: string) => basename(path).startsWith("lock-");
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !isLock(path) });
  return copy;
}
