import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openControl } from "../../../src/operate/commands/control.ts";
import { HOUR } from "../../../src/ops/durations.ts";
import { runCommand } from "../../support/command-line.ts";
import { anEventReceiver, aWebhookSecret } from "../../support/event-receiver.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRealJourney, FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { until } from "../../support/lifetime.ts";
import { linkPath, SECRET, termsOf } from "../../support/machines.ts";
import { aSchema, withPostgres } from "../../support/postgres.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request, type TestService } from "../../support/service.ts";

const [OLD, NEW] = [aWebhookSecret("old"), aWebhookSecret("new")];
const STEPS = ["quote.created", "handoff.created", "handoff.opened"];

/** Creates a quote and a handoff, and opens the link. */
async function sell({ api, clock }: TestService, token: string, journey = aRealJourney()) {
  const { body: quote } = await api("/quotes", { token, body: journey });
  clock.advance(1000);
  const { body: handoff } = await api("/checkout-sessions", { token, body: termsOf(quote) });
  clock.advance(1000);
  return { quote, handoff, resolved: (await api(linkPath(handoff))).body };
}

test("a sale is delivered as it was sold, signed with each secret, and gives no access to its link; a stop repeats what was not answered", async (t) => {
  const receiver = await anEventReceiver(t, [OLD, NEW]);
  receiver.answer(({ payload }, earlier) => ({
    status: payload.type === "quote.created" && earlier === 0 ? 500 : 204,
  }));
  const { log, records } = aRecordingLog();
  const env = { TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: `${NEW},${OLD}` };
  const service = await aService(t, { env, log, clock: aClock(new Date()) });
  const { pickup_datetime: _, return_datetime: __, ...ordered } = FULL_JOURNEY;
  const there = aRealJourney({ destination: "Geneva", ...ordered });
  const fourDays = 4 * 24 * 60 * 60 * 1000;
  const return_datetime = new Date(Date.parse(String(there.pickup_datetime)) + fourDays).toISOString();
  const token = await service.token();
  const { quote, handoff, resolved } = await sell(service, token, { ...there, return_datetime });
  const sig = new URL(handoff.checkout_url).searchParams.get("sig") ?? assert.fail();
  const { received } = receiver;
  await until(() => {
    // A retry waits by the clock of the service, which a signature may differ from by minutes.
    service.clock.advance(20);
    return received.length === 4;
  }, "the first event twice, and the others");
  assert.deepEqual(
    received.map(({ payload, status }) => `${payload.type} ${status}`),
    ["quote.created 500", "quote.created 204", "handoff.created 204", "handoff.opened 204"],
  );
  assert.equal(received[0]?.id, received[1]?.id);
  for (const { verifiedBy, body, payload } of received) {
    assert.deepEqual(verifiedBy, [OLD, NEW]);
    assert.equal(payload.data.expires_at, new Date(quote.expires_at).toISOString());
    assert.ok(!body.includes(sig), "no event gives access to the link");
    const hasJourney = "journey" in payload.data;
    assert.equal(body.includes("Zurich Airport"), hasJourney, "texts of the caller are in the journey alone");
    assert.equal(hasJourney, payload.type.startsWith("handoff."));
    if (!("journey" in payload.data)) continue;
    const { journey } = payload.data;
    assert.ok(journey);
    for (const [name, value] of Object.entries(journey)) assert.deepEqual(value, resolved[name], name);
    const sum = journey.price_lines?.reduce((rappen, { amount }) => rappen + Math.round(amount * 100), 0);
    assert.equal(sum, Math.round(handoff.total_price * 100));
  }
  const [created, , handedOff] = received.map(({ payload }) => payload.data);
  assert.ok(created && "options" in created && handedOff && "vehicle_class" in handedOff);
  const { vehicle_class, total_price } = handedOff;
  assert.deepEqual([created.options[0], total_price], [{ vehicle_class, total_price }, handoff.total_price]);
  await until(async () => {
    const { text } = await request(`${service.publicUrl}/metrics`);
    const counts = [["quote.created", "failed"], ...STEPS.map((type) => [type, "delivered"])];
    return counts.every(([type, result]) =>
      text.includes(`transfer_event_deliveries_total{type="${type}",result="${result}"} 1\n`),
    );
  }, "the deliveries are counted");

  receiver.answer(() => "none");
  await service.api("/quotes", { token, body: aRealJourney() });
  await until(() => received.length === 5, "a delivery that is not answered");
  await service.close();
  receiver.answer(() => ({ status: 204 }));
  await aService(t, { env: { ...env, TRANSFER_DATA_DIR: service.dataDir }, log, clock: service.clock });
  await until(() => {
    service.clock.advance(20);
    return received.length === 6;
  }, "the delivery after a restart");
  assert.deepEqual([received[5]?.id, received[5]?.body], [received[4]?.id, received[4]?.body]);
  assert.ok(!JSON.stringify(records).includes(receiver.url), "the log does not show the address");
  const checked = await runCommand(t, ["check"], env);
  assert.match(checked.stdout, /events +ok +to http:\/\/127\.0\.0\.1:\d+, 2 secrets? signs?/);
  assert.ok(!checked.stdout.includes(receiver.url), "the path of the address may be a secret");
});

