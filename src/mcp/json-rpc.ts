import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";

/** Codes of JSON-RPC errors, as the packages number them. */
export const ErrorCode = {
  ConnectionClosed: -32000,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/**
 * What the SDK's `JSONRPCMessageSchema` accepts, without its schemas, whose tables took 25 ms of the CPU time of a start
 * over stdio. A test compares the two.
 */
export function isMessage(json: unknown): json is JSONRPCMessage {
  if (!isRecord(json) || json.jsonrpc !== "2.0" || !isIdOrAbsent(json.id)) return false;
  if ("method" in json) return isCall(json);
  if ("error" in json) return hasOnly(json, ["jsonrpc", "id", "error"]) && isError(json.error);
  return json.id !== undefined && hasOnly(json, ["jsonrpc", "id", "result"]) && isWithMeta(json.result);
}

export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

/** The id of the request that a message cancels. */
export function canceledBy(message: JSONRPCMessage): string | number | undefined {
  if (isRequest(message) || (message as JSONRPCNotification).method !== "notifications/cancelled") return undefined;
  const { requestId } = (message as { params?: { requestId?: unknown } }).params ?? {};
  return isId(requestId) ? requestId : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCall(json: Readonly<Record<string, unknown>>): boolean {
  const isNamed = typeof json.method === "string" && hasOnly(json, ["jsonrpc", "id", "method", "params"]);
  return isNamed && (json.params === undefined || isWithMeta(json.params));
}

function isError(error: unknown): boolean {
  return isRecord(error) && Number.isSafeInteger(error.code) && typeof error.message === "string";
}

function isWithMeta(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { _meta: meta } = value;
  if (meta === undefined) return true;
  if (!isRecord(meta) || !isIdOrAbsent(meta.progressToken)) return false;
  const task = meta["io.modelcontextprotocol/related-task"];
  return task === undefined || (isRecord(task) && typeof task.taskId === "string");
}

function isIdOrAbsent(value: unknown): boolean {
  return value === undefined || isId(value);
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
