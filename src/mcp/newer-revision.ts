import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  Server,
} from "@modelcontextprotocol/server";
import { type StdioServerHandle, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Request, Response } from "express";
import { sendJson } from "../http/send.ts";
import { instructions } from "./instructions.ts";
import { createJsonTransport, exchange } from "./json-transport.ts";
import type { Caller, GetCaller, McpTools } from "./mcp-tools.ts";
import { NEWER_REVISION, revisionsOf } from "./revision.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/** The tool list changes with a release only, and is the same for everyone. */
const CACHE = { ttlMs: 60 * 60 * 1000, cacheScope: "public" } as const;

/** Revision 2026-07-28. The file is loaded with the first message that needs it, and the 2.x package with it. */
export function createNewerRevision(tools: McpTools) {
  const protocol = createMcpHandler(() => createServer(), { legacy: "reject" });

  return {
    /** Answers one HTTP request; resolves with `false` where the older revisions must. */
    async answer(request: Request, response: Response, caller: Caller): Promise<boolean> {
      const headers = {
        protocolVersionHeader: revisionsOf(request.get("mcp-protocol-version")).join() || undefined,
        mcpMethodHeader: request.get("mcp-method"),
        mcpNameHeader: request.get("mcp-name"),
      };
      const route = classifyInboundRequest({ httpMethod: "POST", ...headers, body: request.body });
      if (route.kind === "legacy") return false;
      // The package's handler returns the same and takes twice the CPU time.
      if (route.kind === "modern" && isForTools(route.message, headers)) {
        const { classification, message } = route;
        // The package binds a server to the newer revision only on its own transport.
        const base = new PerRequestHTTPServerTransport({ classification });
        const server = createServer(async () => caller);
        const answers = await exchange(server, createJsonTransport([message], base), response);
        if (answers) sendJson(response, 200, answers[0]);
        return true;
      }
      const answer = await protocol.fetch(webRequest(headers), { parsedBody: request.body });
      response.status(answer.status).set("Cache-Control", "no-store");
      const type = answer.headers.get("content-type");
      if (type) response.setHeader("Content-Type", type);
      response.end(await answer.text());
      return true;
    },

    /** Serves a connection whose first message names this revision. */
    serveStdio(transport: StdioTransport, getCaller: GetCaller): StdioServerHandle {
      return serveStdio(() => createServer(getCaller), { transport, legacy: "reject" });
    },
  };

  /** Without `getCaller` the server has no tools: it answers errors, discovery and subscriptions. */
  function createServer(getCaller?: GetCaller): Server {
    const server = new Server(tools.info, {
      capabilities: { tools: {} },
      instructions,
      supportedProtocolVersions: [NEWER_REVISION],
      cacheHints: { "server/discover": CACHE },
    });
    if (getCaller) {
      server.fallbackRequestHandler = async (request, { mcpReq }) => {
        const result = await tools.answer(request, getCaller, mcpReq.signal);
        return request.method === "tools/list" ? { ...result, ...CACHE } : result;
      };
    }
    return server;
  }
}

interface StandardHeaders {
  readonly protocolVersionHeader: string | undefined;
  readonly mcpMethodHeader: string | undefined;
  readonly mcpNameHeader: string | undefined;
}

/** Whether this is a request for the tools or for discovery that has the headers which the revision requires. */
function isForTools(message: JSONRPCRequest | JSONRPCNotification, headers: StandardHeaders): boolean {
  const { protocolVersionHeader, mcpMethodHeader, mcpNameHeader } = headers;
  if (!("id" in message) || protocolVersionHeader !== NEWER_REVISION || !mcpMethodHeader) return false;
  if (message.method !== "tools/call") return ["tools/list", "server/discover"].includes(message.method);
  const name = message.params?.name;
  return typeof name !== "string" || name === decodedName(mcpNameHeader);
}

/** Clients may wrap a name in Base64, and must where it is not ASCII. */
function decodedName(header = ""): string {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString();
}

function webRequest(headers: StandardHeaders): globalThis.Request {
  const { protocolVersionHeader: version, mcpMethodHeader: method, mcpNameHeader: name } = headers;
  return new globalThis.Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(version !== undefined && { "MCP-Protocol-Version": version }),
      ...(method !== undefined && { "Mcp-Method": method }),
      ...(name !== undefined && { "Mcp-Name": name }),
    },
  });
}
