import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { API_BASE } from "../src/servers/http/request.ts";
import { withReferences } from "./components.ts";
import { type RestOperation, restOperations } from "./operations.ts";

/** An argument that is sent in path, query or header: `argument` is its name at the tool, `name` that in the request. */
export type Parameter = ReturnType<typeof parametersOf>[number];

/** Headers by the arguments that REST sends in them, in every operation. */
const HEADERS: Readonly<Record<string, string>> = { idempotency_key: "Idempotency-Key" };

/** A placeholder in a path, such as `{quote_id}`. */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** A text with values in place of its placeholders. */
export function filled(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => String(values[name] ?? ""));
}

/** The path, query and header parameters of an operation, in the order of the tool's arguments. */
export function parametersOf({ path, query = [], required = [], tool }: RestOperation) {
  const inPath = [...path.matchAll(PLACEHOLDER)].map(([, name]) => name);
  const input = withOperationNames(jsonSchemaOf(tool.input));
  return Object.entries(input.properties ?? {}).flatMap(([argument, { description = "", ...schema }]) => {
    const place = inPath.includes(argument) ? "path" : query.includes(argument) ? "query" : undefined;
    const header = HEADERS[argument];
    if (place === undefined && header === undefined) return [];
    const isRequired = place === "path" || [...required, ...(input.required ?? [])].includes(argument);
    const where = place ?? "header";
    return [{ argument, name: header ?? argument, in: where, required: isRequired, description, schema } as const];
  });
}

/** JSON Schema of the body: all arguments of the tool but the parameters. `undefined` where there is no body. */
export function bodySchemaOf(row: RestOperation): JsonSchema | undefined {
  if (row.method !== "post") return undefined;
  const elsewhere = parametersOf(row).map(({ argument }) => argument);
  const schema = withOperationNames(withReferences(row.tool.input, { namesNull: true }));
  const { properties = {}, required = [], ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.includes(name))),
    required: required.filter((name) => !elsewhere.includes(name)),
  };
}

/** A schema whose descriptions name REST operations in place of tools. */
function withOperationNames(schema: JsonSchema): JsonSchema {
  const ids = new Map<string, string>(restOperations.map(({ tool, operationId }) => [tool.name, operationId]));
  const named = (text: string) => text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => ids.get(word) ?? word);
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === "description" ? named(value) : value));
}

/** A request with these arguments; `path` is relative to the origin of the service, and has the query. */
export function httpRequest(row: RestOperation, args: Readonly<Record<string, unknown>>) {
  const parameters = parametersOf(row).filter(({ argument }) => args[argument] !== undefined);
  const valuesIn = (where: string) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === where).map(({ name, argument }) => [name, String(args[argument])]),
    );
  const path = row.path.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(String(args[name])));
  const query = new URLSearchParams(valuesIn("query")).toString();
  const inBody = Object.entries(args).filter(([name]) => !parameters.some(({ argument }) => argument === name));
  return {
    method: row.method.toUpperCase(),
    path: `${API_BASE}${path}${query && `?${query}`}`,
    headers: valuesIn("header"),
    body: bodySchemaOf(row) && Object.fromEntries(inBody),
  };
}
