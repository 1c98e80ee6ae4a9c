import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startBuilt, startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aSchema, asking, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const WAITS = { timeout: 120_000 };
const [OLD, NEW] = ["an-old-secret-of-the-checkout-links", "a-newer-secret-of-the-checkout-links"];

test("check creates nothing in the data folder, and says what a start would create", WAITS, async (t) => {
  const dataDir = join(aFolder(t), "new");
  const { code, stdout } = await runCommand(t, ["check", "--data", dataDir]);
  assert.equal(code, 0, stdout);
  assert.equal(existsSync(dataDir), false);
  const listed = stdout.replaceAll(/\n +/g, " ");
  assert.match(
    listed,
    /a start {2,}changes +creates format\.json, quotes, caller-hash-key, checkout-secret, development-keys\.json in \S+new\n/,
  );
  const server = await startBuiltServer(t, { TRANSFER_DATA_DIR: dataDir });
  await server.stop();
  const before = readdirSync(dataDir, { recursive: true });
  assert.match((await runCommand(t, ["check", "--data", dataDir])).stdout, /a start {2,}ok +changes nothing\n/);
  assert.deepEqual(readdirSync(dataDir, { recursive: true }), before);
});

await withPostgres("check on PostgreSQL", () => {
  const tablesIn = (url: string) => asking(url, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()");
  const settingsIn = (url: string) => asking(url, "SELECT name, value FROM transfer_settings ORDER BY name");

  test("check makes no tables, and records no secret", WAITS, async (t) => {
    const url = await aSchema(t);
    const dataDir = aFolder(t);
    const settings = { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET: OLD, TRANSFER_DATA_DIR: dataDir };
    const check = async (env = {}) => {
      const { code, stdout } = await runCommand(t, ["check"], { ...settings, ...env });
      return { code, stdout: stdout.replaceAll(/\n +/g, " ") };
    };
    const fresh = await check();
    assert.equal(fresh.code, 0, fresh.stdout);
    assert.match(fresh.stdout, /a start {2,}changes [^\n]*migrates the database \(001-[^)]+\); records fingerprints/);
    assert.deepEqual(await tablesIn(url), []);

    const server = await startBuiltServer(t, settings);
    await server.stop();
    const before = await settingsIn(url);
    assert.equal(before.length > 0, true);
    assert.match((await check()).stdout, /a start {2,}ok +changes nothing\n/);
    const rotated = await check({ TRANSFER_CHECKOUT_SECRET: `${OLD},${NEW}` });
    assert.match(rotated.stdout, /a start {2,}changes +records fingerprints of the checkout secrets in the database\n/);
    const unknown = await check({ TRANSFER_CHECKOUT_SECRET: NEW });
    assert.equal(unknown.code, 1);
    assert.match(unknown.stdout, /quotes {2,}FAULT +TRANSFER_CHECKOUT_SECRET is set, but the other processes/);
    assert.deepEqual(await settingsIn(url), before);
  });

  test("a start that fails leaves no connection open", WAITS, async (t) => {
    const [url, dataDir] = [await aSchema(t), aFolder(t)];
    writeFileSync(join(dataDir, "development-keys.json"), "{}");
    const env = { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET: OLD, TRANSFER_DATA_DIR: dataDir };
    const { stderr, ended } = startBuilt(t, ["serve", "--port", "0"], env);
    await until(() => stderr().includes("development-keys.json is damaged"), "the start has failed");
    const said = performance.now();
    assert.equal((await ended).code, 1);
    // The pool closes idle connections after ten seconds, and the process ends with the last.
    assert.ok(performance.now() - said < 9_000, `${performance.now() - said} ms`);
  });
});
