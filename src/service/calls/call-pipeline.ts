import { PublicError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Tier } from "../../contract/tiers.ts";
import type { IdempotencyRecord, QuoteStore } from "../../domain/sales/quote-store.ts";
import type { SaleEvent, SaleFacts } from "../../domain/sales/sale-event.ts";
import { spans } from "../../ops/tracing.ts";
import { argumentsOf } from "./field-errors.ts";
import { type FinishedCall, hiddenCauseOf, type OnFinished, refuse, type Surface } from "./finished-call.ts";
import { claimOf, type IdempotencyClaim, KeyTaken, replayOf } from "./idempotency.ts";
import type { Operation, Scope, Services, SideEffects } from "./operation.ts";
import { addressKey, clientKey, type RateLimiter, subjectKey } from "./rate-limiter.ts";
import type { Principal, Refusal, TokenVerifier } from "./token-verifier.ts";

/** One call, as REST or MCP received it; nothing in it has been verified. */
export interface Call {
  /** The arguments. Called after authentication and rate limiting; may throw a PublicError. */
  input(): unknown;
  /** Bearer token without its scheme, or `null`. */
  readonly bearer: string | null;
  /** The owner of the token, if `admit` has verified it for this call. */
  readonly principal?: Principal | undefined;
  /** Network address of the caller; "stdio" for a local process. */
  readonly address: string;
  readonly requestId: string;
  readonly surface: Surface;
  /** HTTP status of a success. Default 200. */
  readonly successStatus?: number | undefined;
  /** REST path, or `null` over MCP. */
  readonly instance: string | null;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** A scope that the call needs besides its operation's, if `admit` has not checked it. */
  readonly admission?: Scope;
  /** Where the caller's trace may be named: the headers over REST, `_meta` of the message over MCP. */
  readonly traceContext?: object | undefined;
}

/** What REST and MCP render. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown; readonly card?: object | undefined; readonly replayed: boolean }
  | { readonly ok: false; readonly problem: Problem; readonly retryAfterSeconds?: number | undefined };

/** Runs one call of one operation. Never rejects: every failure is an Outcome. */
export type Run = (operation: Operation, call: Call) => Promise<Outcome>;

/** Checks that a caller may connect (MCP requires `discovery`) and returns it. Throws PublicErrors. */
export type Admit = (scope: Scope, sender: Sender) => Promise<Principal>;

type Sender = Pick<Call, "bearer" | "principal" | "address" | "requestId">;

/** Charges a request that is not a call of an operation. Resolves to its problem if the budget is exceeded. */
export type Charge = (
  tier: Operation["rateTier"],
  sender: Sender & Pick<Call, "surface">,
) => Promise<Problem | undefined>;

export interface CallPipelineParts {
  readonly services: Services;
  readonly quotes: QuoteStore;
  readonly tokens: TokenVerifier;
  readonly limiter: RateLimiter;
  readonly blockedSubjects: ReadonlySet<string>;
  readonly docsBase: string;
  /** Called with the reason for each token that is refused; for the operator's log, since callers are not told. */
  readonly onTokenRefused?: (refusal: Refusal, requestId: string) => void;
  /** Called after every call, for the log and the metrics. */
  readonly onFinished?: OnFinished;
}

/**
 * Runs every call: authenticate, charge the rate limit, validate the arguments, handle. Only tests validate responses.
 */
