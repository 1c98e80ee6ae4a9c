import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { type BuiltServer, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, linkPath, SECRET } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WAITS = { timeout: 120_000 };

suite("report", () => {
  test("is exact on the embedded store, beside the server and after it was killed", WAITS, (t) => isExact(t, {}));

  test("prints an empty period, also with foreign files among the folders", WAITS, async (t) => {
    const folder = aFolder(t);
    await mkdir(join(folder, "quotes", "server"), { recursive: true });
    await writeFile(join(folder, "quotes", ".DS_Store"), "");
    const { code, stdout, stderr } = await runCommand(t, ["report", "--by", "day"], { TRANSFER_DATA_DIR: folder });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^total +0 +0 +0 +0 +0\.00 +0\.00 +0\.00 +0$/m);
  });
});

await withPostgres("report", () => {
  test("is exact on PostgreSQL, beside the server and after it was killed", WAITS, async (t) =>
    isExact(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }),
  );
});

/** Ten quotes, four of them handed over, two of these opened; one handoff and every opening are repeated. */
async function isExact(t: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const env = { TRANSFER_DATA_DIR: aFolder(t), ...settings };
  const server = await startBuiltServer(t, env);
  const quotes: Fields[] = [];
  for (let n = 0; n < 10; n += 1) quotes.push(await quoted(server, n));
  const chosen = quotes.slice(0, 4).map((quote, n) => ({ quote, option: quote.options[n % 3] }));
  const handoffs: Fields[] = [];
  for (const [n, { quote, option }] of chosen.entries()) {
    // As often as the budget allows.
    for (const key of n === 0 ? ["a", "b"] : ["a"])
      handoffs[n] = await handedOver(server, quote, option.fleet_id, `${n}-${key}`);
  }
  const opened = handoffs.slice(0, 2);
  for (const handoff of [...opened, ...opened]) assert.equal((await at(server, linkPath(handoff))).status, 200);

  const expected: Fields = {
    quotes: 10,
    handed_over: 4,
    opened: 2,
    expired: 0,
    quoted_chf: sum(quotes.map(({ options }) => Math.min(...options.map((each: Fields) => each.total_price)))),
    handed_over_chf: sum(chosen.map(({ option }) => option.total_price)),
    opened_chf: sum(chosen.slice(0, 2).map(({ option }) => option.total_price)),
    handed_over_share: 0.4,
    requested: 0,
  };
  const report = async (run: typeof runCommand, ...args: string[]) => {
    const { code, stdout, stderr } = await run(t, ["report", "--since", "2d", ...args], env);
    assert.deepEqual([code, stderr], [0, ""], stderr);
    return stdout;
  };
  assert.deepEqual(JSON.parse(await report(runBuilt, "--json")), [expected]);
  await server.stop("SIGKILL");
  for (const by of ["day", "corridor", "client", "corridor,day"]) {
    const groups: Fields[] = JSON.parse(await report(runCommand, "--json", "--by", by));
    for (const name of ["quotes", "handed_over", "opened", "quoted_chf", "handed_over_chf", "opened_chf"])
      assert.equal(sum(groups.map((group) => group[name])), expected[name], `${name} by ${by}`);
  }
  const byClass = JSON.parse(await report(runCommand, "--json", "--by", "class"));
  for (const group of byClass) {
    const ofClass = ({ vehicle_class }: Fields) => vehicle_class === group.class;
    const offers = quotes.flatMap(({ options }) => options.filter(ofClass));
    const handoffs = chosen.map(({ option }) => option).filter(ofClass);
    assert.deepEqual(
      [group.quotes, group.quoted_chf, group.handed_over, group.handed_over_chf],
      [offers.length, sum(offers.map(priceOf)), handoffs.length, sum(handoffs.map(priceOf))],
      group.class,
    );
  }
  const [columns, ...days] = (await report(runCommand, "--csv", "--by", "day")).split("\n");
  assert.equal(columns, ["day", ...Object.keys(expected)].join());
  assert.match(days[0] ?? "", /^\d{4}-\d\d-\d\d,0,0,0,0,0\.00,0\.00,0\.00,,0$/);
  assert.match(days[2] ?? "", /^\d{4}-\d\d-\d\d,10,4,2,/);
  const rows = JSON.parse(await report(runCommand, "--sales", "--json"));
  assert.equal(rows.length, quotes.length);
  for (const [n, { options, origin, pickup_datetime, ...quote }] of quotes.entries()) {
    const [row, option, isOpened] = [rows[n], chosen[n]?.option, n < 2];
    const { quote_id, request_id, expires_at } = quote;
    const known = {
      ...{ quote_id, request_id, expires_at, currency: "CHF", surface: "rest", handoffs: option ? 1 : 0 },
      quoted_total: Math.min(...options.map(priceOf)),
      ...{ handed_over_class: option?.vehicle_class ?? null, handed_over_total: option?.total_price ?? null },
      opened_total: isOpened ? option?.total_price : null,
    };
    assert.deepEqual({ ...row, ...known }, row);
    assert.equal(row.opened_at !== null, isOpened);
    for (const text of [origin, pickup_datetime]) assert.ok(!JSON.stringify(row).includes(text), text);
  }
  const [head = "", first = "", ...others] = (await report(runCommand, "--sales")).trimEnd().split("\n");
  assert.equal(others.length, 9);
  assert.deepEqual(head.split(","), Object.keys(rows[0]));
  assert.deepEqual(
    first.split(","),
    Object.entries(rows[0]).map(([name, value]) =>
      value !== null && name.endsWith("_total") ? Number(value).toFixed(2) : String(value ?? ""),
    ),
  );
  const served = JSON.parse(
    await report(runCommand, "--sales", "--by-service-date", "--until", "2030-01-01", "--json"),
  );
  assert.deepEqual(
    served.map(({ quote_id, total }: Fields) => [quote_id, total]).sort(),
    chosen.map(({ quote, option }) => [quote.quote_id, option.total_price]).sort(),
  );
  for (const { service_date } of served) assert.equal(service_date, quotes[0]?.pickup_datetime.slice(0, 10));
  assert.equal(await report(runCommand, "--sales", "--by-service-date", "--until", "0h", "--json"), "[]\n");
  await isFound(t, env, quotes[0] ?? {}, handoffs[0]?.checkout_url);
  const table = await report(runCommand, "--by", "corridor");
  const pairs = await report(runBuilt, "--by", "corridor", "--by", "client");
  assert.match(pairs, /^zurich-airport-to-zermatt +\S+ +5 /m, "names are whole in a pipe");
  assert.doesNotMatch(pairs, /…/);
  assert.match(table, /^total +10 +4 +2 +0 +[\d.]+ +[\d.]+ +[\d.]+ +0\.4 +0$/m);
}

