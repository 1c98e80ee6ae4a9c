import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isMessage, isRequest } from "./json-rpc.ts";

const LARGEST_BATCH = 20;
/** The last revision with JSON-RPC batches. */
const BATCH_REVISION = "2025-03-26";

/** The messages of a body in the revisions up to 2025-11-25, or what is wrong with it. */
export function messagesOf(body: unknown, revisions: readonly string[]): readonly JSONRPCMessage[] | string {
  const isBatch = Array.isArray(body);
  const [revision = DEFAULT_NEGOTIATED_PROTOCOL_VERSION] = revisions;
  if (isBatch && revision !== BATCH_REVISION) return "Batches are not part of this protocol version";
  const list: readonly unknown[] = isBatch ? body : [body];
  if (list.length === 0 || list.length > LARGEST_BATCH) return `A batch holds 1 to ${LARGEST_BATCH} messages`;
  if (!list.every(isMessage)) return "Invalid Request: not a JSON-RPC 2.0 message";
  const ids = list.filter(isRequest).map(({ id }) => id);
  return new Set(ids).size === ids.length ? list : "Invalid Request: duplicate id in the batch";
}
