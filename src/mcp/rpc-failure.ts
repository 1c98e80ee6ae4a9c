/** A JSON-RPC error of the transport about `message`, with its id where it has one that can be read. */
export function rpcFailure(code: number, text: string, message?: unknown) {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const isRequest = typeof method === "string" && (typeof id === "string" || typeof id === "number");
  return { jsonrpc: "2.0", error: { code, message: text }, id: isRequest ? id : null };
}

/** Both packages answer a request with the `code`, the message and the `data` of what its handler throws. */
export function rpcError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}
