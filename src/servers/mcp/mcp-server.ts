import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { z } from "zod/v3";
import { HOUR } from "../../ops/durations.ts";
import { type Caller, type McpTools, METHODS } from "./mcp-tools.ts";
import { RESOURCE_METHODS } from "./resources.ts";
import { CAPABILITIES, instructions } from "./server-info.ts";

/** Lists are the same for everyone and change only with a release. */
const PUBLIC = { ttlMs: HOUR, cacheScope: "public" } as const;
/** How long clients of revision 2026-07-28 may cache results. */
const CACHE_HINTS = Object.fromEntries(
  ["server/discover", "tools/list", ...RESOURCE_METHODS].map((method) => [method, PUBLIC]),
);

/** Accepts any params, which `McpTools` checks: the SDK would answer invalid ones with an internal error. */
const AnyParams = z.record(z.unknown());

type Served = Pick<McpTools, "info" | "answer">;

/** Answers an HTTP request of revision 2026-07-28. */
export function answerNewer(tools: Served, caller: Caller, request: Request, body: unknown): Promise<Response> {
  const { fetch } = createMcpHandler(() => createMcpServer(tools, () => caller), { legacy: "reject" });
  return fetch(request, { parsedBody: body });
}

/**
 * The protocol server for one HTTP request, or for a stdio connection in any revision. `nextCaller` is called for every
 * request.
 */
export function createMcpServer({ info, answer }: Served, nextCaller: () => Caller): Server {
  const server = new Server(info(), { capabilities: CAPABILITIES, instructions, cacheHints: CACHE_HINTS });
  for (const method of METHODS) {
    server.setRequestHandler(method, { params: AnyParams }, (params, { mcpReq }) =>
      answer({ method, params }, nextCaller(), mcpReq.signal),
    );
  }
  return server;
}
