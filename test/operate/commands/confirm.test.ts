import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { referenceOf } from "../../../src/contract/notice-formats.ts";
import { openControl } from "../../../src/operate/commands/control.ts";
import { runCommand } from "../../support/command-line.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { linkPath, SECRET } from "../../support/machines.ts";
import { aSchema, withPostgres } from "../../support/postgres.ts";
import { aService, request } from "../../support/service.ts";

test("a confirmed quote can be paid at its price, on the embedded store", (t) => confirms(t, {}));

await withPostgres("confirm", () => {
  test("a confirmed quote can be paid at its price, on PostgreSQL", async (t) =>
    confirms(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }));
});

async function confirms(t: TestContext, env: Readonly<Record<string, string>>): Promise<void> {
  const service = await aService(t, { env, clock: aClock(new Date()) });
  const { clock, dataDir } = service;
  t.after(await openControl(dataDir, service.answer));
  const token = await service.token({ lifetimeSeconds: 30 * 3600 });
  const onRequest = (await service.api("/quotes", { token, body: aRealJourney({ passengers: 40 }) })).body;
  const mixed = (await service.api("/quotes", { token, body: aRealJourney({ passengers: 12 }) })).body;
  const payable = (await service.api("/quotes", { token, body: aRealJourney() })).body;
  const handOff = (quote: typeof mixed, option = quote.options[0]) =>
    service.api("/checkout-sessions", {
      token,
      body: { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true },
    });
  const confirm = (...args: readonly string[]) =>
    runCommand(t, ["confirm", ...args], { ...env, TRANSFER_DATA_DIR: dataDir });
  const isOnRequest = (option: { readonly on_request?: boolean }) => option.on_request === true;
  assert.equal((await handOff(onRequest)).status, 409);
  const link = (
    await handOff(
      mixed,
      mixed.options.find((each: object) => !isOnRequest(each)),
    )
  ).body;

  clock.advance(10 * 60_000);
  assert.match((await confirm(mixed.quote_id)).stdout, /can be paid at its price until/);
  assert.equal((await service.api(linkPath(link))).status, 200, "a link from before stays valid");

  clock.advance(3 * 3_600_000);
  assert.equal((await handOff(onRequest)).body.code, "QUOTE_EXPIRED");
  const reference = referenceOf(onRequest.quote_id);
  const done = await confirm(reference.toLowerCase(), "--hours", "2");
  assert.deepEqual([done.code, done.stderr], [0, ""]);
  const [, until = ""] =
    new RegExp(`^${onRequest.quote_id} \\(${reference}\\) can be paid at its price until (\\S+)\\n$`).exec(
      done.stdout,
    ) ?? [];
  assert.equal(Date.parse(until), clock.now().getTime() + 2 * 3_600_000);
  const { body: read } = await service.api(`/quotes/${onRequest.quote_id}`, { token });
  assert.deepEqual([read.status, read.requires_manual_confirmation], ["open", undefined]);
  assert.equal(Date.parse(read.expires_at), Date.parse(until));
  assert.equal(read.options[0].total_price, onRequest.options[0].total_price);
  assert.ok(!read.options.some(isOnRequest));
  assert.doesNotMatch(read.limitations.join(" "), /confirm/);
  clock.advance(60_000);
  const handoff = await handOff(onRequest);
  assert.deepEqual([handoff.status, handoff.body.total_price], [200, onRequest.options[0].total_price]);
  clock.advance(1_000);
  assert.equal((await service.api(linkPath(handoff.body))).status, 200, "and one from now is valid");
  clock.set(until);
  assert.equal((await handOff(onRequest)).body.code, "QUOTE_EXPIRED");

  const env2 = { ...env, TRANSFER_DATA_DIR: dataDir };
  const found = JSON.parse((await runCommand(t, ["find", onRequest.quote_id, "--json"], env2)).stdout);
  const types = found.events.map(({ type }: { readonly type: string }) => type);
  assert.deepEqual(types, [
    "quote.created",
    "handoff.requested",
    "quote.confirmed",
    "handoff.created",
    "handoff.opened",
  ]);
  assert.equal(found.journey.passengers, 40);
  assert.equal(Date.parse(found.expires_at), Date.parse(until));
  assert.ok(found.shown.some(({ document }: { document: object }) => "unconfirmedExpiresAt" in document));

  assert.match((await runCommand(t, ["find", onRequest.quote_id], env2)).stdout, / quote\.confirmed +command /);
  const sales: { quote_id: string; expires_at: string }[] = JSON.parse(
    (await runCommand(t, ["report", "--sales", "--json"], env2)).stdout,
  );
  const row = sales.find(({ quote_id }) => quote_id === onRequest.quote_id);
  assert.equal(row?.expires_at, found.expires_at, "in the report too");

  const without = await confirm(payable.quote_id);
  assert.deepEqual([without.code, without.stdout], [1, ""]);
  assert.match(without.stderr, /needs no confirmation/);
  assert.match((await confirm("q_unknown")).stderr, /nothing is kept of "q_unknown"/);
  assert.match(
    (await confirm(onRequest.quote_id, "--hours", "25")).stderr,
    /--hours is "25"; allowed: an integer from 1 to 24/,
  );
  const { text } = await request(`${service.publicUrl}/metrics`);
  assert.match(text, /^transfer_sales_total\{step="confirmation"\} 2$/m);
}

test("says where no server runs", async (t) => {
  const service = await aService(t, { clock: aClock(new Date()) });
  const token = await service.token();
  const { body } = await service.api("/quotes", { token, body: aRealJourney({ passengers: 40 }) });
  const { code, stderr } = await runCommand(t, ["confirm", body.quote_id], { TRANSFER_DATA_DIR: service.dataDir });
  assert.equal(code, 1);
  assert.match(stderr, /^no server uses the data folder .*; give confirm the same --data as the server$/m);
});