/** A quote by its id, its request and its link. */
async function isFound(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  quote: Fields,
  link: string,
): Promise<void> {
  for (const name of [quote.quote_id, quote.request_id, link]) {
    const { code, stdout, stderr } = await runCommand(t, ["find", name, "--json"], env);
    assert.deepEqual([code, stderr], [0, ""]);
    const found = JSON.parse(stdout);
    assert.equal(found.quote_id, quote.quote_id);
    assert.deepEqual(
      found.events.map(({ type }: Fields) => type),
      ["quote.created", "handoff.created", "handoff.opened"],
    );
    assert.equal(found.events[0].request_id, quote.request_id);
    assert.ok(found.events[0].options.length > 1);
    assert.deepEqual([found.journey.origin, found.journey.passengers], [quote.origin, quote.passengers]);
  }
  const { stdout } = await runCommand(t, ["find", quote.quote_id], env);
  assert.match(stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));
  assert.match(stdout, new RegExp(`^origin +${quote.origin}$`, "m"));
  assert.match(stdout, /^\S+ +handoff\.created +\w+ +rest +\S+ +req_\S+$/m);
  const unknown = await runCommand(t, ["find", "q_unknown"], env);
  assert.deepEqual(unknown, { code: 1, stdout: "", stderr: 'nothing is kept of "q_unknown"\n' });
}

async function quoted(server: BuiltServer, n: number): Promise<Fields> {
  const body = aRealJourney({ destination: n % 2 === 0 ? "Zermatt" : "Davos", passengers: 1 + (n % 3) });
  const answer = await at(server, "/quotes", { token: server.token, body });
  assert.equal(answer.status, 201, answer.text);
  return { ...answer.body, request_id: answer.headers.get("X-Request-Id") };
}

async function handedOver(server: BuiltServer, { quote_id }: Fields, fleet_id: number, key: string): Promise<Fields> {
  const body = { quote_id, fleet_id, traveler_approval: true };
  const headers = { "Idempotency-Key": key };
  const answer = await at(server, "/checkout-sessions", { token: server.token, body, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

function priceOf({ total_price }: Fields): number {
  return total_price;
}

function sum(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((total, number) => total + number, 0) * 100) / 100;
}
