import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createDelivery } from "../../../src/adapters/events/delivery.ts";
import { startEventSender } from "../../../src/adapters/events/event-sender.ts";
import { SaleEventPayload } from "../../../src/contract/sale-events.ts";
import { EXPIRY_DELAY_MILLISECONDS, type Outbox, type OutboxEvent } from "../../../src/domain/sales/outbox.ts";
import type { SaleEvent } from "../../../src/domain/sales/sale-event.ts";
import { createMetrics, type EventMetrics } from "../../../src/ops/metrics.ts";
import { packageRoot } from "../../../src/ops/package-root.ts";
import { startProgram } from "../../support/built-process.ts";
import { anEventReceiver, aWebhookSecret, type EventAnswer } from "../../support/event-receiver.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder, until } from "../../support/lifetime.ts";
import { openStore } from "../../support/lowdb-store.ts";
import { aQuote, ISSUED_AT } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../../support/sale-fixture.ts";

const SECRET = aWebhookSecret("first");
const MINUTE = 60_000;
const A = aQuote({ id: "a" });

test("delivers a sale in order, each event once, as the contract describes it", async (t) => {
  const { receiver, sell, note, clock, settled } = await sending(t);
  await sell("a");
  await note(aHandoffSale(A, { at: ISSUED_AT }));
  await note(anOpeningSale(A, { at: ISSUED_AT }));
  await settled(3);
  clock.set(new Date(Date.parse(A.expiresAt) + EXPIRY_DELAY_MILLISECONDS));
  await settled(4);
  const types = receiver.received.map(({ payload }) => payload.type);
  assert.deepEqual(types, ["quote.created", "handoff.created", "handoff.opened", "quote.expired"]);
  for (const { payload } of receiver.received) {
    assert.deepEqual(SaleEventPayload.parse(payload), payload, "nothing beyond the schema");
    assert.equal(payload.data.quote_id, "a");
  }
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 4);
});

test("the age of the oldest event is measured in seconds", async () => {
  const metrics = createMetrics();
  const oldestAt = new Date(Date.now() - 90_000).toISOString();
  metrics.events([]).measured({ length: 1, oldestAt, setAside: 0 });
  assert.match((await metrics.render()).text, /^transfer_outbox_oldest_seconds (9\d|1\d\d)(\.\d+)?$/m);
});

test("repeats a failed delivery with the same id and body, and holds back what follows of that quote only", async (t) => {
  const { receiver, sell, note, passing, settled } = await sending(t);
  receiver.answer(({ payload }, earlier) => ({
    status: payload.data.quote_id === "a" && earlier < 3 ? ([500, 404, 302][earlier] ?? 204) : 204,
  }));
  await sell("a");
  await note(aHandoffSale(A, { at: ISSUED_AT }));
  await sell("b");
  const deliveriesOf = (id: string) => receiver.received.filter(({ payload }) => payload.data.quote_id === id);
  await until(() => deliveriesOf("a").length === 1, "the first attempt");
  for (const attempts of [2, 3, 4]) await passing(500, () => deliveriesOf("a").length >= attempts);
  await settled(6);
  const [first, second, third, fourth, handoff] = deliveriesOf("a");
  for (const each of [second, third, fourth]) assert.deepEqual([each?.id, each?.body], [first?.id, first?.body]);
  assert.equal(first?.headers["webhook-id"], first?.id);
  assert.ok(Number(fourth?.headers["webhook-timestamp"]) > Number(first?.headers["webhook-timestamp"]));
  assert.equal(handoff?.payload.type, "handoff.created");
  assert.equal(deliveriesOf("b").length, 1);
});

test("repeats a delivery that was answered too late", async (t) => {
  const { receiver, sell, passing, counts } = await sending(t, { timeOutMs: 50 });
  receiver.answer((_, earlier) => (earlier === 0 ? "none" : { status: 200 }));
  await sell("a");
  // On a busy machine more than the first may be too late.
  await passing(500, () => counts["quote.created delivered"] === 1);
  assert.ok(receiver.received.length > 1);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
});

