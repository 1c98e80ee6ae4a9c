import type { CallToolResult, JSONRPCRequest, ListToolsResult, Result } from "@modelcontextprotocol/server";
import { detailOf } from "../../contract/errors.ts";
import { type JsonSchema, jsonSchemaOf } from "../../contract/json-schema.ts";
import type { Problem } from "../../contract/problem.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { Call, Charge, Outcome, Run } from "../../service/calls/call-pipeline.ts";
import { exampleDates, type OperatorTime } from "../../service/calls/date-time-message.ts";
import { type Operation, restRowsOf, type Services } from "../../service/calls/operation.ts";
import { answerResources, CARD_OF_TOOL, RESOURCE_METHODS } from "./resources.ts";
import { errorOf, RpcCode, RpcError } from "./rpc-errors.ts";
import type { serverInfo } from "./server-info.ts";

type MethodCall = Pick<JSONRPCRequest, "method" | "params">;

/** Who is at the other end of a connection. */
export type Caller = Pick<Call, "surface" | "bearer" | "principal" | "address" | "requestId" | "admission">;

/** The tools, and the resources of the quote card, as every protocol revision and transport serves them. */
export type McpTools = ReturnType<typeof createMcpTools>;

export interface McpToolsParts {
  readonly tools: readonly Operation[];
  readonly run: Run;
  readonly charge: Charge;
  readonly catalog: () => Services["catalog"];
  readonly clock: Services["clock"];
  /** Called for each connection. */
  readonly info: () => ReturnType<typeof serverInfo>;
}

/** The methods that this service answers itself; the SDK answers the others. */
export const METHODS: readonly string[] = ["tools/list", "tools/call", ...RESOURCE_METHODS];

/** Creates the tools and resources, which all connections share. */
export function createMcpTools({ tools, run, charge, catalog, clock, info }: McpToolsParts) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  /** Examples are dated: a list is of a local day. */
  let listed: { readonly day: string; readonly list: ListToolsResult } | undefined;
  /** Results by value: values that depend only on the catalog are the same object until it is reloaded. */
  const results = new WeakMap<object, CallToolResult>();
  /** The JSON of results that many requests share. */
  const texts = new WeakMap<Result, string>();

  return {
    info,
    /** A result as JSON, which is kept for those that many requests share. */
    jsonOf: (result: Result) => texts.get(result) ?? JSON.stringify(result),
    /** The result of one of the `METHODS`. Throws an RpcError for invalid params. */
    async answer({ method, params }: MethodCall, caller: Caller, signal: AbortSignal): Promise<Result> {
      if (params?.task !== undefined) {
        const message = "params.task: this server runs no tasks; send the request without it.";
        throw new RpcError(RpcCode.InvalidRequest, message);
      }
      if (params?.cursor && method.endsWith("/list")) {
        throw new RpcError(RpcCode.InvalidParams, "params.cursor is unknown: every list has one page; omit it.");
      }
      if (method !== "tools/call") {
        const problem = await charge("discovery", caller);
        if (problem) throw errorOf(problem);
        return method === "tools/list" ? currentList() : answerResources(method, params, catalog());
      }
      const { name, input } = toolCallOf(params);
      const tool = byName.get(name);
      if (!tool) throw new RpcError(RpcCode.InvalidParams, `Unknown tool: ${name}`);
      const call = { instance: null, signal, input: () => input, ...caller, traceContext: params?._meta };
      const outcome = await run(tool, call);
      return outcome.ok && restRowsOf(tool).some(({ isCacheable }) => isCacheable)
        ? sharedResultOf(outcome)
        : resultOf(outcome);
    },
  };

  function sharedResultOf(outcome: Outcome & { readonly ok: true }): CallToolResult {
    const value = outcome.value as object;
    const result = results.get(value) ?? shared(resultOf(outcome));
    results.set(value, result);
    return result;
  }

  function shared<R extends Result>(result: R): R {
    texts.set(result, JSON.stringify(result));
    return result;
  }

  function currentList(): ListToolsResult {
    const time = { now: clock.now(), timeZone: catalog().tariff.timeZone };
    const day = `${localDateTime(time.now, time.timeZone).slice(0, 10)} ${time.timeZone}`;
    if (listed?.day !== day) listed = { day, list: shared(toolList(tools, time)) };
    return listed.list;
  }
}

