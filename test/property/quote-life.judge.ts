import assert from "node:assert/strict";
import type { ApiAnswer, TestService } from "../support/service.ts";

export const MINUTE = 60_000;
export const VALID = 30 * MINUTE;
export const KEPT = 24 * 60 * MINUTE;

/** What was answered, and all that the model remembers of it. */
interface KnownQuote {
  readonly owner: number;
  readonly quote: ApiAnswer["body"];
  readonly expiresAt: number;
}

interface KnownLink {
  readonly path: string;
  readonly totalPrice: number;
  readonly expiresAt: number;
}

interface KnownAnswer {
  readonly args: string;
  readonly text: string;
  readonly until: number;
}

/** The life of quotes as the contract tells it, small enough to be checked by reading. */
export interface Model {
  readonly quotes: KnownQuote[];
  readonly links: KnownLink[];
  /** By subject, operation and key. */
  readonly answers: Map<string, KnownAnswer>;
  /** What a journey cost when it was first priced. */
  readonly prices: Map<string, string>;
}

/** The service under test; its subjects are its own, so that runs may share a store. */
export interface Real {
  service(): TestService;
  /** Ends the process without a word, and starts another on what it left. */
  crash(): Promise<void>;
  readonly run: string;
  /** Told what came of each command, so that a test can tell that it saw everything. */
  readonly seen: Map<string, number>;
}

interface Call {
  readonly by: number;
  readonly path: string;
  readonly body: object;
  readonly key: string | null;
  readonly answer: ApiAnswer;
}

/** What a key says comes before all else; `judgeAnew` judges a call that is none of its repetitions. */
export function judge(model: Model, real: Real, { by, path, body, key, answer }: Call, judgeAnew: () => void): void {
  const scope = `${by} ${path} ${key}`;
  const kept = key === null ? undefined : model.answers.get(scope);
  const args = JSON.stringify(body);
  const now = nowOf(real);
  if (kept && now < kept.until) {
    if (kept.args !== args) return refused(real, answer, 422, "INVALID_REQUEST");
    assert.deepEqual([answer.text, answer.headers.get("idempotent-replayed")], [kept.text, "true"]);
    return see(real, "replayed");
  }
  assert.equal(answer.headers.get("idempotent-replayed"), null);
  judgeAnew();
  if (key !== null && answer.status < 300) model.answers.set(scope, { args, text: answer.text, until: now + KEPT });
}

/** A new quote: nobody has its id, and its journey costs what it cost before. */
export function learn(model: Model, real: Real, owner: number, body: object, { body: quote }: ApiAnswer): void {
  assert.ok(!model.quotes.some((known) => known.quote.quote_id === quote.quote_id));
  const expiresAt = nowOf(real) + VALID;
  assert.equal(Date.parse(quote.expires_at), expiresAt);
  const journey = JSON.stringify(body);
  const options = JSON.stringify(quote.options);
  assert.equal(options, model.prices.get(journey) ?? options);
  model.prices.set(journey, options);
  model.quotes.push({ owner, quote, expiresAt });
  see(real, "created");
}

export function refused(real: Real, { status, body, text }: ApiAnswer, expected: number, code: string): void {
  assert.deepEqual([status, body?.code], [expected, code], text);
  see(real, code);
}

export function nowOf(real: Real): number {
  return real.service().clock.now().getTime();
}

export function see({ seen }: Real, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1);
}
