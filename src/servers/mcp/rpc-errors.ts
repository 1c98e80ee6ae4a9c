import { ProtocolErrorCode as RpcCode, ProtocolError as RpcError } from "@modelcontextprotocol/server";
import type { Problem } from "../../contract/problem.ts";
import type { FinishedCall } from "../../service/calls/finished-call.ts";
import { NESTED_TOO_DEEPLY } from "../http/request.ts";

/** Thrown by handlers: the SDK sends its code, message and data as the error. */
export { RpcCode, RpcError };

/** Code of errors about the HTTP request itself. */
export const BAD_REQUEST = -32000;

/** The `error` of a JSON-RPC message. */
export type WireError = Pick<RpcError, "code"> & Partial<Pick<RpcError, "data">>;

/** HTTP status to log for a code where the error was sent with status 200 or over stdio; 400 for other codes. */
const STATUS: Readonly<Record<number, number>> = { [RpcCode.MethodNotFound]: 404, [RpcCode.InternalError]: 500 };

/** A JSON-RPC message that answers a request with an error. */
export function errorAnswer(id: string | number | null, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** Refuses a message before the SDK reads it. */
export function tooDeep(): RpcError {
  return new RpcError(RpcCode.InvalidRequest, `Invalid request: ${NESTED_TOO_DEEPLY}`);
}

type Answered = Pick<FinishedCall, "requestId" | "surface" | "milliseconds">;

/** The error of a request for a list or a resource that ended with a problem, which the call pipeline has reported. */
export function errorOf(problem: Problem): RpcError {
  const code = problem.status < 500 ? RpcCode.InvalidRequest : RpcCode.InternalError;
  return new RpcError(code, problem.detail, problem);
}

/**
 * The log entry and metric of a message that was answered with a JSON-RPC error and never became a call; `undefined` for
 * an error whose problem has been reported. `status` is that of the HTTP response. Omits the error's text, which may quote the caller.
 */
export function rejectedMessage(error: WireError, answered: Answered, status = 200): FinishedCall | undefined {
  if ((error.data as Partial<Problem> | undefined)?.request_id !== undefined) return undefined;
  const code = error.code === RpcCode.InternalError ? "UPSTREAM_UNAVAILABLE" : "INVALID_REQUEST";
  return { ...answered, status: status === 200 ? (STATUS[error.code] ?? 400) : status, code };
}
