import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { type JsonBytes, jsonBytes } from "../contract/json-bytes.ts";
import { ErrorCode, isRequest } from "./json-rpc.ts";
import { type GetCaller, jsonOfResult, type McpTools } from "./mcp-tools.ts";
import { RESOURCE_METHODS } from "./resources.ts";

/** Whether the service answers a message by itself. The protocol of the package refuses those that ask for a task. */
export function isToolRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  if (!isRequest(message) || message.params?.task !== undefined) return false;
  const { method } = message;
  return method === "tools/call" || method === "tools/list" || RESOURCE_METHODS.includes(method);
}

/**
 * The JSON of the answer to a request for the tools, or an error, as the package's protocol server words it, without
 * making one for the request: a quote takes 1.3 times less CPU time, a fixed answer 1.5 times, `tools/list` 4 times.
 */
export async function answerToolRequest(
  { answer }: McpTools,
  request: JSONRPCRequest,
  getCaller: GetCaller,
  signal: AbortSignal,
): Promise<JsonBytes | JSONRPCErrorResponse> {
  const { id } = request;
  try {
    return resultJson(id, jsonOfResult(await answer(request, getCaller, signal)));
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    const known = Number.isSafeInteger(code) ? Number(code) : ErrorCode.InternalError;
    return { jsonrpc: "2.0", id, error: { code: known, message: String(message ?? "Internal error"), data } };
  }
}

/** A JSON-RPC response with a result that is JSON already. */
export function resultJson(id: RequestId, result: JsonBytes): JsonBytes {
  return `{"result":${result},"jsonrpc":"2.0","id":${jsonBytes(id)}}`;
}
