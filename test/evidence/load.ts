import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { aRealJourney } from "../support/journey-fixture.ts";
import type { Random } from "../support/random.ts";
import type { ObservedCall, Seen } from "./history.ts";

/** A process that is called. */
interface Target {
  readonly url: string;
  /** The earliest and latest offset that its clock can have had in an interval, in milliseconds. */
  offsets(from: number, until: number): readonly [number, number];
}

interface LoadParts {
  readonly targets: readonly Target[];
  readonly random: Random;
  token(subject: string): Promise<string>;
  /** Of the budget that bursts use. */
  readonly points: number;
  /** Milliseconds between two calls of a caller, on average. Default 25. */
  readonly restMs?: number;
}

interface Sent {
  readonly subject: string;
  readonly key: string;
  readonly body: object;
  isAnswered: boolean;
}
interface Owned {
  readonly id: string;
  readonly subject: string;
  readonly fleetId: number;
}
type Request = Pick<ObservedCall, "kind" | "subject" | "key" | "quoteId"> & { readonly body?: object };

const CALLERS = 5;
const SUBJECTS = ["agent-1", "agent-2", "agent-3", "agent-4"];
/** Replays and reads ask for recent quotes and keys most of the time, because faults threaten those. */
const RECENT = 40;
const GIVE_UP_MS = 10_000;
const BURST_EVERY_MS = 4_000;
const AUDITORS = 8;
/** What the expiry of a quote changes: its status, and how to ask for it again. */
const WITH_EXPIRY = { status: null, next_action: undefined, request: undefined };

