import {
  createMcpHandler,
  InMemoryTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
  Server,
} from "@modelcontextprotocol/server";
import { z } from "zod/v3";
import { HOUR } from "../../ops/durations.ts";
import { type Caller, type McpTools, METHODS } from "./mcp-tools.ts";
import { RESOURCE_METHODS } from "./resources.ts";
import { errorAnswer, RpcError, type WireError } from "./rpc-errors.ts";
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

/** Answers requests of the revisions up to 2025-11-25, one after the other, as JSON. `onError` gets the error of each. */
export function createOlderAnswers(
  tools: McpTools,
  caller: Caller,
  signal: AbortSignal,
  onError: (error: WireError) => void,
) {
  let connected: Promise<InMemoryTransport> | undefined;
  return {
    answer: (request: JSONRPCRequest) => (METHODS.includes(request.method) ? ownAnswer(request) : sdkAnswer(request)),
    async close(): Promise<void> {
      await (await connected)?.close();
    },
  };

  /**
   * The same as the SDK's answer, without a protocol server for each request, with which a quote takes 25 % more CPU time
   * (1.85 instead of 1.48 ms, Node 24, medians of 6 rounds in turns).
   */
  async function ownAnswer(request: JSONRPCRequest): Promise<string> {
    try {
      const result = await tools.answer(request, caller, signal);
      return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${tools.jsonOf(result)}}`;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      onError(error);
      return errorAnswer(request.id, error);
    }
  }

  async function sdkAnswer(request: JSONRPCRequest): Promise<string> {
    connected ??= connect();
    const client = await connected;
    const message = await new Promise<JSONRPCMessage>((resolve, reject) => {
      client.onmessage = resolve;
      client.send(request).catch(reject);
    });
    if ("error" in message) onError(message.error);
    return JSON.stringify(message);
  }

  async function connect(): Promise<InMemoryTransport> {
    const [client, transport] = InMemoryTransport.createLinkedPair();
    await createMcpServer(tools, () => caller).connect(transport);
    await client.start();
    return client;
  }
}
