import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { anEventReceiver, aWebhookSecret } from "../support/event-receiver.ts";
import { SECRET, sell } from "../support/machines.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WAITS = { timeout: 120_000 };
const STEPS = ["quote.created", "handoff.created", "handoff.opened"];

test("events are delivered again from the embedded store", WAITS, (t) => isResent(t, {}));

await withPostgres("events are delivered again from PostgreSQL", () => {
  test("events are delivered again from PostgreSQL", WAITS, async (t) =>
    isResent(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }),
  );
});

for (const [args, says] of [
  [["send"], /^the action of events is "send"; allowed: resend\n$/],
  [["resend"], /^events resend needs either an EVENT_ID or --since\n$/],
  [["resend", "evt_1", "--since", "1d"], /^events resend needs either an EVENT_ID or --since\n$/],
  [["resend", "--since", "1d"], /^TRANSFER_EVENTS_URL is not set; allowed: the address that receives events\n$/],
] as const) {
  test(`rejects "events ${args.join(" ")}" with exit code 2`, async (t) => {
    const { code, stderr } = await runCommand(t, ["events", ...args]);
    assert.equal(code, 2);
    assert.match(stderr, says);
  });
}

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
