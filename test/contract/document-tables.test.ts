import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { restOperations } from "../../rest-shim/operations.ts";
import { VehicleClassList } from "../../src/contract/discovery.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { type JsonSchema, jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { loadCatalog } from "../../src/domain/catalog/catalog.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { tools } from "../../tools/tools.ts";
import * as document from "./document-tables.ts";

const references = new Map<unknown, string>(document.TABLES.map(({ title, schema }) => [schema._def.shape, title]));

for (const { title, schema, kind, rows } of document.TABLES)
  suite(`the table "${title}"`, () => {
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = jsonSchemaOf(schema, { references }) as {
      readonly properties?: Readonly<Record<string, JsonSchema>>;
      readonly required?: readonly string[];
      readonly additionalProperties?: boolean;
    };

    test("names exactly the fields there are", () => {
      assert.deepEqual(Object.keys(properties).sort(), rows.map(([name]) => name).sort());
    });

    for (const [name, type, needed, fallback = "", bounds = ""] of rows)
      test(`${name}: ${type}, ${needed}, ${fallback}, ${bounds}`, () => {
        const field = properties[name] ?? {};
        const isRequired = required.includes(name) ? "yes" : "no";
        // Null in a request means omitted.
        const stated =
          kind === "request"
            ? [type.replace(" or null", ""), needed, fallback.replace("null", "")]
            : [type, needed, fallback];
        assert.deepEqual(rowOf(field, isRequired), [...stated, bounds]);
        const codes = name === "code" && title === "Problem" ? document.ERROR_CODES.map(([code]) => code) : undefined;
        const values = name === "booking_type" && kind === "request" ? ["point_to_point", "hourly"] : codes;
        assert.deepEqual(field.enum, values);
      });

    test(kind === "open" ? "keeps unknown fields" : "refuses unknown fields", () => {
      assert.equal(additionalProperties, kind === "open" ? undefined : false);
    });
  });

/** Type, required, default and bounds, in the words of the document. */
function rowOf({ type, format, $ref, items, default: fallback, ...schema }: JsonSchema, required: string) {
  const [base, orNull] = [type].flat();
  const item = items as JsonSchema | undefined;
  const of = item && (item.$ref ?? item.type) !== undefined ? ` of ${item.$ref ?? item.type}` : "";
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const bounds = [
    minimum !== undefined && (maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`),
    minLength !== undefined && `length ${minLength} to ${maxLength}`,
    minLength === undefined && maxLength !== undefined && `max length ${maxLength}`,
    maxItems !== undefined && `at most ${maxItems} items`,
  ];
  const word = $ref ?? (format === "date-time" ? format : base);
  return [
    `${word}${of}${orNull ? " or null" : ""}`,
    required,
    fallback === undefined ? "" : JSON.stringify(fallback).replaceAll('"', "") || "empty string",
    bounds.filter(Boolean).join(),
  ];
}

test("the values of luggage_definitions are luggage definitions", () => {
  assert.equal(VehicleClassList.shape.luggage_definitions.safeParse({ large: {} }).success, false);
});

test("the error catalog has the codes with their status and retryability", () => {
  const entries = Object.entries(ERRORS).map(([code, { status, retryable }]) => [code, status, retryable]);
  assert.deepEqual(entries, document.ERROR_CODES);
});

test("the operations have their method, path, access, tier, tool and status of success", () => {
  const rows = restOperations.map(({ operationId, method, path, tool, success }) => {
    const { access } = tool;
    const auth = access.kind === "scope" ? access.scope : access.kind === "open" ? "none" : access.kind;
    const mcpTool = tools.includes(tool) ? tool.name : "none";
    return [operationId, `${method.toUpperCase()} ${path}`, auth, tool.rateTier, mcpTool, success ?? 200];
  });
  assert.deepEqual(rows, document.OPERATIONS);
  const listed = new Set(document.OPERATIONS.map(([, , , , tool]) => tool).filter((tool) => tool !== "none"));
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...listed],
  );
  assert.deepEqual([...SCOPES].sort(), ["checkout:prepare", "discovery", "quote:create", "quote:read-own"]);
});

test("the default catalog has the published budgets", () => {
  const { budgets } = loadCatalog(join(packageRoot, "fixtures", "catalog"));
  const rows = Object.entries(budgets).map(([tier, { points, seconds }]) => [tier, points, seconds]);
  assert.deepEqual(rows, document.BUDGETS);
});
