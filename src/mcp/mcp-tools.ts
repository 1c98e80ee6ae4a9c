import {
  type CallToolResult,
  type JSONRPCRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from "@modelcontextprotocol/server";
import type { Call, Outcome, Run } from "../calls/call-pipeline.ts";
import type { Operation, OperationContext } from "../calls/operation.ts";
import { type JsonSchema, jsonSchemaOf } from "../contract/json-schema.ts";
import { traceOf } from "../ops/tracing.ts";
import { CARD_OF_TOOL, createMcpResources, RESOURCE_METHODS } from "./resources.ts";
import type { serverInfo } from "./server-info.ts";

/** Who is at the other end of a connection. */
export type Caller = Pick<Call, "surface" | "bearer" | "principal" | "address" | "requestId" | "trace">;

/** `caller` is asked at every tool call. */
export type GetCaller = () => Promise<Caller>;

/** The tools, and the resources of the quote card, as every protocol revision and transport serves them. */
export interface McpTools {
  readonly info: ReturnType<typeof serverInfo>;
  /** Answers the `METHODS`. Throws a ProtocolError for anything else. */
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

/** The methods that are answered by this service itself. */
export const METHODS: readonly string[] = ["tools/list", "tools/call", ...RESOURCE_METHODS];

/** Prepares what all connections share. */
export function createMcpTools({ tools, quoteMap, run, catalog, info }: McpToolsParts): McpTools {
  const answerResources = createMcpResources(quoteMap, run, catalog);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let list: ListToolsResult | undefined;

  return {
    get info() {
      return info();
    },
    async answer({ method, params }, getCaller, signal) {
      if (method === "tools/list") {
        list ??= toolList(tools);
        return list;
      }
      if (RESOURCE_METHODS.includes(method)) return answerResources(method, params, getCaller, signal);
      if (method !== "tools/call") throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
      const { name, input } = toolCallOf(params);
      const tool = byName.get(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      const caller = await getCaller();
      const trace = traceOf(params?._meta) ?? caller.trace;
      const requestTrace = trace === caller.trace ? undefined : caller.trace;
      return resultOf(await run(tool, { instance: null, signal, input: () => input, ...caller, trace, requestTrace }));
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

/** A schema without these words at every depth, such as "description". Fields of that name stay. */
function schemaWithout(schema: JsonSchema, words: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(schema).filter(([word]) => !words.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, partOf(word, value)]));

  function partOf(word: string, value: unknown): unknown {
    if (word === "properties") {
      const fields = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(fields.map(([name, field]) => [name, schemaWithout(field, words)]));
    }
    const isSchema = typeof value === "object" && value !== null && !Array.isArray(value);
    return isSchema ? schemaWithout(value as JsonSchema, words) : value;
  }
}

/** The package's own checks word such a mistake as a dump of their schema. */
function toolCallOf(params: JSONRPCRequest["params"]): { name: string; input: unknown } {
  const { name, arguments: input = {} } = params ?? {};
  if (typeof name !== "string") {
    const message = `params.name must be the name of a tool as a string, such as "get_quote_requirements"; tools/list returns all names.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const message = `params.arguments must be an object with the arguments of ${name}; omit it where there are none.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  return { name, input };
}

/** A problem stands in the text only: clients check `structuredContent` against the output schema even on errors. */
function resultOf(outcome: Outcome): CallToolResult {
  if (!outcome.ok) return { isError: true, content: [{ type: "text", text: JSON.stringify(outcome.problem) }] };
  const structuredContent = outcome.value as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
