import { QUOTE_VALIDITY_MILLISECONDS } from "../../src/domain/quotes/quote.ts";
import type { History, ObservedCall, Promised, Seen, Violation } from "./history.ts";

/** What clients and server may differ by in reading the same clock. */
const CLOCK_SLACK = 50;
const UNAVAILABLE = [503, "UPSTREAM_UNAVAILABLE"] as const;
const NOT_FOUND = [404, "QUOTE_NOT_FOUND"] as const;
/** Status and code of the answers that a call may get, beside success. */
const EXPECTED = {
  create: [UNAVAILABLE],
  read: [UNAVAILABLE, NOT_FOUND],
  handoff: [UNAVAILABLE, NOT_FOUND, [409, "QUOTE_EXPIRED"]],
  charge: [UNAVAILABLE, NOT_FOUND, [429, "RATE_LIMITED"]],
} as const;
const SUCCESS = { create: 201, read: 200, handoff: 200, charge: 200 } as const;

interface Acknowledged {
  readonly owner: string;
  readonly key: string | null;
  readonly at: number;
  readonly terms: string | null;
  readonly expiresAt: number;
}

interface FirstAnswer {
  readonly seen: Seen;
  readonly endedAt: number;
}

/** Holds a history against the promises; the same history always gives the same violations. */
export function judge(history: History): readonly Violation[] {
  const violations: Violation[] = [];
  const quotes = new Map<string, Acknowledged>();
  const keys = new Map<string, FirstAnswer>();
  const originals = new Set<string>();
  const charges = new Map<string, ObservedCall[]>();
  for (const call of [...history.calls].sort((a, b) => a.endedAt - b.endedAt)) {
    if (call.kind === "charge") charges.set(call.subject, [...(charges.get(call.subject) ?? []), call]);
    if (call.answer === "unknown") continue;
    const report = (promise: Promised, why: string) => void violations.push({ promise, detail: detailOf(call, why) });
    judgeAnswer(call, call.answer, report);
  }
  for (const calls of charges.values()) judgeBudget(calls, history, violations);
  judgeLedger(history, violations);
  return violations;

  function judgeAnswer(call: ObservedCall, seen: Seen, report: (promise: Promised, why: string) => void): void {
    const isSuccess = seen.status === SUCCESS[call.kind];
    const isExpected = EXPECTED[call.kind].some(([status, code]) => seen.status === status && seen.code === code);
    if (!isSuccess && !isExpected) report("unexpected answer", `${seen.status} ${seen.code}`);
    if (isSuccess && call.key !== null) judgeKey(call, seen, report);
    if (isSuccess && call.kind === "create") acknowledge(call, seen, report);
    const quote = call.quoteId === null || call.kind === "charge" ? undefined : quotes.get(call.quoteId);
    if (!quote) return;
    if (call.subject !== quote.owner) {
      if (isSuccess || seen.code === "QUOTE_EXPIRED") report("foreign read", `owner ${quote.owner}`);
      return;
    }
    if (seen.code === "QUOTE_NOT_FOUND" && quote.at <= call.sentAt) report("lost quote", "not found");
    if (call.kind === "read" && isSuccess && seen.terms !== quote.terms) report("changed quote", "other terms");
    judgeExpiry(call, seen, quote, report);
  }

  function judgeKey(call: ObservedCall, seen: Seen, report: (promise: Promised, why: string) => void): void {
    const name = `${call.kind} ${call.subject} ${call.key}`;
    const first = keys.get(name);
    const isSecondOriginal = !seen.replayed && originals.has(name);
    if (!seen.replayed) originals.add(name);
    if (!first) {
      keys.set(name, { seen, endedAt: call.endedAt });
      return;
    }
    if (isSecondOriginal || (call.kind === "create" && seen.quoteId !== first.seen.quoteId))
      report("doubled key", `${first.seen.quoteId} and ${seen.quoteId}`);
    else if (seen.digest !== first.seen.digest) report("changed replay", "other bytes");
    else if (!seen.replayed && first.endedAt < call.sentAt) report("doubled key", "made anew");
  }

  function acknowledge(call: ObservedCall, seen: Seen, report: (promise: Promised, why: string) => void): void {
    const { quoteId, expiresAt, terms } = seen;
    if (quoteId === null || expiresAt === null) return report("unexpected answer", "a quote without id or end");
    const known = quotes.get(quoteId);
    if (known && (known.owner !== call.subject || known.key !== call.key)) report("doubled key", "one id, two keys");
    if (!known) quotes.set(quoteId, { owner: call.subject, key: call.key, at: call.endedAt, terms, expiresAt });
    if (seen.replayed) return;
    const issuedAt = expiresAt - QUOTE_VALIDITY_MILLISECONDS;
    if (issuedAt < call.clock[0] - CLOCK_SLACK) report("early expiry", "issued for less than 30 minutes");
    if (issuedAt > call.clock[1] + CLOCK_SLACK) report("late expiry", "issued for more than 30 minutes");
  }
}

