import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { operations } from "../../rest-shim/operations.ts";
import { type JsonSchema, jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { Problem } from "../../src/contract/problem.ts";
import { Quote } from "../../src/contract/quote.ts";
import { EstimateRequest, QuoteRequest } from "../../src/contract/quote-request.ts";

const FORBIDDEN_WORDS = ["anyOf", "oneOf", "allOf", "not", "$ref", "$schema", "$defs", "definitions"];
const schemas = new Map<string, JsonSchema>([["Problem", jsonSchemaOf(Problem)]]);
for (const { operationId, tool } of operations) {
  schemas.set(`${operationId} input`, jsonSchemaOf(tool.input));
  schemas.set(`${operationId} output`, jsonSchemaOf(tool.output));
}

for (const [name, schema] of schemas) {
  suite(`the JSON Schema of ${name}`, () => {
    test("is an object with properties, without unions and references", () => {
      assert.equal(schema.type, "object");
      assert.equal(typeof schema.properties, "object");
      for (const [path, node] of nodesOf(schema, name)) {
        assert.deepEqual(
          Object.keys(node).filter((word) => FORBIDDEN_WORDS.includes(word)),
          [],
          path,
        );
      }
    });

    test("says a type everywhere", () => {
      for (const [path, node] of nodesOf(schema, name)) {
        assert.ok(node.type !== undefined, `${path} is empty`);
        if (node.type !== "object") continue;
        const hasContent =
          Object.keys((node.properties as object) ?? {}).length > 0 || node.additionalProperties !== undefined;
        assert.ok(hasContent, `${path} says nothing of its fields`);
      }
    });

    test("closes requests and leaves answers open", () => {
      for (const [path, node] of nodesOf(schema, name)) {
        if (![node.type].flat().includes("object") || !node.properties) continue;
        assert.equal(node.additionalProperties, name.endsWith("output") ? undefined : false, path);
      }
    });
  });
}

test("every argument is described", () => {
  for (const [name, schema] of schemas) {
    if (!name.endsWith("input")) continue;
    for (const [field, { description }] of Object.entries(propertiesOf(schema))) {
      assert.ok(description, `${name}: ${field}`);
    }
  }
});

test("date-times have their format, with and without null", () => {
  const { pickup_datetime, return_datetime } = propertiesOf(jsonSchemaOf(QuoteRequest, { namesNull: true }));
  assert.deepEqual([pickup_datetime?.type, pickup_datetime?.format], ["string", "date-time"]);
  assert.deepEqual([return_datetime?.type, return_datetime?.format], [["string", "null"], "date-time"]);
  const { expires_at } = propertiesOf(jsonSchemaOf(Quote));
  assert.deepEqual([expires_at?.type, expires_at?.format], [["string", "null"], "date-time"]);
});

test("'or null' is one more type where it is asked for, and bounds, items and defaults stay", () => {
  const fields = propertiesOf(jsonSchemaOf(EstimateRequest, { namesNull: true }));
  assert.deepEqual(only(fields.adults, "type", "minimum", "maximum"), [["integer", "null"], 0, 50]);
  assert.deepEqual(only(fields.distance_km, "type", "minimum", "maximum"), [["number", "null"], 0, 5000]);
  assert.deepEqual(only(fields.waypoints, "type", "maxItems"), [["array", "null"], 10]);
  assert.deepEqual(only(fields.passengers, "type", "minimum", "maximum", "default"), [["integer", "null"], 1, 50, 1]);
  assert.deepEqual(only(fields.booking_type, "type", "enum"), [
    ["string", "null"],
    ["point_to_point", "hourly", null],
  ]);
  assert.equal(propertiesOf(jsonSchemaOf(EstimateRequest)).adults?.type, "integer");
  assert.deepEqual(only(fields.origin, "type", "minLength", "maxLength"), ["string", 1, 512]);
  const stop = propertiesOf(fields.waypoints?.items as JsonSchema);
  assert.deepEqual(only(stop.lat, "type", "minimum", "maximum"), [["number", "null"], -90, 90]);
  assert.deepEqual(only(stop.place_id, "type", "maxLength"), [["string", "null"], 256]);
});

test("only fields without a default are required of the caller", () => {
  assert.deepEqual(jsonSchemaOf(QuoteRequest).required, ["origin", "pickup_datetime"]);
});

/** Every schema within a schema, with its path. */
function* nodesOf(node: JsonSchema, path: string): Generator<readonly [string, JsonSchema]> {
  yield [path, node];
  for (const [name, child] of Object.entries(propertiesOf(node))) yield* nodesOf(child, `${path}.properties.${name}`);
  for (const word of ["items", "additionalProperties"]) {
    const child = node[word];
    if (typeof child === "object" && child !== null) yield* nodesOf(child as JsonSchema, `${path}.${word}`);
  }
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

function only(schema: JsonSchema | undefined, ...words: readonly string[]): readonly unknown[] {
  return words.map((word) => schema?.[word]);
}
