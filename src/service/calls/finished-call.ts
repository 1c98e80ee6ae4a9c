import { type ErrorCode, PublicError } from "../../contract/errors.ts";
import { type Problem, toProblem } from "../../contract/problem.ts";
import type { PricedJourney } from "../../domain/quotes/quote.ts";
import type { SaleFacts } from "../../domain/sales/sale-event.ts";
import type { ShedReason } from "../../ops/metrics.ts";
import type { Principal } from "./token-verifier.ts";

/** Where a request arrived; `http` is every path outside of the REST API and `/mcp`. */
export type Surface = "rest" | "mcp" | "stdio" | "http";

/** A call that has ended, or a request that was rejected before its operation ran. There is one for each request id. */
export interface FinishedCall {
  readonly requestId: string;
  readonly surface: Surface;
  /** Absent if the request was rejected before its operation was known. */
  readonly operation?: string;
  /** The quote that the arguments name, if they were valid. */
  readonly quoteId?: string | undefined;
  /** The caller, if the token was valid, even if the call was refused. */
  readonly principal?: Principal | undefined;
  /** HTTP status; over stdio the one that HTTP would have. */
  readonly status: number;
  readonly code: "OK" | ErrorCode;
  readonly milliseconds: number;
  /** What a successful call returned. */
  readonly answer?: unknown;
  /** The step of a sale that the call made; absent for others, replays and sandbox rehearsals. */
  readonly sale?: SaleFacts | undefined;
  /** Whether the caller disconnected before the response. */
  readonly disconnected?: boolean;
  /** The underlying error, which the response does not reveal. */
  readonly cause?: unknown;
  /** The ends of the journey that a price was asked for, as far as they were found. */
  readonly asked?: (() => PricedJourney["ends"]) | undefined;
  /** Whether a sandbox name provoked the error. */
  readonly isRehearsal?: boolean | undefined;
  /** The place texts of a call that failed with INVALID_LOCATION; untrusted input. */
  readonly unmatchedPlaces?: readonly string[] | undefined;
  /** The error because of which the sale event of a successful call could not be stored. */
  readonly unrecorded?: unknown;
  readonly shed?: ShedReason;
  /** The rate-limit tier whose budget is exceeded. */
  readonly exceeded?: string | undefined;
}

/** Never throws: what the call has done is stored by then. */
export type OnFinished = (call: FinishedCall) => void;

/** A request that ends with a problem. */
type RefusedCall = Omit<FinishedCall, "status" | "code" | "answer" | "cause"> & {
  /** REST path, or `null` over MCP. */
  readonly instance: string | null;
};

/** Ends a request with an error: reports it as finished, and returns the problem for its caller. */
export function refuse(
  error: unknown,
  { instance, ...call }: RefusedCall,
  { docsBase, onFinished }: { readonly docsBase: string; readonly onFinished?: OnFinished | undefined },
): Problem {
  const problem = toProblem(error, { docsBase, requestId: call.requestId, instance });
  const { status, code } = problem;
  const { unmatchedPlaces, isRehearsal, tier: exceeded } = error instanceof PublicError ? error.options : {};
  const cause = call.disconnected ? undefined : hiddenCauseOf(error);
  onFinished?.({ ...call, status, code, unmatchedPlaces, isRehearsal, exceeded, cause });
  return problem;
}

/** The error that a problem does not reveal: the cause of a PublicError, or any other error itself. */
export function hiddenCauseOf(error: unknown): unknown {
  return error instanceof PublicError ? error.cause : (error ?? new Error("thrown without a reason"));
}