test("sends nothing before the time that Retry-After names, as seconds or as a date", async (t) => {
  for (const header of [(_: Date) => "120", (now: Date) => new Date(now.getTime() + 120_000).toUTCString()]) {
    const { receiver, sell, clock, reached, quiet } = await sending(t);
    const refusal = { status: 429, headers: { "retry-after": header(clock.now()) } };
    receiver.answer(({ payload }, earlier) =>
      payload.data.quote_id === "a" && earlier === 0 ? refusal : { status: 204 },
    );
    await sell("a");
    await reached("quote.created failed", 1);
    await sell("b");
    clock.advance(59_000);
    await quiet();
    assert.equal(receiver.received.length, 1, "other events wait too, for a minute at most");
    clock.advance(2_000);
    await reached("quote.created delivered", 1);
    clock.advance(58_000);
    await quiet();
    assert.equal(receiver.received.length, 2);
    clock.advance(2_000);
    await reached("quote.created delivered", 2);
  }
});

test("gives an event up 24 hours after it happened, or at once where the receiver answers 410", async (t) => {
  const { receiver, sell, clock, counts, records, reached, passing, settled } = await sending(t);
  let answer: EventAnswer = { status: 410 };
  receiver.answer(() => answer);
  await sell("gone");
  await reached("quote.created set_aside", 1);
  answer = { status: 503 };
  await sell("failing");
  await reached("quote.created failed", 1);
  clock.set(new Date(Date.parse(ISSUED_AT) + 24 * 60 * MINUTE - 1));
  await reached("quote.created failed", 2);
  assert.equal(counts["quote.created set_aside"], 1);
  clock.advance(1);
  // What fails meanwhile is held for a minute.
  await passing(1_000, () => counts["quote.created set_aside"] === 2);
  const errors = records.filter(({ level, message }) => level === "error" && /set aside/.test(message));
  assert.deepEqual(
    errors.map(({ facts }) => `${facts.quote_id}: ${facts.type}, ${facts.reason}`),
    ["gone: quote.created, HTTP status 410", "failing: quote.created, HTTP status 503"],
  );
  answer = { status: 204 };
  await passing(30_000, () => (counts["quote.expired delivered"] ?? 0) >= 2);
  await settled();
});

test("waits four times as long after each failure, and three hours at most", async (t) => {
  const dues = [Date.parse(ISSUED_AT)];
  const { receiver, sell, clock } = await sending(t, {
    using: (outbox) => ({
      ...outbox,
      async postpone(event, until) {
        await outbox.postpone(event, until);
        dues.push(until.getTime());
      },
    }),
  });
  receiver.answer(() => ({ status: 500 }));
  await sell("a");
  for (let failures = 1; failures < 10; failures += 1) {
    await until(() => dues.length > failures, `${failures} failures`);
    clock.set(new Date(dues.at(-1) ?? 0));
  }
  const waits = dues.slice(1).map((due, n) => (due - (dues[n] ?? 0)) / 1_000);
  assert.deepEqual(waits.slice(0, 9), [1, 4, 16, 64, 256, 1_024, 4_096, 10_800, 10_800]);
});

test("a receiver that is down gets few attempts, and everything when it returns", async (t) => {
  const { receiver, sell, counts, reached, passing, quiet, settled } = await sending(t);
  await receiver.stop();
  const ids = Array.from({ length: 40 }, (_, n) => `q${n}`);
  await Promise.all(ids.map(sell));
  await reached("quote.created failed", 1);
  await quiet();
  assert.ok((counts["quote.created failed"] ?? 0) <= 8, JSON.stringify(counts));
  await receiver.start();
  await passing(1_000, () => receiver.received.length === ids.length);
  await settled();
  assert.deepEqual(receiver.received.map(({ payload }) => payload.data.quote_id).sort(), [...ids].sort());
});

test("goes on when the outbox fails for a while, and delivers again what it could not mark", async (t) => {
  let isFailing = true;
  let marked = 0;
  const fail = async () => {
    if (isFailing) throw new Error("disk full");
  };
  const { receiver, sell, clock, records } = await sending(t, {
    using: (outbox) => ({
      ...outbox,
      async claim(most, when) {
        if (marked > 0) await fail();
        return outbox.claim(most, when);
      },
      async delivered(event) {
        marked += 1;
        await fail();
        return outbox.delivered(event);
      },
    }),
  });
  await sell("a");
  await until(() => records.some(({ message }) => /outbox.*unavailable/.test(message)), "the failure is logged");
  assert.equal(marked, 1);
  isFailing = false;
  clock.advance(MINUTE);
  await until(() => records.some(({ message }) => /outbox.*available again/.test(message)), "and its end");
  await until(() => receiver.received.length === 2, "the second delivery");
  assert.equal(records.filter(({ level }) => level === "error").length, 1);
  assert.equal(receiver.received[0]?.id, receiver.received[1]?.id);
});

