import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { SaleEventPayload } from "../../src/contract/sale-events.ts";
import { createDelivery } from "../../src/events/delivery.ts";
import { type EventSender, startEventSender } from "../../src/events/event-sender.ts";
import type { EventMetrics } from "../../src/ops/metrics.ts";
import { EXPIRY_DELAY_MILLISECONDS, type Outbox } from "../../src/stores/outbox.ts";
import { anEventReceiver, aWebhookSecret, type EventAnswer } from "../support/event-receiver.ts";
import { aClock } from "../support/fake-clock.ts";
import { openStore } from "../support/lowdb-store.ts";
import { aQuote, ISSUED_AT } from "../support/quote-fixture.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const SECRET = aWebhookSecret("first");
const MINUTE = 60_000;

test("delivers a sale in order, each event once, as the contract describes it", async (t) => {
  const { receiver, sell, note, clock, settled } = await sending(t);
  await sell("a");
  await note(aHandoffSale(aQuote({ id: "a" }), { at: ISSUED_AT }));
  await note(anOpeningSale(aQuote({ id: "a" }), { at: ISSUED_AT }));
  await settled(3);
  clock.set(new Date(Date.parse(aQuote().expiresAt) + EXPIRY_DELAY_MILLISECONDS));
  await settled(4);
  const types = receiver.received.map(({ payload }) => payload.type);
  assert.deepEqual(types, ["quote.created", "handoff.created", "handoff.opened", "quote.expired"]);
  for (const { payload } of receiver.received) {
    assert.deepEqual(SaleEventPayload.parse(payload), payload, "nothing beyond the schema");
    assert.equal(payload.data.quote_id, "a");
  }
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 4);
});

test("repeats a failed delivery with the same id and body, and holds back what follows of that quote only", async (t) => {
  const { receiver, sell, note, clock, settled } = await sending(t);
  receiver.answer(({ payload }, earlier) => ({
    status: payload.data.quote_id === "a" && earlier < 3 ? ([500, 404, 302][earlier] ?? 204) : 204,
  }));
  await sell("a");
  await note(aHandoffSale(aQuote({ id: "a" }), { at: ISSUED_AT }));
  await sell("b");
  const deliveriesOf = (id: string) => receiver.received.filter(({ payload }) => payload.data.quote_id === id);
  await until(() => deliveriesOf("a").length === 1, "the first attempt");
  for (const attempts of [2, 3, 4]) {
    await until(() => {
      clock.advance(500);
      return deliveriesOf("a").length >= attempts;
    }, `attempt ${attempts}`);
  }
  await settled(6);
  const [first, second, third, fourth, handoff] = deliveriesOf("a");
  assert.deepEqual(
    [first, second, third, fourth].map((each) => [each?.id, each?.body]),
    Array.from({ length: 4 }, () => [first?.id, first?.body]),
  );
  assert.equal(first?.headers["webhook-id"], first?.id);
  assert.ok(Number(fourth?.headers["webhook-timestamp"]) > Number(first?.headers["webhook-timestamp"]));
  assert.equal(handoff?.payload.type, "handoff.created");
  assert.equal(deliveriesOf("b").length, 1);
});

test("repeats a delivery that was answered too late", async (t) => {
  const { receiver, sell, clock, counts } = await sending(t, { timeOutMs: 50 });
  receiver.answer((_, earlier) => (earlier === 0 ? "none" : { status: 200 }));
  await sell("a");
  // On a busy machine more than the first may be too late.
  await until(() => {
    clock.advance(500);
    return counts["quote.created delivered"] === 1;
  }, "a delivery in time");
  assert.ok(receiver.received.length > 1);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
});

test("sends nothing before the time that Retry-After names, as seconds or as a date", async (t) => {
  for (const header of [(_: Date) => "120", (now: Date) => new Date(now.getTime() + 120_000).toUTCString()]) {
    const { receiver, sell, clock, counts, quiet } = await sending(t);
    const value = header(clock.now());
    receiver.answer(({ payload }, earlier) =>
      payload.data.quote_id === "a" && earlier === 0
        ? { status: 429, headers: { "retry-after": value } }
        : { status: 204 },
    );
    await sell("a");
    await until(() => counts["quote.created failed"] === 1, "the first attempt");
    await sell("b");
    clock.advance(59_000);
    await quiet();
    assert.equal(receiver.received.length, 1, "other events wait too, for a minute at most");
    clock.advance(2_000);
    await until(() => counts["quote.created delivered"] === 1, "the other event");
    clock.advance(58_000);
    await quiet();
    assert.equal(receiver.received.length, 2);
    clock.advance(2_000);
    await until(() => counts["quote.created delivered"] === 2, "the second attempt");
  }
});

