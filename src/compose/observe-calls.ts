import { createHmac } from "node:crypto";
import type { FinishedCall, OnFinished } from "../calls/finished-call.ts";
import type { Principal } from "../identity/token-verifier.ts";
import type { ServiceLog } from "../ops/log.ts";
import type { Metrics, Sale } from "../ops/metrics.ts";
import { activeTraceId } from "../ops/tracing.ts";

export interface CallObserverParts {
  readonly log: ServiceLog;
  /** Absent where none are served. */
  readonly metrics: Metrics | undefined;
  /** Stays with the installation, so that a caller has the same hash in all its processes and after a restart. */
  readonly callerHashKey: string;
  /** Whether the line of a call has the texts that named no place, which may be personal data. */
  readonly logsUnmatchedPlaces: boolean;
}

/** One line of the log for each call, and its metrics. */
export function createCallObserver({
  log,
  metrics,
  callerHashKey,
  logsUnmatchedPlaces,
}: CallObserverParts): OnFinished {
  /** A principal lives as long as its token is cached. */
  const hashes = new WeakMap<Principal, string>();

  return (call) => {
    const answer = call.code === "OK" ? (call.answer as Fields | undefined) : undefined;
    metrics?.callFinished(call, saleOf(call, answer));
    const { principal, cause, unrecorded } = call;
    const facts = {
      request_id: call.requestId,
      surface: call.surface,
      operation: call.operation ?? null,
      subject: principal ? hashOf(principal) : null,
      client: principal?.client ?? null,
      status: call.status,
      code: call.code,
      milliseconds: Math.round(call.milliseconds * 1000) / 1000,
      quote_id: typeof answer?.quote_id === "string" ? answer.quote_id : undefined,
      trace_id: activeTraceId(),
      shed: call.shed,
      unmatched_places: logsUnmatchedPlaces ? call.unmatchedPlaces : undefined,
      err: cause ?? unrecorded,
    };
    if ((call.status >= 500 && !call.disconnected) || unrecorded !== undefined) log.calls.warn(facts, "call");
    else log.calls.info(facts, "call");
  };

  /** Tells callers apart without naming them. */
  function hashOf(principal: Principal): string {
    const known = hashes.get(principal);
    if (known) return known;
    const hmac = createHmac("sha256", callerHashKey).update(principal.owner ?? principal.subject);
    const made = hmac.digest("base64url").slice(0, 11);
    hashes.set(principal, made);
    return made;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const STEPS: Readonly<Record<string, Sale["step"]>> = {
  create_transfer_quote: "quote",
  create_checkout_handoff: "handoff",
  resolve_checkout_handoff: "opening",
};

/** The step of a sale that a successful call is, and its amount: of a quote the lowest total that it offers. */
function saleOf({ operation = "", replayed, isSale }: FinishedCall, answer: Fields | undefined): Sale | undefined {
  const step = STEPS[operation];
  if (!step || !answer || replayed || !isSale) return undefined;
  const options = (answer.options ?? [answer]) as readonly Fields[];
  return { step, chf: Math.min(...options.map(({ total_price }) => Number(total_price))) };
}
