import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { packageRoot } from "../../src/ops/package-root.ts";
import { cleanEnvironment, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";
import { at, linkPath, SECRET, sell } from "../support/machines.ts";
import { aSchema, asking, withPostgres } from "../support/postgres.ts";

const WAITS = { timeout: 120_000 };
const skip = spawnSync("pg_dump", ["--version"]).error ? "pg_dump is not installed" : false;
const SCRIPT = join(packageRoot, "docs/operations/backup.sh");

suite("a backup that was taken beside the server is restored", async () => {
  test("of the embedded store", WAITS, async (t) => {
    const TRANSFER_DATA_DIR = aFolder(t);
    await isRestored(t, { TRANSFER_DATA_DIR }, async () => rmSync(TRANSFER_DATA_DIR, { recursive: true }));
  });

  await withPostgres("of PostgreSQL", () => {
    test("of PostgreSQL", { ...WAITS, skip }, async (t) => {
      const env = {
        TRANSFER_DATABASE_URL: await aSchema(t),
        TRANSFER_CHECKOUT_SECRET: SECRET,
        // The keys of the development issuer.
        TRANSFER_DATA_DIR: aFolder(t),
      };
      const [, schema] = /search_path=(\w+)/.exec(decodeURIComponent(env.TRANSFER_DATABASE_URL)) ?? [];
      const empty = `DROP SCHEMA ${schema} CASCADE; CREATE SCHEMA ${schema}`;
      await isRestored(t, env, async () => void (await asking(env.TRANSFER_DATABASE_URL, empty)));
    });
  });
});

async function isRestored(t: TestContext, env: Record<string, string>, lose: () => Promise<void>): Promise<void> {
  const file = join(aFolder(t), "backup");
  const run = (action: string) => promisify(execFile)(SCRIPT, [action, file], { env: cleanEnvironment(env) });
  const first = await startBuiltServer(t, env);
  const { quote, handoff } = await sell(first);
  const once = { headers: { "Idempotency-Key": "one" }, body: aRealJourney() };
  const { body: keyed } = await at(first, "/quotes", { ...once, token: first.token });

  const publicly = { TRANSFER_PUBLIC_URL: "https://quotes.test", TRANSFER_TRUST_PROXY: "loopback" };
  const issuing = { ...env, ...publicly, TRANSFER_ISSUER: "embedded" };
  await runBuilt(t, ["credentials", "add", "hotel", "--machine"], issuing);
  await run("save");
  const later = (await sell(first)).quote;
  await assert.rejects(run("restore"), /not empty|already exists/, "nothing is overwritten");
  await first.stop();
  await lose();
  await run("restore");

  const second = await startBuiltServer(t, env);
  const { token } = second;
  assert.deepEqual((await at(second, `/quotes/${quote.quote_id}`, { token })).body.options, quote.options);
  assert.equal((await at(second, linkPath(handoff))).status, 200);
  assert.equal((await at(second, "/quotes", { ...once, token })).body.quote_id, keyed.quote_id);
  assert.equal((await at(second, `/quotes/${later.quote_id}`, { token })).status, 404);
  await second.stop();
  const { stdout } = await runBuilt(t, ["report", "--json"], env);
  const [{ quotes, handed_over }] = JSON.parse(stdout);
  assert.deepEqual([quotes, handed_over], [2, 1]);
  assert.match((await runBuilt(t, ["credentials", "list"], issuing)).stdout, /^hotel /m);
}