function judgeExpiry(
  { kind, clock }: ObservedCall,
  { status, code, quoteStatus, replayed }: Seen,
  { expiresAt }: Acknowledged,
  report: (promise: Promised, why: string) => void,
): void {
  const [earliest, latest] = clock;
  const isExpired = quoteStatus === "expired" || code === "QUOTE_EXPIRED";
  const isOpen = quoteStatus === "open" || (kind === "handoff" && status === 200 && !replayed);
  if (isExpired && latest + CLOCK_SLACK < expiresAt) report("early expiry", `${expiresAt - latest} ms early`);
  if (isOpen && earliest - CLOCK_SLACK >= expiresAt) report("late expiry", `${earliest - expiresAt} ms late`);
}

/** Load hands off one option of a quote, so that its handoff is one event. */
function judgeLedger({ calls, sales }: History, violations: Violation[]): void {
  if (!sales) return;
  const counts = new Map<string, number>();
  for (const { type, quoteId } of sales) {
    const name = `${type} ${quoteId}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name, count] of counts) {
    if (count > 1) violations.push({ promise: "doubled sale", detail: `${name}: ${count} times` });
  }
  const missing = new Map<string, string>();
  for (const call of calls) {
    const { kind, answer } = call;
    if (answer === "unknown" || answer.status !== SUCCESS[kind]) continue;
    const name =
      kind === "create" ? `quote.created ${answer.quoteId}` : kind === "handoff" && `handoff.created ${call.quoteId}`;
    if (name && !counts.has(name)) missing.set(name, detailOf(call, "not in the ledger"));
  }
  for (const detail of missing.values()) violations.push({ promise: "lost sale", detail });
}

/** The calls of one subject, in the order of their ends. */
function judgeBudget(calls: readonly ObservedCall[], history: History, violations: Violation[]): void {
  const { points, seconds } = history.budget;
  const from = Math.min(...calls.map(({ sentAt }) => sentAt));
  const until = Math.max(...calls.map(({ endedAt }) => endedAt));
  const apart = history.countingApart.some(([start, end]) => start <= until && end >= from);
  const windows = 1 + Math.floor((until - from) / 1000 / seconds);
  const most = points * windows * (apart ? history.processes + 1 : 1);
  const states = calls.map(({ answer }) => {
    if (answer === "unknown" || answer.status === 503) return "perhaps";
    return answer.status === 429 ? "rejected" : "accepted";
  });
  const count = (state: string) => states.filter((each) => each === state).length;
  const [last] = calls.slice(-1);
  if (!last) return;
  if (count("accepted") > most)
    violations.push({ promise: "budget exceeded", detail: detailOf(last, `${count("accepted")} of ${most}`) });
  const used = count("accepted") + count("perhaps");
  if (count("rejected") > 0 && used < points)
    violations.push({ promise: "budget withheld", detail: detailOf(last, `after ${used} of ${points}`) });
}

function detailOf({ kind, subject, key, quoteId, sentAt }: ObservedCall, why: string): string {
  return `${kind} by ${subject}, key ${key}, quote ${quoteId}, at ${new Date(sentAt).toISOString()}: ${why}`;
}
