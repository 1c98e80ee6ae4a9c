import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { operations } from "./operations.ts";
import type { RestOperation } from "./rest-operation.ts";

/** One argument that is not in the body. */
export interface Parameter {
  /** Name of the tool's argument. */
  readonly argument: string;
  /** Name in the request. */
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** Arguments that REST takes from a header, wherever a tool has them. */
const HEADERS: Readonly<Record<string, string>> = { idempotency_key: "Idempotency-Key" };

/** Name of a placeholder in a path. */
export const PLACEHOLDER = /\{(\w+)\}/g;

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema & { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** The path, query and header parameters of an operation, in the order of the tool's arguments. */
export function parametersOf({ path, query = [], required = [], tool }: RestOperation): readonly Parameter[] {
  const inPath = [...path.matchAll(PLACEHOLDER)].map(([, name]) => name);
  const input = overRest(jsonSchemaOf(tool.input));
  return Object.entries(input.properties).flatMap(([argument, { description = "", ...schema }]) => {
    const place = inPath.includes(argument) ? "path" : query.includes(argument) ? "query" : undefined;
    const header = HEADERS[argument];
    if (place === undefined && header === undefined) return [];
    const isRequired = place === "path" || [...required, ...(input.required ?? [])].includes(argument);
    const where = place ?? "header";
    return [{ argument, name: header ?? argument, in: where, required: isRequired, description, schema } as const];
  });
}

/** JSON Schema of the body: the tool's arguments that are no parameters. `undefined` where there is no body. */
export function bodySchemaOf(row: RestOperation): ObjectSchema | undefined {
  if (row.method !== "post") return undefined;
  const elsewhere = parametersOf(row).map(({ argument }) => argument);
  const { properties, required = [], ...rest } = overRest(jsonSchemaOf(row.tool.input, { namesNull: true }));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.includes(name))),
    required: required.filter((name) => !elsewhere.includes(name)),
  };
}

/** Where the description of a field names a tool, the operation of REST. */
function overRest(schema: JsonSchema): ObjectSchema {
  const ids = new Map<string, string>(operations.map(({ tool, operationId }) => [tool.name, operationId]));
  return JSON.parse(JSON.stringify(schema).replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => ids.get(word) ?? word));
}
