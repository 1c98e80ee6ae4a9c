import { type ErrorCode, PublicError } from "../contract/errors.ts";
import { type Problem, toProblem } from "../contract/problem.ts";
import type { Principal } from "../identity/token-verifier.ts";
import type { ShedReason } from "../ops/metrics.ts";

/** Where a request came in: `http` is what belongs neither to the API nor to `/mcp`. */
export type Surface = "rest" | "mcp" | "stdio" | "http";

/** A call that has ended, or a request that was rejected before it became one. Each request id has one. */
export interface FinishedCall {
  readonly requestId: string;
  readonly surface: Surface;
  /** Absent where the request was rejected before its operation was known. */
  readonly operation?: string;
  /** Who called, where the token was valid; also of a call that was refused. */
  readonly principal?: Principal | undefined;
  /** As in HTTP, also over stdio. */
  readonly status: number;
  readonly code: "OK" | ErrorCode;
  readonly milliseconds: number;
  /** What a successful call returned. */
  readonly answer?: unknown;
  /** The answer is that of an earlier call with the same idempotency key. */
  readonly replayed?: boolean;
  /** Whether the call is a step of a sale, which a rehearsal is not. Default false. */
  readonly isSale?: boolean;
  /** The caller did not wait for the answer. */
  readonly disconnected?: boolean;
  /** What the problem does not reveal. */
  readonly cause?: unknown;
  /** The texts of a call that failed with INVALID_LOCATION; callers may write what they want in them. */
  readonly unmatchedPlaces?: readonly string[] | undefined;
  /** Why the event of a successful call could not be stored. */
  readonly unrecorded?: unknown;
  readonly shed?: ShedReason;
  /** The budget that the call would have exceeded. */
  readonly exceeded?: string | undefined;
}

export type OnFinished = (call: FinishedCall) => void;

/** A request that ends with a problem. */
type RefusedCall = Omit<FinishedCall, "status" | "code" | "answer" | "replayed" | "isSale" | "cause" | "unrecorded"> & {
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
  const { unmatchedPlaces, tier: exceeded } = error instanceof PublicError ? error.options : {};
  const cause = call.disconnected ? undefined : hiddenCauseOf(error);
  onFinished?.({ ...call, status, code, unmatchedPlaces, exceeded, cause });
  return problem;
}

/** What a problem does not reveal: the cause of a public error, or the error itself where it is none. */
export function hiddenCauseOf(error: unknown): unknown {
  return error instanceof PublicError ? error.cause : (error ?? new Error("thrown without a reason"));
}
