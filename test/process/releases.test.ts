import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { packageVersion } from "../../src/ops/package-root.ts";
import { runBuilt, startBuilt, startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { anEventReceiver, aWebhookSecret } from "../support/event-receiver.ts";
import { clockAt, noFaketime } from "../support/faketime.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { at, linkPath, SECRET } from "../support/machines.ts";
import { aSchema, asking, withPostgres } from "../support/postgres.ts";
import { ISSUER, KEY, released, releases, SINCE, type Sold } from "../support/released-data.ts";

const WAITS = { timeout: 120_000, skip: noFaketime };
const MINUTE = 60_000;
/** What a link shows as it was sold. */
const OFFERED = ["total_price", "expires_at", "operator", "cancellation_policy", "limitations", "legs"];
const STEPS = ["quote.created", "handoff.created", "handoff.opened"];

test("what this release stores is kept for later ones", () => {
  assert.ok(releases.includes(packageVersion), "npm run release:data writes it");
});

for (const release of releases)
  suite(`what ${release} has stored`, async () => {
    test("is served and reported from its data folder", WAITS, async (t) => {
      const dataDir = aFolder(t);
      cpSync(released(release, "data"), dataDir, { recursive: true });
      await isKept(t, { TRANSFER_DATA_DIR: dataDir }, soldBy(release, "sold-from-data"));
    });

    await withPostgres("is served and reported from its database", () => {
      test("is served and reported from its database", WAITS, async (t) => {
        const url = await aSchema(t);
        await asking(url, readFileSync(released(release, "database.sql"), "utf8"));
        const store = { TRANSFER_DATABASE_URL: url, TRANSFER_DATA_DIR: aFolder(t) };
        await isKept(t, store, soldBy(release, "sold-from-database"));
      });
    });
  });

function soldBy(release: string, name: string): Sold {
  return JSON.parse(readFileSync(released(release, `${name}.json`), "utf8"));
}

/** Starts this release on the store of another one, ten minutes after the last sale. */
async function isKept(t: TestContext, store: Readonly<Record<string, string>>, sold: Sold): Promise<void> {
  const settings = { TRANSFER_CHECKOUT_SECRET: SECRET, ...store };
  const checked = await runCommand(t, ["check"], settings);
  assert.equal(checked.code, 0, checked.stdout);
  assert.match(checked.stdout, /^a start +(ok|changes) /m);

  const receiver = await anEventReceiver(t);
  const now = clockAt(Date.parse(sold.at) + 10 * MINUTE);
  const events = { TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: aWebhookSecret("released") };
  const server = await startBuiltServer(t, { ...settings, ...events, ...now });
  const { token } = server;
  const { quote, handoff, resolved } = sold.sale;
  const read = (await at(server, `/quotes/${quote.quote_id}`, { token })).body;
  assert.deepEqual({ ...read, ...quote }, read, "the quote reads as it was sold");
  const opened = (await at(server, linkPath(handoff))).body;
  for (const field of OFFERED) assert.deepEqual(opened[field], resolved[field], `its link shows the same ${field}`);
  const { body, answer } = sold.keyed;
  const again = await at(server, "/quotes", { token, headers: { "Idempotency-Key": KEY }, body });
  assert.deepEqual([again.status, again.body], [201, answer], "a key replays its answer");
  const heard = () => receiver.received.filter(({ payload }) => payload.data.quote_id === quote.quote_id);
  await until(() => heard().length === STEPS.length, "the events that waited have been delivered");
  assert.deepEqual(
    heard().map(({ payload }) => payload.type),
    STEPS,
  );
  await server.stop();

  const command = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runBuilt(t, args, { ...settings, ...now });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  assertHas(await command(["report", "--json", "--since", SINCE]), sold.report);
  assertHas(await command(["report", "--refused", "--json", "--since", SINCE]), sold.refused);
  const listed = await runCommand(t, ["credentials", "list", "--json"], { ...settings, ...ISSUER });
  const [agency] = JSON.parse(listed.stdout);
  assert.deepEqual([agency.name, agency.kind], ["agency", "machine"]);
}

/** Rows with the fields of the others; a later release may have more. */
function assertHas(rows: readonly object[], others: readonly object[]): void {
  assert.deepEqual(
    rows.map((row, index) => ({ ...row, ...others[index] })),
    rows,
  );
  assert.equal(rows.length, others.length);
}

test("a data folder of a later release is refused by name, with what to do", WAITS, async (t) => {
  const dataDir = aFolder(t);
  cpSync(released(packageVersion, "data"), dataDir, { recursive: true });
  writeFileSync(join(dataDir, "format.json"), '{"format":2,"release":"0.7.0"}\n');
  const refusal =
    /format\.json has format 2, which is unknown to [\d.]+; start 0\.7\.0 or a later release, or restore /;
  const { stderr, ended } = startBuilt(t, ["serve", "--port", "0"], { TRANSFER_DATA_DIR: dataDir });
  assert.equal((await ended).code, 2);
  assert.match(stderr(), refusal);
  const report = await runCommand(t, ["report", "--data", dataDir]);
  assert.deepEqual([report.code, refusal.test(report.stderr)], [2, true], report.stderr);
  const check = await runCommand(t, ["check", "--data", dataDir]);
  assert.equal(check.code, 1);
  assert.match(check.stdout.replaceAll(/\n +/g, " "), new RegExp(`quotes +FAULT .*${refusal.source}`));
});
