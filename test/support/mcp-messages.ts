import { send } from "./raw-http.ts";

/** The revision in which every request has its revision and client in `_meta`. */
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

type Headers = Readonly<Record<string, string | undefined>>;

/** Posts messages as JSON and texts unchanged; `over` replaces or removes headers. */
export function postsTo(publicUrl: string, token: string) {
  return (message: unknown, over: Headers = {}) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...over,
    };
    const sent = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
    const text = typeof message === "string" ? message : JSON.stringify(message);
    return send(`${publicUrl}/mcp`, "POST", Object.fromEntries(sent), text);
  };
}

/** Posts requests of revision 2026-07-28 with the headers that it requires; `over` replaces or removes some. */
export function newerOverHttp(publicUrl: string, token: string) {
  const post = postsTo(publicUrl, token);
  return (message: ReturnType<typeof aNewerRequest>, over: Headers = {}) => {
    const { name } = message.params as { name?: unknown };
    const headers = {
      "MCP-Protocol-Version": NEWER,
      "Mcp-Method": message.method,
      "Mcp-Name": typeof name === "string" ? name : undefined,
    };
    return post(message, { ...headers, ...over });
  };
}
