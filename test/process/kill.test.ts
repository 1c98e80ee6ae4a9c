import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { systemClock } from "../../src/ops/clock.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { type RunningProgram, startProgram } from "../support/built-process.ts";
import { anEventReceiver, aWebhookSecret } from "../support/event-receiver.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { openStore } from "../support/lowdb-store.ts";
import { aSchema, openStore as openDatabase, withPostgres } from "../support/postgres.ts";

/** Bundled once, because a start from the sources takes longer than the writer lives. */
const WRITER = join(packageRoot, "node_modules", ".cache", "kill-writer.mjs");
await build({
  ...{ entryPoints: [join(packageRoot, "test/process/kill-writer.ts")], outfile: WRITER },
  ...{ bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" },
});
const SECRET = aWebhookSecret("kill");
/** More of them: `EVENT_KILLS=100 npm test -- process/kill`. */
const KILLS = Number(process.env.EVENT_KILLS ?? 4);
const ORDER = ["quote.created", "handoff.created", "quote.expired"];

suite("kill -9 at any moment loses no acknowledged quote and no event", { concurrency: true }, async () => {
  test("of the embedded store", (t) => assertNoneLost(t, aFolder(t)));

  await withPostgres("of PostgreSQL", () => {
    test("of PostgreSQL", async (t) => assertNoneLost(t, await aSchema(t)));
  });
});

/** The receiver fails and does not answer now and then, too. */
async function assertNoneLost(t: TestContext, place: string): Promise<void> {
  const receiver = await anEventReceiver(t, [SECRET]);
  const acknowledged: string[] = [];
  const quotes: string[] = [];
  let answers = 0;
  receiver.answer(() => {
    answers += 1;
    if (answers % 11 === 0) return { status: 503 };
    return answers % 17 === 0 ? "none" : { status: 204 };
  });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const writer = start(String(kill));
    if (kill % 4 > 0) await writer.says(/\n/);
    await sleep(Math.random() * (kill % 4 > 0 ? 250 : 600));
    await end(writer);
  }
  receiver.answer(() => ({ status: 204 }));
  const last = start("");
  const received = () => new Set(receiver.received.filter(({ status }) => status === 204).map(({ id }) => id));
  const missing = () => {
    const created = receiver.received.filter(({ payload }) => payload.type === "quote.created");
    const ids = received();
    return [...acknowledged, ...created.map(({ id }) => `${id}_expired`)].filter((id) => !ids.has(id));
  };
  // On a busy machine deliveries time out, and are tried again later and later.
  for (let left = missing(); left.length > 0; left = missing()) {
    const before = received().size;
    await until(() => received().size > before, `one of ${left.length} events, ${left[0]} among them`, 120_000);
  }
  await end(last);

  const options = { clock: systemClock, fillsOutbox: true };
  const store = await (place.startsWith("postgres")
    ? openDatabase(t, { url: place, ...options })
    : openStore(t, { folder: place, ...options }));
  for (const id of quotes) {
    assert.equal((await store.find(id))?.id, id);
    assert.equal((await store.findRecord(id))?.keyHash, id);
  }
  await store.close();
  const files = place.startsWith("postgres") ? [] : readdirSync(place);
  assert.ok(!files.some((name) => name.includes("damaged")), files.join());

  const bodies = new Map<string, string>();
  const orders = new Map<string, string[]>();
  for (const { id, body, payload, verifiedBy } of receiver.received) {
    assert.deepEqual(verifiedBy, [SECRET]);
    assert.equal(bodies.get(id) ?? body, body, "a repeated delivery is the same");
    const types = orders.get(payload.data.quote_id) ?? [];
    if (!bodies.has(id)) orders.set(payload.data.quote_id, [...types, payload.type]);
    bodies.set(id, body);
  }
  for (const [quote, types] of orders) {
    const inOrder = ORDER.filter((type) => types.includes(type));
    assert.deepEqual(types, inOrder, quote);
  }
  t.diagnostic(`${acknowledged.length} acknowledged, ${receiver.received.length} deliveries of ${bodies.size} events`);

  function start(round: string) {
    const writer = startProgram([process.execPath, WRITER, place, receiver.url, SECRET, round]);
    t.after(() => writer.kill());
    return writer;
  }

  /** Kills it, and reads what it has acknowledged. */
  async function end({ stop, stdout }: RunningProgram): Promise<void> {
    assert.deepEqual(await stop("SIGKILL"), { code: null, signal: "SIGKILL" });
    for (const line of stdout().split("\n").filter(Boolean)) {
      const [event = "", quote] = line.split(" ");
      acknowledged.push(event);
      if (quote) quotes.push(quote);
    }
  }
}