/**
 * The embedded store at the instant of the fixtures, and a sender over HTTP that looks at it all the time: at its outbox as
 * `using` gives it.
 */
async function sending(t: TestContext, { timeOutMs = 10_000, using = (outbox: Outbox): Outbox => outbox } = {}) {
  const clock = aClock(ISSUED_AT);
  const { log, records } = aRecordingLog();
  const receiver = await anEventReceiver(t, [SECRET]);
  const store = await openStore(t, { folder: aFolder(t), clock, fillsOutbox: true });
  assert.ok(store.outbox);
  const counts: Record<string, number> = {};
  const metrics: EventMetrics = {
    attempted(type, result) {
      counts[`${type} ${result}`] = (counts[`${type} ${result}`] ?? 0) + 1;
    },
    measured() {},
  };
  const delivery = createDelivery({ url: receiver.url, secrets: [SECRET], journeyOf: async () => null });
  const parts = { outbox: using(store.outbox), delivery, clock, log, metrics };
  const sender = startEventSender({ ...parts, timeOutMs, pollMs: 2, random: () => 0.5 });
  t.after(() => sender.close(0));
  const isDelivered = (name: string) => name.endsWith("delivered");
  return {
    ...{ receiver, clock, counts, records },
    async sell(id: string) {
      const quote = aQuote({ id });
      await store.insert({ quote, record: undefined, sale: aSale(quote, { at: ISSUED_AT }) });
    },
    note: (sale: SaleEvent) => store.insert({ quote: undefined, record: undefined, sale }),
    /** So many deliveries, failed ones included, have arrived and are counted. */
    settled: (arrived = 0) =>
      until(() => {
        const succeeded = receiver.received.filter(({ status }) => status === 200 || status === 204).length;
        const delivered = Object.entries(counts).reduce((sum, [name, n]) => sum + (isDelivered(name) ? n : 0), 0);
        return receiver.received.length >= arrived && delivered >= succeeded;
      }, `${arrived} deliveries`),
    /** At least so many of a result were counted. */
    reached: (what: string, count: number) => until(() => (counts[what] ?? 0) >= count, `${count} ${what}`),
    /** The clock goes on in steps until the condition holds. */
    passing: (milliseconds: number, condition: () => boolean) =>
      until(() => {
        clock.advance(milliseconds);
        return condition();
      }, String(condition)),
    /** Many looks at the outbox. */
    quiet: () => new Promise((resolve) => setTimeout(resolve, 40)),
  };
}

const EXAMPLE = join(packageRoot, "docs", "operations", "events-receiver.mjs");
const OTHER = aWebhookSecret("another");

test("the receiver of the documentation takes each event once, with its secret first or second, and none with another", async (t) => {
  const example = startProgram([process.execPath, EXAMPLE], { env: { EVENTS_SECRET: SECRET, PORT: "0" } });
  t.after(() => example.kill());
  const [, url = ""] = await example.says(/listening on (\S+)\n/);
  const [created, handoff] = [aSale(aQuote({ id: "q_1" })), aHandoffSale(aQuote({ id: "q_1" }))];
  const deliver = async (event: Omit<OutboxEvent, "failures">, secrets: readonly string[], at = new Date()) => {
    const delivery = createDelivery({ url, secrets, journeyOf: async () => null });
    const receipt = await delivery.send({ ...event, failures: 0 }, at, AbortSignal.timeout(20_000));
    await delivery.close();
    return "why" in receipt ? receipt.why : receipt.result;
  };

  assert.equal(await deliver(created, [OTHER]), "HTTP status 401");
  assert.equal(await deliver(created, [SECRET], new Date(Date.now() - 6 * 60_000)), "HTTP status 401", "a replay");
  for (const secrets of [[SECRET], [OTHER, SECRET], [SECRET, OTHER]]) {
    assert.equal(await deliver(created, secrets), "delivered");
  }
  assert.equal(await deliver(handoff, [SECRET]), "delivered");
  await until(() => example.stdout().split("\n").length === 4, "both are processed");
  const lines = example.stdout().split("\n").slice(1, -1);
  assert.deepEqual(lines, [`${created.at} quote.created q_1`, `${handoff.at} handoff.created q_1`]);
});
