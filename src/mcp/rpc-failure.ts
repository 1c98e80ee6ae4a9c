/** A JSON-RPC error of the transport about `message`, with its id where it has one that can be read. */
export function rpcFailure(code: number, text: string, message?: unknown) {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const isRequest = typeof method === "string" && (typeof id === "string" || typeof id === "number");
  return { jsonrpc: "2.0", error: { code, message: text }, id: isRequest ? id : null };
}
