import type { JSONRPCErrorResponse, JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { type JsonBytes, jsonBytes } from "../contract/json-bytes.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { instructions } from "./instructions.ts";
import { canceledBy, isRecord, isRequest } from "./json-rpc.ts";
import type { GetCaller, McpTools } from "./mcp-tools.ts";
import { OLDER_REVISIONS } from "./revision.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { answerToolRequest, isToolRequest, resultJson } from "./tool-request.ts";

/**
 * Serves the revisions up to 2025-11-25 on stdio: `initialize`, `ping`, the tools and cancellation, as the SDK's server
 * answers them. That one is loaded with the first message of any other kind and gets all of those: loading it took a
 * fifth of the CPU time of a start.
 */
export function serveOlderStdio(tools: McpTools, transport: StdioTransport, getCaller: GetCaller): Promise<void> {
  const inFlight = new Map<string | number, AbortController>();
  let sdk: Promise<(message: JSONRPCMessage) => void> | undefined;

  transport.onmessage = async (message) => {
    if (isRequest(message)) {
      const answer = await answerTo(message);
      if (answer === undefined) return deliver(message);
      return typeof answer === "string" ? transport.sendJson(message.id, answer) : transport.send(answer);
    }
    const canceled = canceledBy(message);
    if (canceled !== undefined) inFlight.get(canceled)?.abort();
    // A request that it answers may be meant.
    if (sdk) (await sdk)(message);
  };
  transport.onclose = () => {
    for (const call of inFlight.values()) call.abort();
  };
  return transport.start();

  /** The JSON of the answer, or an error; an empty text after cancellation, `undefined` where the SDK must answer. */
  async function answerTo(request: JSONRPCRequest): Promise<JsonBytes | JSONRPCErrorResponse | undefined> {
    const { id, method, params } = request;
    if (method === "ping") return resultJson(id, "{}");
    if (method === "initialize" && isInitialize(params))
      return resultJson(id, jsonBytes(initialized(params.protocolVersion)));
    if (!isToolRequest(request)) return undefined;
    const call = new AbortController();
    inFlight.set(id, call);
    const answer = await answerToolRequest(tools, request, getCaller, call.signal);
    if (inFlight.get(id) === call) inFlight.delete(id);
    return call.signal.aborted ? "" : answer;
  }

  function initialized(requested: string) {
    const protocolVersion = OLDER_REVISIONS.includes(requested) ? requested : OLDER_REVISIONS[0];
    return { protocolVersion, capabilities: CAPABILITIES, serverInfo: tools.info, instructions };
  }

  async function deliver(message: JSONRPCMessage): Promise<void> {
    sdk ??= connectSdk();
    (await sdk)(message);
  }

  async function connectSdk(): Promise<(message: JSONRPCMessage) => void> {
    const { createOlderServer } = await import("./older-server.ts");
    const part: Pick<StdioTransport, "start" | "send" | "close" | "onmessage"> = {
      start: async () => {},
      send: transport.send,
      close: async () => {},
    };
    await createOlderServer(tools, getCaller).connect(part);
    return (message) => part.onmessage?.(message);
  }
}

/** Its optional fields are not used, and so not checked. */
function isInitialize(params: unknown): params is { readonly protocolVersion: string } {
  if (!isRecord(params) || typeof params.protocolVersion !== "string" || !isRecord(params.capabilities)) return false;
  const { clientInfo } = params;
  return isRecord(clientInfo) && typeof clientInfo.name === "string" && typeof clientInfo.version === "string";
}