test("events are delivered again from the embedded store, in order, and up to the one that fails", (t) =>
  isResent(t, {}));

await withPostgres("events are delivered again from PostgreSQL", () => {
  test("events are delivered again from PostgreSQL, in order, and up to the one that fails", async (t) =>
    isResent(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }));
});

test("events of a quote that was confirmed hours after its creation are delivered again", async (t) => {
  const receiver = await anEventReceiver(t, [NEW]);
  const { api, clock, dataDir, ...service } = await aService(t, { clock: aClock(new Date(Date.now() - 5 * HOUR)) });
  t.after(await openControl(dataDir, service.answer));
  const token = await service.token({ lifetimeSeconds: 6 * 3600 });
  const { body: quote } = await api("/quotes", { token, body: aRealJourney({ passengers: 40 }) });
  clock.advance(4.5 * HOUR);
  await runCommand(t, ["confirm", quote.quote_id], { TRANSFER_DATA_DIR: dataDir });
  await api("/checkout-sessions", { token, body: termsOf(quote) });
  const env = { TRANSFER_DATA_DIR: dataDir, TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: NEW };
  await runCommand(t, ["events", "resend", "--since", "1h"], env);
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.type),
    ["quote.confirmed", "handoff.created"],
  );
});

/** Three sales of a server that sends no events. */
async function isResent(t: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const receiver = await anEventReceiver(t, [NEW]);
  const clock = aClock(new Date(Date.now() - 60_000));
  const service = await aService(t, { env: settings, clock });
  const token = await service.token();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await sell(service, token)).quote.quote_id);
  const env = {
    ...{ ...settings, TRANSFER_DATA_DIR: service.dataDir },
    ...{ TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: NEW },
  };
  const resend = (...args: readonly string[]) => runCommand(t, ["events", "resend", ...args], env);

  assert.deepEqual(await resend("--since", "1h"), { code: 0, stdout: "9 events delivered\n", stderr: "" });
  const all = [...receiver.received];
  for (const id of ids) {
    const ofQuote = all.filter(({ payload }) => payload.data.quote_id === id);
    const types = ofQuote.map(({ payload }) => payload.type);
    assert.deepEqual(types, STEPS);
  }
  for (const { verifiedBy } of all) assert.deepEqual(verifiedBy, [NEW]);
  const [, handoff] = all;
  assert.ok(handoff);
  assert.equal((await resend(handoff.id)).stdout, "1 event delivered\n");
  const again = receiver.received.at(-1);
  assert.deepEqual([again?.id, again?.body], [handoff.id, handoff.body]);

  receiver.answer(({ id }) => ({ status: id === all[2]?.id ? 410 : 204 }));
  const { code, stderr } = await resend("--since", "1h");
  const refused = `2 events delivered; ${all[2]?.id} of ${all[2]?.payload.timestamp} was not: HTTP status 410\n`;
  assert.deepEqual([code, stderr], [1, refused]);
  assert.match((await resend("evt_unknown")).stderr, /^no event "evt_unknown" is kept; /);
}
