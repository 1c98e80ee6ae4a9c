import { send } from "./raw-http.ts";

/** The revision whose requests describe themselves. */
export const NEWER = "2026-07-28";

export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": NEWER,
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Params = Readonly<Record<string, unknown>>;

/** A request of revision 2026-07-28. */
export function aNewerRequest(id: string | number, method: string, params: Params = {}) {
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: ENVELOPE } };
}

/** Sends requests of revision 2026-07-28 with the headers that it requires; `over` replaces or removes some. */
export function newerOverHttp(publicUrl: string, token: string) {
  return (message: ReturnType<typeof aNewerRequest>, over: Readonly<Record<string, string | undefined>> = {}) => {
    const { name } = message.params as { name?: unknown };
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": NEWER,
      "Mcp-Method": message.method,
      "Mcp-Name": typeof name === "string" ? name : undefined,
      ...over,
    };
    const sent = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
    return send(`${publicUrl}/mcp`, "POST", Object.fromEntries(sent), JSON.stringify(message));
  };
}
