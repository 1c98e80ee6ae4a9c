import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readApiExamples } from "../../rest-shim/api-examples.ts";
import { operations, type RestOperation } from "../../rest-shim/operations.ts";
import { httpRequest } from "../../rest-shim/parameters.ts";
import { type JsonSchema, jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { API_BASE } from "../../src/http/request.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aService } from "../support/service.ts";
import { handoff } from "../support/traveler.ts";
import { wholeFile } from "../support/whole-file.ts";

const REQUESTS = 2_000;
/** The same requests every time; PROPERTY_SEED tries others. What fails is printed with its seed and path. */
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
    if ([type].flat().includes("string")) return fc.string({ unit: "binary", maxLength: 600 });
    return fc.integer({ min: Number(minimum) - 1, max: Number(maximum) + 1 });
  };
  return fc.oneof({ arbitrary: right(), weight: 4 }, { arbitrary: wrong, weight: 1 });
}

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Arguments in which some of the valid ones are replaced, removed or joined by unknown ones. */
function argumentsOf({ properties = {} }: ObjectSchema, valid: Readonly<Record<string, unknown>>) {
  const changes = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, anyValueOf(schema)])),
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

const requests = fc.oneof(
  ...operations.map((row) =>
    argumentsOf(jsonSchemaOf(row.tool.input) as ObjectSchema, recorded.get(row.operationId) ?? {}).map(
      (args) => [row, args] as const,
    ),
  ),
);

test(`${REQUESTS} generated requests get only answers that the document describes`, async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests, async ([row, args]) => {
      const answer = await send(row, args);
      if (!answer) return;
      statuses.add(answer.status);
      assert.notEqual(answer.status, 500);
      assert.match(answer.headers.get("content-type") ?? "", /^application\/(problem\+)?json/);
    }),
    { numRuns: REQUESTS, seed: SEED },
  );
  for (const status of [200, 201, 404, 422]) assert.ok(statuses.has(status), `no request was answered ${status}`);
});

/** `service.api` fails on statuses, codes and bodies that are not declared. `undefined` where HTTP allows no such request. */
async function send(row: RestOperation, args: Readonly<Record<string, unknown>>) {
  const { path, headers, ...request } = httpRequest(row, args);
  try {
    new Headers(headers);
  } catch {
    return undefined;
  }
  return service.api(path.slice(API_BASE.length), { ...request, headers, token });
}
