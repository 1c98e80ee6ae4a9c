import type { FinishedCall, Surface } from "../calls/finished-call.ts";

/** Codes of JSON-RPC errors, as both packages number them. */
export const RpcCode = {
  /** Errors about the HTTP request itself. */
  BadRequest: -32000,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/** Both packages answer a request with the code, message and data of what its handler throws. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** As in HTTP, where the message itself was answered with 200 or without HTTP. */
const STATUS: Readonly<Record<number, number>> = { [RpcCode.MethodNotFound]: 404, [RpcCode.InternalError]: 500 };

interface Answered {
  readonly requestId: string;
  readonly surface: Surface;
  readonly milliseconds: number;
  /** Status of the HTTP response. */
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
  const code = error.code === RpcCode.InternalError ? "UPSTREAM_UNAVAILABLE" : "INVALID_REQUEST";
  return { ...answered, status: status === 200 ? (STATUS[error.code] ?? 400) : status, code };
}
