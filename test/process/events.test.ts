import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type BuiltServer, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { anEventReceiver, aWebhookSecret, type EventReceiver } from "../support/event-receiver.ts";
import { aRealJourney, FULL_JOURNEY } from "../support/journey-fixture.ts";
import { at, SECRET, sell } from "../support/machines.ts";
import { aSchema, asking, withPostgres } from "../support/postgres.ts";
import { request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const [OLD, NEW] = [aWebhookSecret("old"), aWebhookSecret("new")];
const WAITS = { timeout: 120_000 };
const STEPS = ["quote.created", "handoff.created", "handoff.opened"];

test("the operator's own systems hear of each sale: with the embedded store", WAITS, async (t) => {
  await assertEvents(t, { TRANSFER_DATA_DIR: aFolder(t) }, "SIGKILL");
});

await withPostgres("the operator's own systems hear of each sale: with PostgreSQL", () => {
  test("the operator's own systems hear of each sale: with PostgreSQL", WAITS, async (t) => {
    const url = await aSchema(t);
    const env = { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET: SECRET };
    const { receiver } = await assertEvents(t, env, "SIGTERM");
    await asking(url, "UPDATE transfer_outbox SET occurred_at = now() - interval '1 minute'");
    const { code, stdout } = await runBuilt(t, ["check"], { ...env, ...eventsTo(receiver, NEW) });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /events +ok +to http:\/\/127\.0\.0\.1:\d+, 1 secret signs; \d+ waiting/);
    assert.ok(!stdout.includes(receiver.url), "the path of the address may be a secret");
  });
});

/** Two sales, with a receiver that fails at first, and a process that ends while it does not answer. */
async function assertEvents(t: TestContext, env: Readonly<Record<string, string>>, signal: "SIGKILL" | "SIGTERM") {
  const receiver = await anEventReceiver(t, [OLD, NEW]);
  receiver.answer(({ payload }, earlier) => ({
    status: payload.type === "quote.created" && earlier === 0 ? 500 : 204,
  }));
  const first = await startBuiltServer(t, { ...env, ...eventsTo(receiver, OLD) });
  const { pickup_datetime: _, return_datetime: __, ...ordered } = FULL_JOURNEY;
  const { quote, handoff: sold, resolved } = await sell(first, aRealReturn({ destination: "Geneva", ...ordered }));
  const sig = new URL(sold.checkout_url).searchParams.get("sig") ?? assert.fail();
  await until(() => receiver.received.length === 4, "the first event twice, and the others");
  const { received } = receiver;
  assert.deepEqual(
    received.map(({ payload, status }) => `${payload.type} ${status}`),
    ["quote.created 500", "quote.created 204", "handoff.created 204", "handoff.opened 204"],
  );
  assert.equal(received[0]?.id, received[1]?.id);
  assert.equal(new Set(received.map(({ id }) => id)).size, 3);
  for (const { verifiedBy, body, payload } of received) {
    assert.deepEqual(verifiedBy, [OLD]);
    assert.equal(payload.data.quote_id, sold.quote_id);
    assert.equal(payload.data.expires_at, new Date(quote.expires_at).toISOString());
    assert.ok(!body.includes(sig), "no event gives access to the link");
    const hasJourney = "journey" in payload.data;
    assert.equal(body.includes("Zurich Airport"), hasJourney, "texts of the caller are in the journey alone");
    assert.equal(hasJourney, payload.type.startsWith("handoff."));
    if (!("journey" in payload.data)) continue;
    const { journey } = payload.data;
    assert.ok(journey);
    for (const [name, value] of Object.entries(journey)) assert.deepEqual(value, resolved[name], name);
    assert.deepEqual(journey.special_items, FULL_JOURNEY.special_items);
    assert.deepEqual([journey.luggage, journey.large_luggage, journey.waiting_minutes], [3, 1, 75]);
    assert.deepEqual(
      journey.legs?.map(({ action }) => action),
      ["pickup", "stop", "drop_off", "pickup", "drop_off"],
    );
    const sum = journey.price_lines?.reduce((rappen, { amount }) => rappen + Math.round(amount * 100), 0);
    assert.equal(sum, Math.round(sold.total_price * 100));
    assert.ok(journey.notices.length > 3 && journey.tariff_version);
  }
  const [created, , handoff] = received.map(({ payload }) => payload.data);
  assert.ok(created && "options" in created && handoff && "vehicle_class" in handoff);
  assert.deepEqual(created.options[0], { vehicle_class: handoff.vehicle_class, total_price: sold.total_price });
  assert.equal(handoff.total_price, sold.total_price);
  await until(async () => {
    const { text } = await request(`${first.publicUrl}/metrics`);
    const counts = [["quote.created", "failed"], ...STEPS.map((type) => [type, "delivered"])];
    return counts.every(([type, result]) =>
      text.includes(`transfer_event_deliveries_total{type="${type}",result="${result}"} 1\n`),
    );
  }, "the deliveries are counted");

  receiver.answer(() => "none");
  // More than are sent at once; none of the calls waits for the receiver.
  const others = await Promise.all(Array.from({ length: 9 }, () => quoted(first)));
  await until(() => receiver.received.length === 12, "eight deliveries in flight");
  const { code } = await first.stop(signal);
  assert.equal(code, signal === "SIGTERM" ? 0 : null, first.stderr());
  assert.equal(receiver.received.length, 12);
  assert.ok(!first.stderr().includes(receiver.url), "the log does not show the address");

  receiver.answer(() => ({ status: 204 }));
  const second = await startBuiltServer(t, { ...env, ...eventsTo(receiver, `${NEW},${OLD}`) });
  const later = () => receiver.received.slice(12);
  await until(() => new Set(later().map(({ id }) => id)).size === 9, "all nine");
  assert.deepEqual(
    later()
      .map(({ payload }) => payload.data.quote_id)
      .sort(),
    others.map(({ quote_id }) => quote_id).sort(),
  );
  const again = new Set(later().map(({ id }) => id));
  for (const { id } of receiver.received.slice(4, 12)) assert.ok(again.has(id), "a repeated delivery has its id");
  for (const { verifiedBy } of later()) assert.deepEqual(verifiedBy, [OLD, NEW]);
  assert.equal((await second.stop()).code, 0);
  return { receiver };
}

