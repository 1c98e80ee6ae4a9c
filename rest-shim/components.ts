import * as checkout from "../src/contract/checkout.ts";
import * as discovery from "../src/contract/discovery.ts";
import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { Problem } from "../src/contract/problem.ts";
import * as quote from "../src/contract/quote.ts";
import { SpecialItem, WaypointIn } from "../src/contract/quote-request.ts";
import { ResolvedHandoff } from "../tools/resolve-checkout-handoff.ts";

/** Schemas of the contract by their names there, but those of a request body and of parts, which stand in the whole. */
const { CheckoutRequest: _request, CheckoutJourney: _journey, Imprint: _imprint, ...handoffs } = checkout;
const RESPONSES = { ...handoffs, ...discovery, ...quote, ResolvedHandoff, Problem };
const REQUESTS = { SpecialItem, WaypointIn };

const named = [
  ...Object.entries(REQUESTS).map(([name, schema]) => [name, jsonSchemaOf(schema, { namesNull: true })] as const),
  ...Object.entries(RESPONSES).flatMap(([name, schema]) =>
    "shape" in schema ? [[name, jsonSchemaOf(schema)] as const] : [],
  ),
];

const names = new Map(named.map(([name, schema]) => [keyOf(schema), name]));

/** The contract's named schemas, for `components.schemas`. */
export const componentSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  named.map(([name, schema]) => [name, mapValues(schema, withReferences)]),
);

/** The JSON Schema with a `$ref` in place of each named schema, whose description stays beside the `$ref`. */
export function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as JsonSchema;
  const name = schema.type === "object" ? names.get(keyOf(schema)) : undefined;
  if (name === undefined) return mapValues(schema, withReferences);
  const { description } = schema;
  return { ...(description !== undefined && { description }), $ref: `#/components/schemas/${name}` };
}

function keyOf({ description: _, ...schema }: JsonSchema): string {
  return JSON.stringify(schema);
}

function mapValues(record: JsonSchema, map: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
