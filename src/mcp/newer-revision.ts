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
import { CAPABILITIES } from "./capabilities.ts";
import { instructions } from "./instructions.ts";
import { createJsonTransport, exchange } from "./json-transport.ts";
import type { Caller, GetCaller, McpTools } from "./mcp-tools.ts";
import { isForEveryone } from "./resources.ts";
import { NEWER_REVISION, revisionsOf } from "./revision.ts";
import type { SendAnswers } from "./send-answers.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/** Lists and the card change with a release only, and are the same for everyone. */
const CACHE = { ttlMs: 60 * 60 * 1000, cacheScope: "public" } as const;
/** The map of a quote does not change. */
const PRIVATE_CACHE = { ...CACHE, cacheScope: "private" } as const;

/** Revision 2026-07-28. The file is loaded with the first message that needs it, and the 2.x package with it. */
export function createNewerRevision(tools: McpTools) {
  const protocol = createMcpHandler(() => createServer(), { legacy: "reject" });

  return {
    /** Answers one HTTP request; resolves with `false` where the older revisions must. */
    async answer(request: Request, response: Response, caller: Caller, send: SendAnswers): Promise<boolean> {
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
        if (answers?.[0]) send(response, 200, answers[0]);
        return true;
      }
      const answer = await protocol.fetch(webRequest(headers), { parsedBody: request.body });
      const type = answer.headers.get("content-type");
      if (type?.startsWith("application/json")) {
        send(response, answer.status, (await answer.json()) as object);
        return true;
      }
      response.status(answer.status).set("Cache-Control", "no-store");
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
      capabilities: CAPABILITIES,
      instructions,
      supportedProtocolVersions: [NEWER_REVISION],
      cacheHints: { "server/discover": CACHE },
    });
    if (getCaller) {
      server.fallbackRequestHandler = async (request, { mcpReq }) => {
        const result = await tools.answer(request, getCaller, mcpReq.signal);
        if (request.method === "tools/call") return result;
        return { ...result, ...(isForEveryone(request) ? CACHE : PRIVATE_CACHE) };
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

/** Whether this is a request for tools, resources or discovery that has the headers which the revision requires. */
function isForTools(message: JSONRPCRequest | JSONRPCNotification, headers: StandardHeaders): boolean {
  const { protocolVersionHeader, mcpMethodHeader, mcpNameHeader } = headers;
  if (!("id" in message) || protocolVersionHeader !== NEWER_REVISION || !mcpMethodHeader) return false;
  const { method, params } = message;
  if (["server/discover", "tools/list", "resources/list", "resources/templates/list"].includes(method)) return true;
  if (method !== "tools/call" && method !== "resources/read") return false;
  const name = method === "tools/call" ? params?.name : params?.uri;
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
