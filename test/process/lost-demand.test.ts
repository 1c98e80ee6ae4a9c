import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, SECRET } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const WAITS = { timeout: 120_000 };
const CROWD = { passengers: 50, adults: 50, children: 50 };
const soon = () => new Date(Date.now() + 60_000).toISOString();

/** What is asked for, the code of the refusal, and what the report counts it under. */
// biome-ignore format: a table reads by its columns
const ASKED = [
  [() => ({ destination: "Zermatt", pickup_datetime: soon() }), "LEAD_TIME_NOT_SUPPORTED", "zurich-airport-to-zermatt"],
  [() => ({ destination: "Davos", pickup_datetime: soon() }), "LEAD_TIME_NOT_SUPPORTED", "zurich-airport-to-davos"],
  [() => ({ destination: "Davos", ...CROWD }), "NO_ELIGIBLE_VEHICLE", "zurich-airport-to-davos"],
  [() => ({ destination: "Whoknowswhere" }), "INVALID_LOCATION", "zurich-airport > ?"],
  [() => ({ origin: "Zurich", destination: "Madrid" }), "UNSUPPORTED_ROUTE", "zurich > ?"],
] as const;
/** Mistakes of a caller, and rehearsals: nobody lost a journey. */
const NOT_LOST = [
  { passengers: 0 },
  { pickup_datetime: "2020-01-01T10:00:00+01:00" },
  { destination: "Sandbox: no eligible vehicle" },
];

suite("report --refused", () => {
  test("counts what was asked for and refused, after the server was killed", WAITS, async (t) => {
    const { dataDir } = await isCounted(t, {});
    const folder = join(dataDir, "refused");
    const names = await readdir(folder);
    assert.equal(names.length, 1);
    const text = await readFile(join(folder, names[0] ?? ""), "utf8");
    assert.doesNotMatch(text, /whoknowswhere|madrid|passengers|pickup/i);
  });

  test("is empty where nothing was refused, and rejects what belongs to sales", WAITS, async (t) => {
    const env = { TRANSFER_DATA_DIR: aFolder(t) };
    assert.match((await runCommand(t, ["report", "--refused"], env)).stderr, /no server has stored quotes there/);
    await mkdir(join(env.TRANSFER_DATA_DIR, "quotes", "serve"), { recursive: true });
    const { code, stdout } = await runCommand(t, ["report", "--refused"], env);
    assert.equal(code, 0);
    assert.match(stdout, /^total +0$/m);
    for (const [args, message] of [
      [["--sales"], /leave out --sales and --sold/],
      [["--by", "class"], /allowed: at most 4 different of code, day, corridor, client/],
    ] as const) {
      const rejected = await runCommand(t, ["report", "--refused", ...args], env);
      assert.equal(rejected.code, 2);
      assert.match(rejected.stderr, message);
    }
  });
});

await withPostgres("report --refused", () => {
  test("counts what was asked for and refused, on PostgreSQL", WAITS, async (t) => {
    await isCounted(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET });
  });
});

async function isCounted(t: TestContext, settings: Readonly<Record<string, string>>) {
  const dataDir = aFolder(t);
  const env = { TRANSFER_DATA_DIR: dataDir, ...settings };
  const server = await startBuiltServer(t, env);
  const { token } = server;
  for (const [change, code] of ASKED) {
    const { body } = await at(server, "/quotes", { token, body: aRealJourney(change()) });
    assert.equal(body.code, code, body.detail);
  }
  for (const change of NOT_LOST) {
    const { status } = await at(server, "/quote-intents", { body: aRealJourney(change) });
    assert.ok(status >= 400, JSON.stringify(change));
  }
  assert.equal((await at(server, "/quotes", { token, body: aRealJourney() })).status, 201);
  let limited = 0;
  while (limited === 0) {
    const { body } = await at(server, "/quotes", { token, body: aRealJourney(CROWD) });
    if (body.code === "RATE_LIMITED") limited += 1;
  }
  const report = async (...args: string[]) => (await runCommand(t, ["report", "--refused", ...args], env)).stdout;
  await until(async () => /RATE_LIMITED/.test(await report()), "the refusals are kept");
  await server.stop("SIGKILL");

  const groups = JSON.parse(await report("--json", "--by", "code,corridor,day"));
  const count = ({ code, corridor }: Fields) =>
    groups.filter((each: Fields) => each.code === code && each.corridor === corridor);
  for (const [, code, corridor] of ASKED) {
    const [group, ...others] = count({ code, corridor });
    assert.deepEqual(others, []);
    assert.ok(group?.refused >= 1, `${code} ${corridor}`);
    assert.match(group.day, /^\d{4}-\d\d-\d\d$/);
  }
  assert.equal(count({ code: "RATE_LIMITED", corridor: "? > ?" })[0]?.refused, 1);
  assert.deepEqual(
    new Set(groups.map(({ code }: Fields) => code)),
    new Set([...ASKED.map(([, code]) => code), "RATE_LIMITED"]),
  );
  assert.equal(
    groups.reduce((sum: number, { refused }: Fields) => sum + refused, 0),
    JSON.parse(await report("--json", "--by", "day"))[0].refused,
  );
  assert.match(await report(), /^LEAD_TIME_NOT_SUPPORTED +2$/m);
  assert.match(await report("--excel", "--by", "corridor"), /^\uFEFFcorridor;refused\n/);
  assert.match(await report("--until", "2020-01-01", "--since", "2019-01-01"), /^total +0$/m);
  return { dataDir };
}
