import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { FinishedCall, Surface } from "../calls/finished-call.ts";
import type { TraceContext } from "../ops/tracing.ts";

/** As in HTTP, where the message itself was answered with 200 or without HTTP. */
const STATUS: Readonly<Record<number, number>> = {
  [ProtocolErrorCode.MethodNotFound]: 404,
  [ProtocolErrorCode.InternalError]: 500,
};

interface Answered {
  readonly requestId: string;
  readonly surface: Surface;
  readonly milliseconds: number;
  readonly trace?: TraceContext | undefined;
  /** Of the HTTP response. */
  readonly status?: number;
}

/**
 * What is logged and counted for a message that was answered with a JSON-RPC error: it never became a call. Without the
 * error's text, which may quote the caller.
 */
export function rejectedMessage(
  error: { readonly code: number },
  { status = 200, ...answered }: Answered,
): FinishedCall {
  const code = error.code === ProtocolErrorCode.InternalError ? "UPSTREAM_UNAVAILABLE" : "INVALID_REQUEST";
  return { ...answered, status: status === 200 ? (STATUS[error.code] ?? 400) : status, code };
}