test("gives an event up 24 hours after it happened, or at once where the receiver answers 410", async (t) => {
  const { receiver, sell, clock, counts, records, settled } = await sending(t);
  let answer: EventAnswer = { status: 410 };
  receiver.answer(() => answer);
  await sell("gone");
  await until(() => counts["quote.created set_aside"] === 1, "the first is given up");
  answer = { status: 503 };
  await sell("failing");
  await until(() => (counts["quote.created failed"] ?? 0) >= 1, "the second fails");
  clock.set(new Date(Date.parse(ISSUED_AT) + 24 * 60 * MINUTE - 1));
  await until(() => (counts["quote.created failed"] ?? 0) >= 2, "and once more");
  assert.equal(counts["quote.created set_aside"], 1);
  clock.advance(1);
  await until(() => {
    // What fails meanwhile is held for a minute.
    clock.advance(1_000);
    return counts["quote.created set_aside"] === 2;
  }, "the second is given up");
  const errors = records.filter(({ level, message }) => level === "error" && /set aside/.test(message));
  assert.deepEqual(
    errors.map(({ facts }) => [facts.quote_id, facts.type, facts.reason]),
    [
      ["gone", "quote.created", "HTTP status 410"],
      ["failing", "quote.created", "HTTP status 503"],
    ],
  );
  answer = { status: 204 };
  await until(() => {
    clock.advance(30_000);
    return (counts["quote.expired delivered"] ?? 0) >= 2;
  }, "what follows is delivered");
  await settled();
});

test("a receiver that is down gets few attempts, and everything when it returns", async (t) => {
  const { receiver, sell, clock, counts, quiet, settled } = await sending(t);
  await receiver.stop();
  const ids = Array.from({ length: 40 }, (_, n) => `q${n}`);
  await Promise.all(ids.map(sell));
  await until(() => (counts["quote.created failed"] ?? 0) > 0, "the first failure");
  await quiet();
  assert.ok((counts["quote.created failed"] ?? 0) <= 8, JSON.stringify(counts));
  await receiver.start();
  await until(() => {
    clock.advance(1_000);
    return receiver.received.length === ids.length;
  }, "all are delivered");
  await settled();
  assert.deepEqual(receiver.received.map(({ payload }) => payload.data.quote_id).sort(), [...ids].sort());
});

test("goes on when the outbox fails for a while, and delivers again what it could not mark", async (t) => {
  const { store, receiver, sell, clock, records, restart } = await sending(t, { starts: false });
  let isFailing = true;
  let marked = 0;
  const fail = async () => {
    if (isFailing) throw new Error("disk full");
  };
  const { outbox } = store;
  assert.ok(outbox);
  const flaky: Outbox = {
    ...outbox,
    async claim(most, when) {
      if (receiver.received.length > 0) await fail();
      return outbox.claim(most, when);
    },
    async delivered(event) {
      marked += 1;
      await fail();
      return outbox.delivered(event);
    },
  };
  restart(flaky);
  await sell("a");
  await until(() => marked === 1, "the first delivery");
  await until(() => records.some(({ message }) => /outbox.*unavailable/.test(message)), "the failure is logged");
  isFailing = false;
  clock.advance(MINUTE);
  await until(() => records.some(({ message }) => /outbox.*available again/.test(message)), "and its end");
  await until(() => receiver.received.length === 2, "the second delivery");
  assert.equal(records.filter(({ level }) => level === "error").length, 1);
  assert.equal(receiver.received[0]?.id, receiver.received[1]?.id);
});

interface Options {
  readonly timeOutMs?: number;
  readonly folder?: string;
  readonly receiver?: Awaited<ReturnType<typeof anEventReceiver>>;
  /** False where the test starts it. */
  readonly starts?: boolean;
}

/** The embedded store at the instant of the fixtures, and a sender over HTTP that looks at it all the time. */
async function sending(
  t: TestContext,
  { timeOutMs = 10_000, folder = aFolder(t), starts = true, ...given }: Options = {},
) {
  const clock = aClock(ISSUED_AT);
  const { log, records } = aRecordingLog();
  const receiver = given.receiver ?? (await anEventReceiver(t, [SECRET]));
  const store = await openStore(t, { folder, clock, fillsOutbox: true });
  const counts: Record<string, number> = {};
  const metrics: EventMetrics = {
    attempted(type, result) {
      counts[`${type} ${result}`] = (counts[`${type} ${result}`] ?? 0) + 1;
    },
    measured() {},
  };
  let sender: EventSender | undefined;
  const start = (outbox: Outbox) => {
    const delivery = createDelivery({ url: receiver.url, secrets: [SECRET] });
    const started = startEventSender({
      outbox,
      delivery,
      clock,
      log,
      metrics,
      timeOutMs,
      pollMs: 2,
      random: () => 0.5,
    });
    sender = started;
    t.after(() => started.close(0));
    return started;
  };
  assert.ok(store.outbox);
  if (starts) start(store.outbox);
  const delivered = () =>
    Object.entries(counts).reduce((sum, [name, n]) => sum + (name.endsWith("delivered") ? n : 0), 0);
  return {
    store,
    receiver,
    clock,
    counts,
    records,
    restart: start,
    get sender() {
      assert.ok(sender);
      return sender;
    },
    async sell(id: string) {
      const quote = aQuote({ id });
      await store.insert({ quote, record: undefined, sale: aSale(quote, { at: ISSUED_AT }) });
    },
    note: (sale: ReturnType<typeof aSale>) => store.insert({ quote: undefined, record: undefined, sale }),
    /** So many deliveries, failed ones included, have arrived and are counted. */
    settled: (arrived?: number) =>
      until(
        () => {
          if (arrived !== undefined && receiver.received.length < arrived) return false;
          const succeeded = receiver.received.filter(({ status }) => status === 200 || status === 204).length;
          return delivered() >= succeeded || given.receiver !== undefined;
        },
        `${arrived ?? "all"} deliveries`,
      ),
    /** Many looks at the outbox. */
    quiet: () => new Promise((resolve) => setTimeout(resolve, 40)),
  };
}