/** Agents that create, replay, read and hand off quotes, try those of others, and use up budgets, until stopped. */
export function startLoad({ targets, random: { random, upTo, anyOf }, token, points, restMs = 25 }: LoadParts) {
  const calls: ObservedCall[] = [];
  const sent: Sent[] = [];
  const owned: Owned[] = [];
  let isOn = true;
  let serial = 0;
  const running = Promise.all([...Array.from({ length: CALLERS }, callOnAndOn), burstNowAndThen()]);

  return {
    calls: calls as readonly ObservedCall[],
    /** Ends the callers. */
    async stop() {
      isOn = false;
      await running;
    },
    /** Reads every acknowledged quote and resends every key whose answer was lost, on every process in turn. */
    async audit() {
      const reads = owned.map((quote) => () => read(quote, quote.subject));
      const resends = sent
        .filter(({ isAnswered }) => !isAnswered)
        .flatMap((each) => [() => create(each), () => create(each)]);
      const work = [...reads, ...resends];
      const auditor = async () => {
        for (let task = work.pop(); task; task = work.pop()) await task();
      };
      await Promise.all(Array.from({ length: AUDITORS }, auditor));
    },
  };

  async function callOnAndOn(): Promise<void> {
    while (isOn) {
      await oneCall(random());
      await pause(2 * restMs * random());
    }
  }

  async function oneCall(dice: number): Promise<unknown> {
    const [quote, earlier] = [oneOf(owned), oneOf(sent)];
    if (dice < 0.2 && earlier) return create(earlier);
    if (dice < 0.4 && quote) return read(quote, quote.subject);
    if (dice < 0.5 && quote) return read(quote, otherThan(quote.subject));
    if (dice < 0.6 && quote) return handoff(quote, random() < 0.2 ? otherThan(quote.subject) : quote.subject);
    const fresh = newRequest();
    return dice < 0.7 ? Promise.all([create(fresh), create(fresh)]) : create(fresh);
  }

  /** Mostly a recent one; `undefined` of none. */
  function oneOf<T>(list: readonly T[]): T | undefined {
    const from = random() < 0.7 ? list.slice(-RECENT) : list;
    return from[upTo(from.length - 1)];
  }

  function newRequest(): Sent {
    serial += 1;
    const body = aRealJourney({ passengers: 1 + upTo(3) });
    const request = { subject: anyOf(SUBJECTS), key: `key-${serial}`, body, isAnswered: false };
    sent.push(request);
    return request;
  }

  async function create(request: Sent): Promise<void> {
    const { subject, key, body } = request;
    const answer = await call({ kind: "create", subject, key, quoteId: null, body });
    if (answer?.status !== 201 || request.isAnswered) return;
    request.isAnswered = true;
    owned.push({ id: answer.body.quote_id, subject, fleetId: answer.body.options[0].fleet_id });
  }

  function read({ id }: Owned, subject: string) {
    return call({ kind: "read", subject, key: null, quoteId: id });
  }

  function handoff({ id, fleetId }: Owned, subject: string) {
    const body = { quote_id: id, fleet_id: fleetId, traveler_approval: true };
    return call({ kind: "handoff", subject, key: `handoff-${id}`, quoteId: id, body });
  }

  /** A new subject makes half as many calls again as its budget has, on all processes at once. */
  async function burstNowAndThen(): Promise<void> {
    while (isOn) {
      serial += 1;
      const subject = `burst-${serial}`;
      const all = Array.from({ length: Math.ceil(points * 1.5) }, () =>
        call({ kind: "charge", subject, key: null, quoteId: null }),
      );
      await Promise.all(all);
      for (let waited = 0; isOn && waited < BURST_EVERY_MS; waited += 100) await pause(100);
    }
  }

  async function call({ body, ...facts }: Request) {
    const target = anyOf(targets);
    const headers = {
      Authorization: `Bearer ${await token(facts.subject)}`,
      ...(body && { "Content-Type": "application/json" }),
      ...(facts.key !== null && { "Idempotency-Key": facts.key }),
    };
    const path = PATHS[facts.kind](facts.quoteId);
    const init = { method: body ? "POST" : "GET", headers, ...(body && { body: JSON.stringify(body) }) };
    const sentAt = Date.now();
    const answer = await exchange(`${target.url}/api/public/v1${path}`, init, facts.kind);
    const endedAt = Date.now();
    const [behind, ahead] = target.offsets(sentAt, endedAt);
    calls.push({
      ...facts,
      sentAt,
      endedAt,
      clock: [sentAt + behind, endedAt + ahead],
      answer: answer?.seen ?? "unknown",
    });
    return answer && { status: answer.seen.status, body: answer.body };
  }

  function otherThan(subject: string): string {
    return anyOf(SUBJECTS.filter((each) => each !== subject));
  }
}

const PATHS = {
  create: () => "/quotes",
  read: (id: string | null) => `/quotes/${id}`,
  handoff: () => "/checkout-sessions",
  charge: () => "/vehicle-classes",
} as const;

/** The answer, or `undefined` where it was lost on its way. */
async function exchange(url: string, init: RequestInit, kind: ObservedCall["kind"]) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) });
    const text = await response.text();
    const body = JSON.parse(text);
    return { body, seen: seenIn(response, text, body, kind) };
  } catch {
    return undefined;
  }
}

/** What is read of an answer; a server under attack may leave out any of it. */
interface Answer {
  readonly code?: unknown;
  readonly quote_id?: string;
  readonly status?: string;
  readonly expires_at?: string;
}

function seenIn({ status, headers, ok }: Response, text: string, body: Answer, kind: ObservedCall["kind"]): Seen {
  const isQuote = ok && (kind === "create" || kind === "read");
  return {
    status,
    code: ok ? null : String(body.code),
    replayed: headers.get("idempotent-replayed") === "true",
    digest: digestOf(text),
    terms: isQuote ? digestOf(JSON.stringify({ ...body, ...WITH_EXPIRY })) : null,
    quoteId: (isQuote && body.quote_id) || null,
    quoteStatus: (isQuote && body.status) || null,
    expiresAt: (isQuote && Date.parse(body.expires_at ?? "")) || null,
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