/** With a return four days later. */
function aRealReturn(overrides: object) {
  const journey = aRealJourney({ ...overrides });
  const back = new Date(Date.parse(String(journey.pickup_datetime)) + 4 * 24 * 60 * 60 * 1000);
  return { ...journey, return_datetime: back.toISOString() };
}

function eventsTo(receiver: EventReceiver, secrets: string) {
  return { TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: secrets };
}

async function quoted(server: BuiltServer) {
  const { token } = server;
  const { status, body } = await at(server, "/quotes", { token, body: aRealJourney() });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

test("events are delivered again from the embedded store", WAITS, (t) => isResent(t, {}));

await withPostgres("events are delivered again from PostgreSQL", () => {
  test("events are delivered again from PostgreSQL", WAITS, async (t) =>
    isResent(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }),
  );
});

/** Three sales of a server that sends no events. */
async function isResent(t: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const secret = aWebhookSecret("resent");
  const receiver = await anEventReceiver(t, [secret]);
  const env = { TRANSFER_DATA_DIR: aFolder(t), ...settings };
  const server = await startBuiltServer(t, env);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await sell(server)).quote.quote_id);
  const resend = (...args: readonly string[]) =>
    runCommand(t, ["events", "resend", ...args], {
      ...env,
      TRANSFER_EVENTS_URL: receiver.url,
      TRANSFER_EVENTS_SECRET: secret,
    });

  assert.deepEqual(await resend("--since", "1h"), { code: 0, stdout: "9 events delivered\n", stderr: "" });
  const all = [...receiver.received];
  for (const id of ids) {
    const ofQuote = all.filter(({ payload }) => payload.data.quote_id === id);
    assert.deepEqual(
      ofQuote.map(({ payload }) => payload.type),
      STEPS,
    );
  }
  for (const { verifiedBy } of all) assert.deepEqual(verifiedBy, [secret]);

  const [, handoff] = all;
  assert.ok(handoff);
  assert.equal((await resend(handoff.id)).stdout, "1 event delivered\n");
  const again = receiver.received.at(-1);
  assert.deepEqual([again?.id, again?.body], [handoff.id, handoff.body]);

  receiver.answer(({ id }) => ({ status: id === all[2]?.id ? 410 : 204 }));
  const stopped = await resend("--since", "1h");
  assert.equal(stopped.code, 1);
  assert.equal(
    stopped.stderr,
    `2 events delivered; ${all[2]?.id} of ${all[2]?.payload.timestamp} was not: HTTP status 410\n`,
  );
  assert.match((await resend("evt_unknown")).stderr, /^no event "evt_unknown" is kept; /);
}
