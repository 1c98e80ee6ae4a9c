import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { ErrorCode, isRequest } from "./json-rpc.ts";
import { type GetCaller, jsonOfResult, type McpTools } from "./mcp-tools.ts";

/** Whether the service answers a message by itself. The protocol of the package refuses those that ask for a task. */
export function isToolRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  if (!isRequest(message) || message.params?.task !== undefined) return false;
  return message.method === "tools/call" || message.method === "tools/list";
}

/**
 * The JSON text of the answer to a request for the tools, as the package's protocol server words it, without making one
 * for the request: a quote takes 1.3 times less CPU time, a fixed answer 1.5 times, `tools/list` 4 times.
 */
export async function answerToolRequest(
  { answer }: McpTools,
  request: JSONRPCRequest,
  getCaller: GetCaller,
  signal: AbortSignal,
): Promise<string> {
  const { id } = request;
  try {
    return resultText(id, jsonOfResult(await answer(request, getCaller, signal)));
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const known = Number.isSafeInteger(code) ? code : ErrorCode.InternalError;
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code: known, message: message ?? "Internal error" } });
  }
}

/** A JSON-RPC response with a result that is JSON already. */
export function resultText(id: RequestId, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