export function createCallPipeline(parts: CallPipelineParts): {
  readonly run: Run;
  readonly admit: Admit;
  readonly charge: Charge;
} {
  const { services, quotes, tokens, limiter, blockedSubjects } = parts;
  const { clock, catalog, observe } = services;

  return {
    admit: async (scope, sender) => permit(await principalOf(sender), scope, sender),
    run: (operation, call) => spans.inCallSpan(operation.name, call, () => outcomeOf(operation, call), endOf),
    async charge(tier, sender) {
      const { requestId, surface } = sender;
      const started = performance.now();
      const principal = await principalOf(sender);
      try {
        await charge(tier, principal?.owner ?? "", sender, principal);
        return undefined;
      } catch (error) {
        const milliseconds = performance.now() - started;
        return refuse(error, { requestId, surface, principal, milliseconds, instance: null }, parts);
      }
    },
  };

  async function outcomeOf(operation: Operation, call: Call): Promise<Outcome> {
    const started = performance.now();
    const { requestId, surface, instance, successStatus: status = 200 } = call;
    const facts: CallFacts = { principal: call.principal };
    const finished = () => ({
      requestId,
      surface,
      operation: operation.name,
      ...facts,
      milliseconds: performance.now() - started,
      disconnected: call.signal.aborted,
    });
    let success: Outcome & { readonly ok: true };
    try {
      success = await succeed(operation, call, facts);
    } catch (error) {
      const problem = refuse(error, { ...finished(), instance }, parts);
      const retryAfterSeconds = error instanceof PublicError ? error.options.retryAfterSeconds : undefined;
      return { ok: false, problem, retryAfterSeconds };
    }
    parts.onFinished?.({ ...finished(), status, code: "OK", answer: success.value });
    return success;
  }

  async function succeed(operation: Operation, call: Call, facts: CallFacts) {
    const subject = await ownerOf(operation, call, facts);
    await charge(operation.rateTier, subject, call, facts.principal);
    const args = call.input();
    const { timeZone } = catalog.tariff;
    const input = argumentsOf(operation, args, { now: clock.now(), timeZone }, catalog);
    const { quote_id: quoteId } = input as { readonly quote_id?: unknown };
    if (typeof quoteId === "string") facts.quoteId = quoteId;
    const claim = claimOf(operation.name, subject, args);
    // Before anything that depends on time: a call that fails now (its pickup has passed) may have succeeded before.
    const earlier = claim && (await observe("store", () => quotes.findRecord(claim.keyHash)));
    if (earlier) return replayed(earlier, claim);
    const { requestId, signal } = call;
    let card: object | undefined;
    try {
      const value = await operation.handle(input, services, {
        subject,
        client: facts.principal?.client,
        requestId,
        signal,
        isOmitted: (field) => (Object(args)[field] ?? undefined) === undefined,
        onAsked: (ends) => {
          facts.asked = ends;
        },
        showOnCard: (data) => {
          card = data;
        },
        commit,
        recordSale,
      });
      return { ok: true, value, card, replayed: false } as const;
    } catch (error) {
      if (claim && error instanceof KeyTaken) return replayed(error.record, claim);
      throw error;
    }

    function replayed(record: IdempotencyRecord, claim: IdempotencyClaim) {
      const { answer: value, card } = replayOf(record, claim);
      return { ok: true, value, card, replayed: true } as const;
    }

    async function commit<A extends object>(response: A, { quote, sale: step }: SideEffects): Promise<A> {
      const at = clock.now().toISOString();
      const sale = step && eventOf(step, at);
      const record = claim && { ...claim, answer: JSON.stringify({ answer: response, card }), createdAt: at };
      const isEmpty = !quote && !record && !sale;
      const winner = isEmpty ? undefined : await observe("store", () => quotes.insert({ quote, record, sale }));
      if (winner) throw new KeyTaken(winner);
      facts.sale = step;
      return response;
    }

    async function recordSale(step: SaleFacts): Promise<void> {
      facts.sale = step;
      try {
        const sale = eventOf(step, clock.now().toISOString());
        await observe("store", () => quotes.insert({ quote: undefined, record: undefined, sale }));
      } catch (error) {
        facts.unrecorded = hiddenCauseOf(error) ?? error;
      }
    }

    function eventOf(step: SaleFacts, at: string): SaleEvent {
      const { requestId, surface } = call;
      const client = facts.principal?.client ?? null;
      const commissionPercent = catalog.clients.find(({ id }) => id === client)?.commissionPercent ?? null;
      return { at, requestId, surface, client, commissionPercent, ...step };
    }
  }

  async function charge(tier: Tier, subject: string, { address }: Sender, principal?: Principal): Promise<void> {
    const client = catalog.clients.find(({ id }) => id === principal?.client);
    const budget = tier === "auth_failure" ? undefined : client?.budgets?.[tier];
    const ownKey = subject ? subjectKey(subject) : addressKey(address);
    await limiter.charge(tier, client && budget ? clientKey(client.id, subject) : ownKey, budget);
    if (principal?.isSignIn) await limiter.charge(tier, addressKey(address), budget);
  }

  /** The owner of the call's quotes and budgets; empty if the operation needs no token and none was valid. */
  async function ownerOf({ access }: Operation, call: Call, facts: CallFacts): Promise<string> {
    const principal = await principalOf(call);
    facts.principal = principal;
    if (call.admission) await permit(principal, call.admission, call);
    if (access.kind === "scope") await permit(principal, access.scope, call);
    else if (principal) refuseBlocked(principal);
    return principal?.owner ?? "";
  }

  async function principalOf({ principal, bearer, requestId }: Sender): Promise<Principal | undefined> {
    if (principal || !bearer) return principal;
    const onRefused = (refusal: Refusal) => parts.onTokenRefused?.(refusal, requestId);
    return observe("authentication", () => tokens.verify(bearer, onRefused));
  }

  async function permit(principal: Principal | undefined, scope: Scope, sender: Sender): Promise<Principal> {
    if (!principal?.scopes.has(scope)) {
      if (principal) parts.onTokenRefused?.({ reason: "SCOPE_MISSING", scope }, sender.requestId);
      // Only a token that the issuer never signed is charged as a guess: every OAuth client starts without a token, and
      // many hosted clients share an address and refresh an expired one on a 401.
      const { bearer, address } = sender;
      const isGuess = !principal && bearer !== null && !(await tokens.isGenuine(bearer));
      if (isGuess) await limiter.charge("auth_failure", addressKey(address));
      // One message for every cause, so that the response does not reveal why a token was rejected.
      throw new PublicError("AUTHENTICATION_REQUIRED", "This operation requires a valid bearer token with its scope.");
    }
    refuseBlocked(principal);
    return principal;
  }

  function refuseBlocked({ subject }: Principal): void {
    if (!blockedSubjects.has(subject)) return;
    throw new PublicError("FORBIDDEN", "The operator has blocked this client.");
  }
}

function endOf(outcome: Outcome) {
  return outcome.ok ? { code: "OK", status: 200 } : outcome.problem;
}

/** What is known of a call while it runs, for its log line and metrics. */
type CallFacts = { -readonly [Name in keyof Collected]?: Collected[Name] };
type Collected = Pick<FinishedCall, "principal" | "quoteId" | "asked" | "sale" | "unrecorded">;
