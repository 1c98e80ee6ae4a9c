import { createHmac } from "node:crypto";
import type { Quote } from "../../contract/quote.ts";
import type { RecordCall } from "../../domain/sales/kept-call.ts";
import { isLostDemand } from "../../domain/sales/lost-demand.ts";
import type { SaleFacts } from "../../domain/sales/sale-event.ts";
import type { ServiceLog } from "../../ops/log.ts";
import type { Metrics, Sale } from "../../ops/metrics.ts";
import { spans } from "../../ops/tracing.ts";
import type { FinishedCall, OnFinished } from "../../service/calls/finished-call.ts";
import type { Principal } from "../../service/calls/token-verifier.ts";

export interface CallObserverParts {
  readonly log: ServiceLog;
  /** `undefined` where this process serves none. */
  readonly metrics: Metrics | undefined;
  readonly recordCall: RecordCall;
  /** Shared by the processes of an installation and kept, so that a caller always has the same hash. */
  readonly callerHashKey: string;
  /** Whether the log contains texts that matched no place, which may be personal data. */
  readonly logsUnmatchedPlaces: boolean;
}

/** One line of the log for each call, its metrics, and what `report --refused` and `find` know of it. */
export function createCallObserver(parts: CallObserverParts): OnFinished {
  const { log, metrics, recordCall, callerHashKey, logsUnmatchedPlaces } = parts;
  /** Distinguishes callers without naming them. */
  const hashOf = ({ owner }: Principal) =>
    createHmac("sha256", callerHashKey).update(owner).digest("base64url").slice(0, 11);
  const count = unfailing((call: FinishedCall) => metrics?.callFinished(call, call.sale && saleStep(call.sale)), log);
  const write = unfailing(record, log);
  return (call) => {
    count(call);
    write(call);
  };

  function record(call: FinishedCall): void {
    const answer = call.code === "OK" ? (call.answer as Partial<Quote> | undefined) : undefined;
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
      quote_id: answer?.quote_id ?? undefined,
      trace_id: spans.activeTraceId(),
      shed: call.shed,
      unmatched_places: logsUnmatchedPlaces ? call.unmatchedPlaces : undefined,
      err: cause ?? unrecorded,
    };
    if ((call.status >= 500 && !call.disconnected) || unrecorded !== undefined) log.calls.warn(facts, "call");
    else log.calls.info(facts, "call");
    // The ledger has the request of a new quote; the log alone has floods.
    if (call.shed || call.sale?.type === "quote.created") return;
    const { requestId, operation, surface, code, isRehearsal, disconnected } = call;
    const named = call.quoteId ?? facts.quote_id;
    // A caller may send any text as an id.
    const quoteId = named !== undefined && QUOTE_ID.test(named) ? named : undefined;
    const { corridor = null, origin = null, destination = null } = call.asked?.() ?? {};
    const kept = { requestId, code, client: facts.client, corridor, origin, destination, operation, surface, quoteId };
    const isRefused = !isRehearsal && !disconnected && isLostDemand(call);
    recordCall(isRefused ? "refused" : "calls", { ...kept, ...(answer && estimateOf(answer)) });
  }
}

const QUOTE_ID = /^q_[\w-]{22}$/;

/** Days and totals of an estimate, of which nothing else is stored. */
function estimateOf({ status, options, pickup_datetime, return_datetime }: Partial<Quote>) {
  if (status !== "estimate") return {};
  return {
    pickupOn: pickup_datetime?.slice(0, 10),
    returnOn: return_datetime?.slice(0, 10),
    options: options?.map(({ vehicle_class, total_price }) => {
      return { vehicleClass: vehicle_class, totalRappen: Math.round(total_price * 100) };
    }),
  };
}

/**
 * An observer of calls whose own failure is logged and goes no further: what a call has done is stored by then, and an
 * error in place of its answer would have the caller repeat it.
 */
export function unfailing<A extends readonly unknown[]>(observer: (...args: A) => unknown, log: ServiceLog) {
  return (...args: A): void => {
    try {
      observer(...args);
    } catch (error) {
      try {
        log.error({ err: error }, "a call was answered, but could not be counted or logged");
      } catch {
        // Nothing is left that could report it.
      }
    }
  };
}

const STEPS: Readonly<Record<SaleFacts["type"], Sale["step"]>> = {
  "quote.created": "quote",
  "handoff.requested": "request",
  "quote.confirmed": "confirmation",
  "handoff.created": "handoff",
  "handoff.opened": "opening",
};

/** The step of a sale with its amount: for a quote that of its cheapest option. */
export function saleStep({ type, options }: SaleFacts): Sale {
  return { step: STEPS[type], chf: Math.min(...options.map(({ totalRappen }) => totalRappen)) / 100 };
}
