import { authenticationRequired, PublicError } from "../contract/errors.ts";
import { type Problem, toProblem } from "../contract/problem.ts";
import type { Principal, TokenVerifier } from "../identity/token-verifier.ts";
import { addressKey } from "../limits/address-key.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Log } from "../ops/log.ts";
import type { IdempotencyRecord, QuoteStore } from "../quotes/quote-store.ts";
import { refusalOf } from "./field-errors.ts";
import { claimOf, type IdempotencyClaim, KeyTaken, replayOf } from "./idempotency.ts";
import type { Operation, OperationContext, Scope } from "./operation.ts";

/** One call, as either surface received it, before anything about it is believed. */
export interface Call {
  /** The arguments. Asked once the caller is known and the budget charged; may throw a PublicError. */
  input(): unknown;
  /** Bearer token without its scheme, or `null`. */
  readonly bearer: string | null;
  /** Network address of the caller; "stdio" for a local process. */
  readonly address: string;
  readonly requestId: string;
  /** REST path, or `null` over MCP. */
  readonly instance: string | null;
  /** Aborts when the caller has gone away. */
  readonly signal: AbortSignal;
}

/** What either surface has to render. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown; readonly replayed: boolean }
  | { readonly ok: false; readonly problem: Problem };

/** Runs one call of one operation. Never rejects: every failure is an Outcome. */
export type Run = (operation: Operation, call: Call) => Promise<Outcome>;

/** Proves that a call may use a surface at all (MCP asks for `discovery`). Throws PublicErrors. */
export type Admit = (scope: Scope, call: Pick<Call, "bearer" | "address">) => Promise<Principal>;

export interface EngineParts
  extends Omit<OperationContext, "subject" | "requestId" | "signal" | "commit" | "quotes"> {
  readonly quotes: QuoteStore;
  readonly tokens: TokenVerifier;
  readonly limiter: RateLimiter;
  readonly blockedSubjects: ReadonlySet<string>;
  readonly docsBase: string;
  readonly log: Log;
  /** Told of every finished call, for metrics. `code` is "OK" or the error code. */
  onFinished?(operation: string, code: string, seconds: number): void;
}

/** An embedded quote takes less. */
const LOOK_UP_AFTER_MS = 50;

/** The one path of a call: who calls, may he, charge, validate, handle, check the answer. */
export function createEngine(parts: EngineParts): { readonly run: Run; readonly admit: Admit } {
  const { quotes, tokens, limiter, blockedSubjects, docsBase, log } = parts;

  return { run, admit: authenticate };

  async function run(operation: Operation, call: Call): Promise<Outcome> {
    const started = performance.now();
    const outcome = await settle(operation, call);
    parts.onFinished?.(
      operation.name,
      outcome.ok ? "OK" : outcome.problem.code,
      (performance.now() - started) / 1000,
    );
    return outcome;
  }

  async function settle(operation: Operation, call: Call): Promise<Outcome> {
    try {
      const subject = await subjectOf(operation, call);
      await limiter.charge(operation.rateTier, subject || addressKey(call.address));
      const args = call.input();
      const parsed = operation.input.safeParse(args);
      if (!parsed.success) throw refusalOf(parsed.error);
      return await answer(operation, call, subject, parsed.data, claimOf(operation.name, subject, args));
    } catch (error) {
      return { ok: false, problem: problemOf(error, operation, call) };
    }
  }

  async function answer(
    operation: Operation,
    call: Call,
    subject: string,
    input: unknown,
    claim: IdempotencyClaim | undefined,
  ): Promise<Outcome> {
    const earlier = claim && lookUp(claim, call.signal);
    try {
      const { requestId } = call;
      const signal = earlier?.signal ?? call.signal;
      const value = await operation.handle(input, { ...parts, subject, requestId, signal, commit });
      return { ok: true, value: operation.output.parse(value), replayed: false };
    } catch (error) {
      // What is refused now (its pickup is past) may have been answered under this key before.
      const kept = error instanceof KeyTaken ? error.record : await earlier?.record();
      if (!claim || !kept) throw error;
      return { ok: true, value: operation.output.parse(replayOf(kept, claim)), replayed: true };
    } finally {
      earlier?.end();
    }

    async function commit<A>(value: A, quote?: Parameters<OperationContext["commit"]>[1]): Promise<A> {
      // Checked here too: what is stored under a key must never be an answer that its schema refuses.
      const final = operation.output.parse(value);
      const record: IdempotencyRecord | undefined = claim && {
        ...claim,
        answer: JSON.stringify(final),
        createdAt: parts.clock.now().toISOString(),
      };
      if (!quote && !record) return value;
      const winner = await quotes.insert({ quote, record });
      if (winner) throw new KeyTaken(winner);
      return value;
    }
  }

  /**
   * Finds an earlier answer for a handler that is refused, and beside one that takes its time, because it waits for an
   * engine or a database: `signal` ends it where there is one. `commit` finds a taken key by itself, so that a handler
   * that comes to its end at once needs no look-up.
   */
  function lookUp({ scope }: IdempotencyClaim, gone: AbortSignal) {
    const answered = new AbortController();
    let found: Promise<IdempotencyRecord | undefined> | undefined;
    const timer = setTimeout(async () => {
      if (await record().catch(() => undefined)) answered.abort();
    }, LOOK_UP_AFTER_MS);
    return { record, end: () => clearTimeout(timer), signal: AbortSignal.any([gone, answered.signal]) };

    async function record(): Promise<IdempotencyRecord | undefined> {
      found ??= quotes.findRecord(scope);
      return found;
    }
  }

  /** The caller's subject, or the empty string where the operation needs no token and none was valid. */
  async function subjectOf({ access }: Operation, call: Call): Promise<string> {
    if (access.kind === "scope") return (await authenticate(access.scope, call)).subject;
    const principal = call.bearer ? await tokens.verify(call.bearer) : undefined;
    if (principal) refuseBlocked(principal);
    return principal?.subject ?? "";
  }

  async function authenticate(scope: Scope, call: Pick<Call, "bearer" | "address">): Promise<Principal> {
    const principal = call.bearer ? await tokens.verify(call.bearer) : undefined;
    if (!principal?.scopes.has(scope)) {
      await limiter.charge("auth_failure", addressKey(call.address));
      throw authenticationRequired();
    }
    refuseBlocked(principal);
    return principal;
  }

  function refuseBlocked({ subject }: Principal): void {
    if (!blockedSubjects.has(subject)) return;
    throw new PublicError("FORBIDDEN", "The operator has blocked this client.");
  }

  function problemOf(error: unknown, operation: Operation, { requestId, instance, signal }: Call): Problem {
    const problem = toProblem(error, { docsBase, requestId, instance });
    const hidden =
      error instanceof PublicError ? error.cause : (error ?? new Error("thrown without a reason"));
    if (hidden !== undefined && !signal.aborted) {
      log.error({ request_id: requestId, operation: operation.name, err: hidden }, "call failed");
    }
    return problem;
  }
}
