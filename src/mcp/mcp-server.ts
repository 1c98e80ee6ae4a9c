import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { jsonSchemaOf } from "../contract/json-schema.ts";
import type { Outcome, Run } from "../engine/engine.ts";
import type { Operation } from "../engine/operation.ts";
import { instructions } from "./instructions.ts";

/** Who is at the other end of a connection. */
export interface Caller {
  /** Bearer token without its scheme, or `null`. */
  readonly bearer: string | null;
  readonly address: string;
  readonly requestId: string;
}

/** Makes the protocol server of one connection; `caller` is asked at every tool call. */
export type CreateMcpServer = (caller: () => Promise<Caller>) => Server;

/** One for all servers: compiling a validator costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Prepares what all connections share; `version` is the package's. */
export function createMcpServers(tools: readonly Operation[], run: Run, version: string): CreateMcpServer {
  const list = toolList(tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const info = { name: "transfer-quote-mcp", title: "Transfer quotes Switzerland", version };

  return function createMcpServer(caller) {
    const server = new Server(info, { capabilities: { tools: {} }, instructions, jsonSchemaValidator });
    server.setRequestHandler(ListToolsRequestSchema, () => list);
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      const tool = byName.get(params.name);
      if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const call = { ...(await caller()), instance: null, signal, input: () => params.arguments ?? {} };
      return resultOf(await run(tool, call));
    });
    return server;
  };
}

/** What `tools/list` answers: the same at every call and on every machine. */
export function toolList(tools: readonly Operation[]): ListToolsResult {
  return {
    tools: tools.map(({ name, title, description, annotations, input, output }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input) as { type: "object" },
      outputSchema: jsonSchemaOf(output) as { type: "object" },
      annotations: { title, ...annotations },
    })),
  };
}

/** A problem stands in the text only: clients check `structuredContent` against the output schema even on errors. */
function resultOf(outcome: Outcome): CallToolResult {
  if (!outcome.ok)
    return { isError: true, content: [{ type: "text", text: JSON.stringify(outcome.problem) }] };
  const structuredContent = outcome.value as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
