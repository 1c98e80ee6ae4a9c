import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { readApiExamples } from "../../rest-shim/api-examples.ts";
import { type RestOperation, restOperations } from "../../rest-shim/operations.ts";
import { httpRequest, parametersOf } from "../../rest-shim/parameters.ts";
import { type JsonSchema, jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aService } from "../support/service.ts";
import { handoff } from "../support/traveler.ts";
import { wholeFile } from "../support/whole-file.ts";

const RUNS = Math.ceil(2_000 / restOperations.length);
/** The same requests every time; PROPERTY_SEED tries others. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);
const service = await aService(wholeFile, { env: { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(wholeFile) } });
const token = await service.token();
const [{ url }] = await handoff(service);
const { quote_id, fleet_id, sig } = Object.fromEntries(new URL(url).searchParams);
const live = { quote_id, fleet_id: Number(fleet_id), sig };
const recorded = new Map(
  readApiExamples().operations.map(({ operationId, args }) => {
    const current = Object.entries(live).filter(([name]) => name in args);
    return [operationId, { ...args, ...Object.fromEntries(current) }];
  }),
);

/** Built once, because fast-check maps a million characters for each. */
const anyText = fc.string({ unit: "binary", maxLength: 600 });

/** Values of the schema's type, at its bounds and beyond them, and values of other types. */
function anyValueOf({
  type,
  enum: values,
  items,
  minimum = 0,
  maximum = 60,
  ...schema
}: JsonSchema): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constant(null), fc.string(), fc.double(), fc.boolean(), fc.constant({}), fc.constant([]));
  const right = (): fc.Arbitrary<unknown> => {
    if (Array.isArray(values)) return fc.constantFrom(...values);
    if ([type].flat().includes("array")) return fc.array(anyValueOf(items as JsonSchema), { maxLength: 4 });
    if ([type].flat().includes("object")) return argumentsOf(schema as ObjectSchema, {});
    if ([type].flat().includes("boolean")) return fc.boolean();
    if ([type].flat().includes("string")) return anyText;
    return fc.integer({ min: Number(minimum) - 1, max: Number(maximum) + 1 });
  };
  return fc.oneof({ arbitrary: right(), weight: 4 }, { arbitrary: wrong, weight: 1 });
}

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** A character that HTTP allows in a header. */
const headerCharacter = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(0x09))
  .map((code) => String.fromCharCode(code));
const anyHeader = fc.string({ unit: headerCharacter, maxLength: 600 });

/**
 * Arguments in which some of the valid ones are replaced, removed or joined by unknown ones. Those `inHeaders` are text
 * that can be sent there.
 */
function argumentsOf(
  { properties = {} }: ObjectSchema,
  valid: Readonly<Record<string, unknown>>,
  inHeaders: readonly string[] = [],
) {
  const argumentOf = (name: string, schema: JsonSchema) => (inHeaders.includes(name) ? anyHeader : anyValueOf(schema));
  const changes = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, argumentOf(name, schema)])),
    { requiredKeys: [] },
  );
  const kept = fc.subarray(Object.entries(valid), { minLength: Math.max(0, Object.keys(valid).length - 1) });
  const unknown = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 1 });
  return fc
    .tuple(kept, changes, unknown, fc.nat(3))
    .map(([entries, changed, more, dice]) => ({
      ...Object.fromEntries(entries),
      ...(dice > 0 && changed),
      ...(dice === 2 && more),
    }));
}

const statuses = new Set<number>();

for (const row of restOperations) {
  const { operationId } = row;
  const seed = seedOf(operationId);
  test(`${RUNS} generated requests to ${operationId} get only answers that the document describes`, async () => {
    const schema = jsonSchemaOf(row.tool.input) as ObjectSchema;
    const sent = fc.asyncProperty(
      argumentsOf(schema, recorded.get(operationId) ?? {}, inHeadersOf(row)),
      async (args) => {
        const { path, ...request } = httpRequest(row, args);
        // `service.api` fails on statuses, codes and bodies that are not declared.
        const answer = await service.api(path.slice(API_BASE.length), { ...request, token });
        statuses.add(answer.status);
        assert.notEqual(answer.status, 500);
        assert.match(answer.headers.get("content-type") ?? "", /^application\/(problem\+)?json/);
      },
    );
    const { failed, counterexample, errorInstance } = await fc.check(sent, { numRuns: RUNS, seed });
    // The report of fast-check would repeat the whole answer.
    const [args] = counterexample ?? [];
    if (failed) assert.fail(`${operationId} ${JSON.stringify(args)}, PROPERTY_SEED=${SEED}: ${errorInstance}`);
  });
}

test("the generated requests were answered in every way", () => {
  for (const status of [200, 201, 404, 422]) assert.ok(statuses.has(status), `no request was answered ${status}`);
});

/** A seed for each operation, so that a new operation does not change the requests to others. */
function seedOf(operationId: string): number {
  return createHash("sha256").update(`${SEED} ${operationId}`).digest().readInt32BE();
}

/** The arguments that REST sends in headers. */
function inHeadersOf(row: RestOperation): readonly string[] {
  return parametersOf(row).flatMap((parameter) => (parameter.in === "header" ? [parameter.argument] : []));
}
