import type { FinishedCall, Surface } from "../calls/finished-call.ts";
import type { TraceContext } from "../ops/tracing.ts";
import { ErrorCode } from "./json-rpc.ts";

interface RpcError {
  readonly code: number;
}

/** As in HTTP, where the message itself was answered with 200 or without HTTP. */
const STATUS: Readonly<Record<number, number>> = { [ErrorCode.MethodNotFound]: 404, [ErrorCode.InternalError]: 500 };

interface Answered {
  readonly requestId: string;
  readonly surface: Surface;
  readonly milliseconds: number;
  readonly trace?: TraceContext | undefined;
  /** Of the HTTP response. */
  readonly status?: number;
}

/**
 * What is logged and counted of a message that was answered with a JSON-RPC error: it never became a call. Without the
 * error's text, which may quote the caller.
 */
export function rejectedMessage({ code }: RpcError, { status = 200, ...answered }: Answered): FinishedCall {
  const known = code === ErrorCode.InternalError ? "UPSTREAM_UNAVAILABLE" : "INVALID_REQUEST";
  return { ...answered, status: status === 200 ? (STATUS[code] ?? 400) : status, code: known };
}

/** The error that a JSON-RPC message is, if it is one. */
export function errorOf(message: object): RpcError | undefined {
  return (message as { error?: RpcError }).error;
}
