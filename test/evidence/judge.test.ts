import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { History, ObservedCall, Promised, Seen } from "./history.ts";
import { judge } from "./judge.ts";

const START = Date.parse("2026-12-01T09:00:00Z");
const MINUTE = 60_000;

const QUOTE: Seen = {
  ...{ status: 201, code: null, replayed: false, digest: "bytes", terms: "terms" },
  ...{ quoteId: "q_1", quoteStatus: "open", expiresAt: START + 30 * MINUTE },
};
const NOTHING = { quoteId: null, quoteStatus: null, expiresAt: null, terms: null };
const NOT_FOUND: Seen = { ...QUOTE, ...NOTHING, status: 404, code: "QUOTE_NOT_FOUND" };
const EXPIRED: Seen = { ...QUOTE, ...NOTHING, status: 409, code: "QUOTE_EXPIRED" };
const LIMITED: Seen = { ...QUOTE, ...NOTHING, status: 429, code: "RATE_LIMITED" };
const DOWN: Seen = { ...QUOTE, ...NOTHING, status: 503, code: "UPSTREAM_UNAVAILABLE" };

/** A call at a minute after the start that takes 100 ms, on a process with the right time. */
function call(
  kind: ObservedCall["kind"],
  atMinute: number,
  answer: Seen | "unknown",
  more: Partial<ObservedCall> = {},
) {
  const sentAt = START + atMinute * MINUTE;
  const endedAt = sentAt + 100;
  const quoteId = kind === "create" ? null : "q_1";
  const key = kind === "create" ? "k" : null;
  return { kind, subject: "a", key, quoteId, sentAt, endedAt, clock: [sentAt, endedAt], answer, ...more } as const;
}

const create = call("create", 0, QUOTE);
const replay = (over: Partial<Seen> = {}, minute = 1) => call("create", minute, { ...QUOTE, replayed: true, ...over });
const read = (minute: number, over: Partial<Seen> = {}) => call("read", minute, { ...QUOTE, status: 200, ...over });
const handoff = (minute: number, answer: Seen = { ...QUOTE, ...NOTHING, status: 200 }) =>
  call("handoff", minute, answer);

function found(calls: readonly ObservedCall[], more: Partial<History> = {}): readonly Promised[] {
  const budget = { points: 2, seconds: 60 };
  return judge({ calls, processes: 3, budget, countingApart: [], ...more }).map(({ promise }) => promise);
}

function charges(subject: string, answers: readonly (Seen | "unknown")[], apartMinutes = 0): readonly ObservedCall[] {
  return answers.map((answer, n) => call("charge", (n * apartMinutes) / 10, answer, { subject, quoteId: null }));
}

suite("the judge of a history", () => {
  // biome-ignore format: a table reads by its columns
  const kept: readonly (readonly [string, readonly ObservedCall[]])[] = [
    ["a quote that is read, replayed, handed off and expires", [create, replay(), read(2), handoff(29), read(31, { quoteStatus: "expired" }), handoff(31, EXPIRED)]],
    ["an answer that was lost, and its resend", [call("create", 0, "unknown"), replay()]],
    ["an outage", [call("create", 0, DOWN), create, call("read", 1, DOWN), handoff(1, DOWN)]],
    ["another subject that finds nothing", [create, call("read", 1, NOT_FOUND, { subject: "b" }), call("handoff", 1, NOT_FOUND, { subject: "b" })]],
    ["an expiry by a clock that was set forward", [create, call("read", 1,
      { ...QUOTE, status: 200, quoteStatus: "expired" }, { clock: [START + 36 * MINUTE, START + 36 * MINUTE] }, ), ],
      ],
    ["the replay of a handoff after the expiry", [create,
      call("handoff", 1, { ...QUOTE, ...NOTHING, status: 200 }, { key: "h" }),
      call("handoff", 40, { ...QUOTE, ...NOTHING, status: 200, replayed: true }, { key: "h" }), ], ],
  ];
  for (const [what, calls] of kept) {
    test(`finds nothing in ${what}`, () => assert.deepEqual(found(calls), []));
  }

  // biome-ignore format: a table reads by its columns
  const broken: readonly (readonly [Promised, string, readonly ObservedCall[]])[] = [
    ["lost quote", "a read that finds nothing", [create, call("read", 1, NOT_FOUND)]],
    ["doubled key", "another quote under a key", [create, replay({ quoteId: "q_2" })]],
    ["doubled key", "two originals at the same time", [create, call("create", 0, { ...QUOTE })]],
    ["doubled key", "an original after an acknowledged one", [create, call("create", 1, {...QUOTE, expiresAt: START + 31 * MINUTE })]],
    ["foreign read", "a read by another", [create, { ...read(1), subject: "b" }]],
    ["foreign read", "a handoff by another", [create, { ...handoff(1), subject: "b" }]],
    ["changed replay", "other bytes under the same key", [create, replay({ digest: "others" })]],
    ["changed quote", "other terms", [create, read(1, { terms: "others" })]],
    ["early expiry", "a read", [create, read(29, { quoteStatus: "expired" })]],
    ["early expiry", "a quote for 29 minutes", [call("create", 0, { ...QUOTE, expiresAt: START + 29 * MINUTE })]],
    ["late expiry", "a read", [create, read(31)]],
    ["late expiry", "a quote for 31 minutes", [call("create", 0, { ...QUOTE, expiresAt: START + 31 * MINUTE })]],
    ["unexpected answer", "an internal error", [call("create", 0, { ...DOWN, status: 500, code: "INTERNAL_ERROR" })]],
  ];
  for (const [promise, what, calls] of broken) {
    test(`finds ${promise}: ${what}`, () => assert.deepEqual(found(calls), [promise]));
  }

  test("compares the ledger with what was acknowledged", () => {
    const quote = { type: "quote.created", quoteId: "q_1" } as const;
    const handedOff = { type: "handoff.created", quoteId: "q_1" } as const;
    const calls = [create, replay(), handoff(1), call("create", 0, "unknown", { key: "other" })];
    const unacknowledged = { type: "quote.created", quoteId: "q_2" } as const;
    assert.deepEqual(found(calls, { sales: [quote, handedOff, unacknowledged] }), []);
    assert.deepEqual(found(calls, { sales: [quote] }), ["lost sale"]);
    assert.deepEqual(found(calls, { sales: [handedOff] }), ["lost sale"]);
    assert.deepEqual(found(calls, { sales: [quote, handedOff, handedOff] }), ["doubled sale"]);
  });

  test("goes by the order of answers, not by that of the list", () => {
    assert.deepEqual(found([call("read", 1, NOT_FOUND), create]), ["lost quote"]);
  });

  test("judges budgets of each subject by points, windows, lost answers and separate counts", () => {
    const two = [NOT_FOUND, NOT_FOUND];
    assert.deepEqual(found([...charges("a", [...two, LIMITED]), ...charges("b", two)]), []);
    assert.deepEqual(found(charges("a", [...two, NOT_FOUND])), ["budget exceeded"]);
    assert.deepEqual(found(charges("a", [...two, NOT_FOUND], 6)), [], "a second window has begun");
    assert.deepEqual(found(charges("a", [NOT_FOUND, LIMITED])), ["budget withheld"]);
    assert.deepEqual(found(charges("a", [NOT_FOUND, "unknown", LIMITED])), []);
    const apart = { countingApart: [[START, START + 1]] as const };
    assert.deepEqual(found(charges("a", Array(8).fill(NOT_FOUND)), apart), []);
    assert.deepEqual(found(charges("a", Array(9).fill(NOT_FOUND)), apart), ["budget exceeded"]);
  });
});
