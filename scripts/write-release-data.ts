import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../src/ops/package-root.ts";
import { runBuilt, startBuiltServer } from "../test/support/built-process.ts";
import { aWebhookSecret } from "../test/support/event-receiver.ts";
import { clockAt } from "../test/support/faketime.ts";
import { aQuoteRequest, FULL_JOURNEY } from "../test/support/journey-fixture.ts";
import { aFolder } from "../test/support/lifetime.ts";
import { at, SECRET, sell } from "../test/support/machines.ts";
import { aSchema } from "../test/support/postgres.ts";
import { ISSUER, KEY, released, SINCE, type Sold } from "../test/support/released-data.ts";

/**
 * `npm run release:data`: keeps what this release stores, in a data folder and in a database, for
 * test/process/releases.test.ts, which later releases have to pass. Needs faketime, PostgreSQL and pg_dump.
 */
const FIRST_DAY = Date.parse("2026-11-30T09:00:00Z");
/** When the quotes of the first day are deleted, and their events alone are kept. */
const SECOND_DAY = Date.parse("2026-12-01T10:00:00Z");
/** Nothing listens there: the events wait. */
const NO_RECEIVER = {
  TRANSFER_EVENTS_URL: "http://127.0.0.1:9/events",
  TRANSFER_EVENTS_SECRET: aWebhookSecret("released"),
};
/** Of the process that uses a folder, not of what is stored. */
const NOT_KEPT = /\/(lock|owner\.txt|token)$/;

const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: () => unknown) => void cleanUps.push(clean) };
try {
  const target = released(packageVersion, "");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const dataDir = aFolder(t);
  writeSold("sold-from-data", await fill({ TRANSFER_DATA_DIR: dataDir }));
  cpSync(dataDir, join(target, "data"), { recursive: true, filter: (path) => !NOT_KEPT.test(path) });
  const url = await aSchema(t);
  writeSold("sold-from-database", await fill({ TRANSFER_DATABASE_URL: url, TRANSFER_DATA_DIR: aFolder(t) }));
  writeFileSync(join(target, "database.sql"), dump(url));
  process.stdout.write(`${target} has what ${packageVersion} stores\n`);
} finally {
  for (const clean of cleanUps.reverse()) await clean();
}

function writeSold(name: string, sold: Sold): void {
  writeFileSync(released(packageVersion, `${name}.json`), `${JSON.stringify(sold, null, 2)}\n`);
}

/** Sells on two days, and issues a credential. */
async function fill(store: Readonly<Record<string, string>>): Promise<Sold> {
  const settings = { TRANSFER_CHECKOUT_SECRET: SECRET, ...store };
  const first = await startBuiltServer(t, { ...settings, ...clockAt(FIRST_DAY) });
  await sell(first, aQuoteRequest());
  await first.stop();

  const now = clockAt(SECOND_DAY);
  const second = await startBuiltServer(t, { ...settings, ...NO_RECEIVER, ...now });
  const sale = await sell(second, aQuoteRequest({ destination: "Geneva", ...FULL_JOURNEY }));
  const body = aQuoteRequest();
  const once = { token: second.token, headers: { "Idempotency-Key": KEY }, body };
  const { status, body: answer } = await at(second, "/quotes", once);
  assert.equal(status, 201);
  const { body: problem } = await at(second, "/quotes", {
    token: second.token,
    body: aQuoteRequest({ passengers: 50, adults: 50, children: 5 }),
  });
  assert.equal(problem.code, "NO_ELIGIBLE_VEHICLE");
  await second.stop();

  const command = async (args: readonly string[], env = {}) => {
    const { code, stdout, stderr } = await runBuilt(t, args, { ...settings, ...now, ...env });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await command(["credentials", "add", "agency", "--machine"], ISSUER);
  const report = JSON.parse(await command(["report", "--json", "--since", SINCE]));
  const refused = JSON.parse(await command(["report", "--refused", "--json", "--since", SINCE]));
  return { at: new Date(SECOND_DAY).toISOString(), sale, keyed: { body, answer }, report, refused };
}

/** Tables and rows as statements that name no schema, so that they can be run in any. */
function dump(url: string): string {
  const [, schema = ""] = /search_path=(\w+)/.exec(decodeURIComponent(url)) ?? [];
  const options = ["--schema", schema, "--inserts", "--no-owner", "--no-privileges"];
  const text = execFileSync("pg_dump", [...options, url], { encoding: "utf8" });
  return text
    .replaceAll(`${schema}.`, "")
    .replaceAll(/^(--|\\|SET |SELECT pg_catalog|CREATE SCHEMA).*\n/gm, "")
    .replaceAll(/\n{2,}/g, "\n")
    .trimStart();
}
