import type { FinishedCall, Surface } from "../calls/finished-call.ts";

/** JSON-RPC error codes, as in both SDK packages. */
export const RpcCode = {
  /** Errors about the HTTP request itself. */
  BadRequest: -32000,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/** Thrown by handlers: both SDK packages send its code, message and data as the error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** HTTP status to log for a code where the error was sent with status 200 or over stdio; 400 for other codes. */
const STATUS: Readonly<Record<number, number>> = { [RpcCode.MethodNotFound]: 404, [RpcCode.InternalError]: 500 };

interface Answered {
  readonly requestId: string;
  readonly surface: Surface;
  readonly milliseconds: number;
  /** Status of the HTTP response. */
  readonly status?: number;
}

/**
 * The log entry and metric of a message that was answered with a JSON-RPC error and never became a call. Omits the
 * error's text, which may quote the caller.
 */
export function rejectedMessage(
  error: { readonly code: number },
  { status = 200, ...answered }: Answered,
): FinishedCall {
  const code = error.code === RpcCode.InternalError ? "UPSTREAM_UNAVAILABLE" : "INVALID_REQUEST";
  return { ...answered, status: status === 200 ? (STATUS[error.code] ?? 400) : status, code };
}