/** The result of `tools/list`. Only the dates of its examples depend on the time. */
export function toolList(tools: readonly Operation[], time: OperatorTime): ListToolsResult {
  const dates = exampleDates(time);
  return {
    tools: tools.map(({ name, title, description, examples, fieldsAsIn, annotations, input, output, shownAsCard }) => ({
      name,
      title,
      description: `${description} Examples: ${examples?.(dates)
        .map((each) => JSON.stringify(each))
        .join(" or ")}`,
      inputSchema: inputSchemaOf(
        input,
        tools.find((each) => each.name === fieldsAsIn),
      ),
      outputSchema: responseSchemaOf(output),
      annotations: { title, ...annotations },
      ...(shownAsCard && { _meta: CARD_OF_TOOL }),
    })),
  };
}

/**
 * Input schema as models read it: without lengths of texts, which they do not count, and without the descriptions of fields
 * that `described` has as well. A call is checked against the whole schema.
 */
function inputSchemaOf(input: Operation["input"], described: Operation | undefined) {
  const schema = jsonSchemaOf(input);
  const { properties: known = {} } = described ? jsonSchemaOf(described.input) : {};
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isShared = JSON.stringify(known[name]) === JSON.stringify(property);
    return [name, without(isShared ? [...LENGTHS, "description"] : LENGTHS, property)];
  });
  return { ...schema, type: "object" as const, properties: Object.fromEntries(properties) };
}

const LENGTHS: readonly string[] = ["minLength", "maxLength"];

function without(keywords: readonly string[], schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (keywords.includes(key) ? undefined : value)));
}

/** Output schema with types only: models read the response itself, and the API reference describes the fields. */
function responseSchemaOf(output: Operation["output"]) {
  const { properties = {}, required } = jsonSchemaOf(output);
  const types = Object.entries(properties).map(([name, { type }]) => [name, typeSchemaOf(type)]);
  return { type: "object" as const, properties: Object.fromEntries(types), ...(required && { required }) };
}

/** A list of types becomes `anyOf`, since some hosts reject a list. */
function typeSchemaOf(type: unknown) {
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })) } : { type };
}

/** Checks params here, because the SDK's messages about them are dumps of its schemas. */
function toolCallOf(params: JSONRPCRequest["params"]): { name: string; input: unknown } {
  const { name, arguments: input = {} } = params ?? {};
  if (typeof name !== "string") {
    const message = `params.name must be the name of a tool as a string, such as "get_quote_requirements"; tools/list returns all names.`;
    throw new RpcError(RpcCode.InvalidParams, message);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const message = `params.arguments must be an object with the arguments of ${name}; omit it where there are none.`;
    throw new RpcError(RpcCode.InvalidParams, message);
  }
  return { name, input };
}

/**
 * A problem is never `structuredContent`, which clients validate against the output schema even on errors. Some hosts
 * validate a first text that is a JSON object, so the first text is a sentence and the second the problem document.
 */
function resultOf(outcome: Outcome): CallToolResult {
  if (!outcome.ok) {
    const texts = [sentenceOf(outcome.problem), JSON.stringify(outcome.problem)];
    return { isError: true, content: texts.map((text) => ({ type: "text", text })) };
  }
  const { card } = outcome;
  const structuredContent = outcome.value as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent, ...(card && { _meta: { ...card } }) };
}

/** The problem in a sentence: what a model needs to correct the call. Each field stands in it once. */
function sentenceOf({ code, detail, field_errors = [], next_action }: Problem): string {
  const fields = field_errors.map(({ field, message }) => `${field}: ${message}`);
  const isAboutFields = fields.length > 0 && detail === detailOf(field_errors);
  const next = next_action ? [`Next: ${next_action}`] : [];
  return [`${code}:`, ...(isAboutFields ? [] : [detail]), ...fields, ...next].join(" ");
}
