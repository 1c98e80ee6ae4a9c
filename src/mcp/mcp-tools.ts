import type { CallToolResult, JSONRPCRequest, ListToolsResult, Result } from "@modelcontextprotocol/sdk/types.js";
import type { Call, Outcome, Run } from "../calls/call-pipeline.ts";
import { fixedAnswer, isFixed, jsonOf, keptJsonOf } from "../calls/fixed-answer.ts";
import type { Operation, OperationContext } from "../calls/operation.ts";
import { type JsonBytes, textOf } from "../contract/json-bytes.ts";
import { jsonSchemaOf } from "../contract/json-schema.ts";
import { traceOf } from "../ops/tracing.ts";
import { ErrorCode } from "./json-rpc.ts";
import { CARD_OF_TOOL, createMcpResources, RESOURCE_METHODS } from "./resources.ts";
import { rpcError } from "./rpc-failure.ts";
import { schemaWithout } from "./schema-without.ts";
import type { serverInfo } from "./server-info.ts";

/** Who is at the other end of a connection. */
export type Caller = Pick<Call, "surface" | "bearer" | "principal" | "address" | "requestId" | "trace">;

/** `caller` is asked at every tool call. */
export type GetCaller = () => Promise<Caller>;

/** The tools, and the resources of the quote card, as every protocol revision and transport serves them. */
export interface McpTools {
  readonly info: ReturnType<typeof serverInfo>;
  /** Answers the requests that `isToolRequest` names. Throws an error with a JSON-RPC `code` for anything else. */
  answer(
    request: Pick<JSONRPCRequest, "method" | "params">,
    getCaller: GetCaller,
    signal: AbortSignal,
  ): Promise<Result>;
}

export interface McpToolsParts {
  readonly tools: readonly Operation[];
  /** Returns the picture that the card shows. */
  readonly quoteMap: Operation;
  readonly run: Run;
  /** The one in use. */
  readonly catalog: () => OperationContext["catalog"];
  /** Asked at each connection. */
  readonly info: () => McpTools["info"];
}

/** Prepares what all connections share. */
export function createMcpTools({ tools, quoteMap, run, catalog, info }: McpToolsParts): McpTools {
  const answerResources = createMcpResources(quoteMap, run, catalog);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  return {
    get info() {
      return info();
    },
    async answer({ method, params }, getCaller, signal) {
      // Made when first asked for: a sixth of the CPU time of a start over stdio.
      if (method === "tools/list") return fixedToolList(tools);
      if (method !== "tools/call") {
        if (RESOURCE_METHODS.includes(method)) return answerResources(method, params, getCaller, signal);
        throw rpcError(ErrorCode.MethodNotFound, "Method not found");
      }
      const { name, input } = toolCallOf(params);
      const tool = byName.get(name);
      if (!tool) throw rpcError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
      const caller = await getCaller();
      const trace = traceOf(params?._meta) ?? caller.trace;
      const requestTrace = trace === caller.trace ? undefined : caller.trace;
      const call = { instance: null, signal, input: () => input, ...caller, trace, requestTrace };
      return resultOf(await run(tool, call), tool);
    },
  };
}

/** What `tools/list` answers: the same at every call and on every machine. */
export function toolList(tools: readonly Operation[]): ListToolsResult {
  return {
    tools: tools.map(({ name, title, description, examples = [], annotations, input, output, shownAsCard }) => ({
      name,
      title,
      description: `${description} Examples: ${examples.map((each) => JSON.stringify(each)).join(" or ")}`,
      inputSchema: jsonSchemaOf(input) as { type: "object" },
      outputSchema: schemaWithout(jsonSchemaOf(output), FOR_PEOPLE) as { type: "object" },
      annotations: { title, ...annotations },
      ...(shownAsCard && { _meta: CARD_OF_TOOL }),
    })),
  };
}

/** Hosts check responses against their schema and show models the response; the reference describes its fields. */
const FOR_PEOPLE = new Set(["default", "description"]);

const fixedToolList = fixedAnswer(toolList);

/** The packages' own checks word such a mistake as a dump of their schema. */
function toolCallOf(params: JSONRPCRequest["params"]): { name: string; input: unknown } {
  const { name, arguments: input = {} } = params ?? {};
  if (typeof name !== "string") {
    const message = `params.name must be the name of a tool as a string, such as "get_quote_requirements"; tools/list returns all names.`;
    throw rpcError(ErrorCode.InvalidParams, message);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const message = `params.arguments must be an object with the arguments of ${name}; omit it where there are none.`;
    throw rpcError(ErrorCode.InvalidParams, message);
  }
  return { name, input };
}

/** A problem stands in the text only: clients check `structuredContent` against the output schema even on errors. */
function resultOf(outcome: Outcome, { json }: Operation): CallToolResult {
  if (!outcome.ok) return { isError: true, content: [{ type: "text", text: JSON.stringify(outcome.problem) }] };
  const value = outcome.value as Record<string, unknown>;
  return isFixed(value) ? fixedSuccess(value) : success(value, json);
}

function success(structuredContent: Record<string, unknown>, json?: Operation["json"]): CallToolResult {
  const bytes = keptJsonOf(structuredContent, json);
  // Decoded where an SDK writes the result.
  const text = {
    type: "text" as const,
    get text() {
      return textOf(bytes);
    },
  };
  return { content: [text], structuredContent };
}

const fixedSuccess = fixedAnswer(success);

/** The JSON of a result. The text content of a tool's response is its structured content: it is written once. */
export function jsonOfResult(result: Result): JsonBytes {
  const { structuredContent } = result as Partial<CallToolResult>;
  if (structuredContent === undefined || isFixed(result)) return jsonOf(result);
  const json = jsonOf(structuredContent);
  // Escaping changes ASCII alone.
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
