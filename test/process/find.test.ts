import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { referenceOf } from "../../src/contract/notice-formats.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, SECRET, termsOf } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const WAITS = { timeout: 120_000 };

suite("find", () => {
  test("finds what people read out, on the embedded store", WAITS, (t) => findsAll(t, {}));
});

await withPostgres("find", () => {
  test("finds what people read out, on PostgreSQL", WAITS, async (t) =>
    findsAll(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }),
  );
});

async function findsAll(t: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const env = { TRANSFER_DATA_DIR: aFolder(t), ...settings };
  const server = await startBuiltServer(t, env);
  const { token } = server;
  const { body: quote } = await at(server, "/quotes", { token, body: aRealJourney() });
  await at(server, "/checkout-sessions", { token, body: termsOf(quote) });
  const found = (id: string) => runCommand(t, ["find", id], env);

  const reference = referenceOf(quote.quote_id);
  assert.match(reference, /^[A-Z0-9]{6}$/);
  for (const written of [reference, reference.toLowerCase(), ` ${reference} `]) {
    const { code, stdout, stderr } = await found(written);
    assert.deepEqual([code, stderr], [0, ""], written);
    assert.match(stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));
    assert.match(stdout, new RegExp(`^reference +${reference}$`, "m"));
    assert.match(stdout, /^expires_at +\S+T\d\d:\d\d:\d\d[+Z]/m);
    assert.doesNotMatch(stdout, /^\S+ *$/m, "every row of the table has a value");
  }
  const { stdout: json } = await runCommand(t, ["find", quote.quote_id, "--json"], env);
  const eventIds: string[] = JSON.parse(json).events.map(({ event_id }: Fields) => event_id);
  assert.equal(eventIds.length, 2);
  for (const id of eventIds) assert.match((await found(id)).stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));

  const estimate = await at(server, "/quote-intents", { body: aRealJourney({ destination: "Davos" }) });
  const [{ vehicle_class, total_price }] = estimate.body.options;
  const calls = {
    estimate: { id: estimate.headers.get("X-Request-Id") ?? "", code: "OK", operation: "estimate_transfer_quote" },
    read: { id: await requestOf(`/quotes/${quote.quote_id}`), code: "OK", operation: "get_transfer_quote" },
    unknown: { id: await requestOf("/policies/none"), code: "INVALID_REQUEST", operation: "get_policy" },
    refused: { id: await requestOf("/routes?origin=Bern&destination=Madrid"), code: "UNSUPPORTED_ROUTE" },
  };
  for (const { id, ...facts } of Object.values(calls)) {
    await until(async () => (await found(id)).code === 0, "the call is kept");
    const kept = JSON.parse((await runCommand(t, ["find", id, "--json"], env)).stdout);
    assert.deepEqual({ ...kept, request_id: id, surface: "rest", ...facts }, kept);
  }
  const day = estimate.body.pickup_datetime.slice(0, 10);
  const { stdout: ofEstimate } = await found(calls.estimate.id);
  assert.match(ofEstimate, new RegExp(`^${vehicle_class} +${total_price.toFixed(2)}$`, "m"));
  assert.match(ofEstimate, new RegExp(`^pickup_date +${day}$`, "m"));
  assert.match((await found(calls.read.id)).stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));
  await isFoundByAmount(t, env, { ...estimate.body, quote_id: calls.estimate.id }, "estimate");
  await isFoundByAmount(t, env, quote, "handoff.created");

  await server.stop("SIGKILL");
  assert.equal((await found(eventIds[0] ?? "")).code, 0, "also after the server was killed");
  for (const id of ["req_unknown", "q_unknown", "ZZZZZZ"]) {
    const { code, stdout, stderr } = await found(id);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, `nothing is kept of "${id}"\n`);
  }

  async function requestOf(path: string): Promise<string> {
    return (await at(server, path, { token })).headers.get("X-Request-Id") ?? "";
  }
}

/** "420 was promised": as it was, rounded to francs, and as people write it; on the day of the quote or of the journey. */
async function isFoundByAmount(t: TestContext, env: Record<string, string>, priced: Fields, became: string) {
  const [{ vehicle_class, total_price }] = priced.options;
  const pickup = priced.pickup_datetime.slice(0, 10);
  const [francs = "", rappen = ""] = total_price.toFixed(2).split(".");
  const grouped = francs.replace(/\B(?=(\d{3})+$)/g, "'");
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Zurich" });
  const listed = async (...args: string[]) => await runCommand(t, ["find", ...args, "--json"], env);
  const asked = [
    [`${francs}.${rappen}`],
    [`${francs},${rappen}`, "--day", pickup],
    [`${grouped}.${rappen}`, "--day", today],
    [`${Math.round(total_price)}`, "--day", pickup],
  ];
  for (const args of asked) {
    const rows: Fields[] = JSON.parse((await listed(...args)).stdout);
    const row = rows.find(({ id }) => id === priced.quote_id);
    const expected = { class: vehicle_class, chf: total_price, pickup_date: pickup, became };
    assert.deepEqual({ ...row, ...expected }, row, args.join(" "));
  }
  const { code, stderr } = await listed(`${francs}.${rappen}`, "--day", "2026-01-01");
  assert.deepEqual([code, /^nothing is kept of CHF .*, quoted or driven on 2026-01-01\n$/.test(stderr)], [1, true]);
  assert.match((await listed(priced.quote_id, "--day", pickup)).stderr, /--day goes with an amount/);
}
