import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Caller, McpTools } from "./mcp-tools.ts";
import { RpcError } from "./rpc-errors.ts";
import { CAPABILITIES, instructions } from "./server-info.ts";

/** Shared by all servers, each of which would otherwise create its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/**
 * Answers requests of the revisions up to 2025-11-25, one after the other, as JSON. Throws an RpcError for those that
 * the SDK answers with an error.
 */
export function createOlderAnswers(tools: Pick<McpTools, "info" | "answer">, caller: Caller) {
  let connected: Promise<InMemoryTransport> | undefined;
  return {
    async answer(request: JSONRPCRequest): Promise<string> {
      connected ??= connect();
      const client = await connected;
      const message = await new Promise<JSONRPCMessage>((resolve, reject) => {
        client.onmessage = resolve;
        client.send(request).catch(reject);
      });
      if ("error" in message) throw new RpcError(message.error.code, message.error.message, message.error.data);
      return JSON.stringify(message);
    },
    async close(): Promise<void> {
      await (await connected)?.close();
    },
  };

  async function connect(): Promise<InMemoryTransport> {
    const [client, transport] = InMemoryTransport.createLinkedPair();
    const server = new Server(tools.info, { capabilities: CAPABILITIES, instructions, jsonSchemaValidator });
    server.fallbackRequestHandler = (request, { signal }) => tools.answer(request, async () => caller, signal);
    await server.connect(transport);
    await client.start();
    return client;
  }
}
