import * as checkout from "../src/contract/checkout.ts";
import * as discovery from "../src/contract/discovery.ts";
import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { Problem } from "../src/contract/problem.ts";
import * as quote from "../src/contract/quote.ts";
import { SpecialItem, WaypointIn } from "../src/contract/quote-request.ts";
import type { Operation } from "../src/service/calls/operation.ts";
import { ResolvedHandoff } from "../tools/resolve-checkout-handoff.ts";

/** Schemas of the contract by their names there, but those of a request body and of parts, which stand in the whole. */
const { CheckoutRequest: _request, CheckoutJourney: _journey, Imprint: _imprint, ...handoffs } = checkout;
const REQUESTS = { SpecialItem, WaypointIn };
const NAMED = { ...REQUESTS, ...handoffs, ...discovery, ...quote, ResolvedHandoff, Problem };

const named = Object.entries(NAMED).flatMap(([name, schema]) => ("shape" in schema ? [[name, schema] as const] : []));
const references = new Map<unknown, string>(
  named.map(([name, { _def }]) => [_def.shape, `#/components/schemas/${name}`]),
);

/** The contract's named schemas, for `components.schemas`. */
export const componentSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  named.map(([name, schema]) => [name, jsonSchemaOf(schema, { namesNull: name in REQUESTS, references })]),
);

/** The JSON Schema with a `$ref` for each named schema. */
export function withReferences(schema: Operation["output"], { namesNull = false } = {}): JsonSchema {
  const $ref = references.get(schema._def.shape);
  return $ref ? { $ref } : jsonSchemaOf(schema, { namesNull, references });
}
