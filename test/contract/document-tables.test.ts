import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { z } from "zod/v3";
import { restOperations } from "../../rest-shim/operations.ts";
import { VehicleClassList } from "../../src/contract/discovery.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { parseArguments } from "../../src/contract/request-fields.ts";
import { loadCatalog } from "../../src/domain/catalog/catalog.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { tools } from "../../tools/tools.ts";
import type { Fields, Row } from "./document-tables.ts";
import * as document from "./document-tables.ts";

/** One value of each JSON type, and which of them a field of the document's type takes. */
// biome-ignore format: a table reads by its columns
const SAMPLES = { text: "text", instant: "2027-01-15T13:30:00Z", whole: 3, fraction: 2.5, truth: true, list: [], map: {} };
// biome-ignore format: a table reads by its columns
const TAKES: Readonly<Record<string, readonly (keyof typeof SAMPLES)[]>> = {
  string: ["text", "instant"],
  "open string": ["text", "instant"],
  "date-time": ["instant"],
  "flight number": ["text"],
  integer: ["whole"],
  number: ["whole", "fraction"],
  boolean: ["truth"],
  array: ["list"],
  object: ["map"],
  RouteBasis: ["map"],
  // It has required fields, in a table of its own.
  Operator: [],
};
/** Strings with a closed set of values. */
const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  booking_type: ["point_to_point", "hourly"],
  code: document.ERROR_CODES.map(([code]) => code),
};
const ITEMS: Readonly<Record<string, Fields | "string" | "integer">> = {
  ...Object.fromEntries(document.TABLES.map(({ title, schema }) => [title, schema])),
  string: "string",
  integer: "integer",
};

test("every table of the document has a schema", () => {
  assert.deepEqual(
    document.TABLES.map(({ title }) => title),
    document.TITLES,
  );
});

for (const { title, schema, kind, rows } of document.TABLES) {
  suite(`the table "${title}"`, () => {
    test("names exactly the fields there are", () => {
      assert.deepEqual(Object.keys(schema.shape).sort(), rows.map(([name]) => name).sort());
    });

    for (const row of rows) test(`${row[0]}: ${row[1]}, ${row[2]}`, () => compare(fieldOf(schema, row[0]), row, kind));

    test(kind === "open" ? "keeps an unknown field" : "refuses an unknown field by its name", () => {
      const given = { ...smallest(rows), surprise: "kept" };
      const parsed = schema.safeParse(given);
      if (kind === "open") return assert.equal(parsed.data?.surprise, "kept");
      assert.deepEqual(
        parsed.error?.issues.map((issue) => "keys" in issue && issue.keys),
        [["surprise"]],
      );
    });

    test("is satisfied by the required fields alone", () => {
      assert.equal(schema.safeParse(smallest(rows)).success, true);
    });
  });
}

function compare(field: z.ZodTypeAny, row: Row, kind: string): void {
  const [name, type, required, fallback = "", bounds = ""] = row;
  const takes = (value: unknown) =>
    kind === "request"
      ? parseArguments(z.object({ value: field }), { value }).issues.length === 0
      : field.safeParse(value).success;
  assert.equal(takes(undefined), required === "no", "left out");
  assert.equal(takes(null), type.endsWith(" or null") || (kind === "request" && required === "no"), "null");
  if (fallback !== "") assert.deepEqual(field.parse(undefined) ?? null, literal(fallback), "default");
  const [base = "", item] = type.replace(/ or null$/, "").split(" of ");
  const enumeration = type === "open string" ? undefined : ENUMERATIONS[name];
  for (const value of enumeration ?? []) assert.equal(takes(value), true, value);
  for (const kind of Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]) {
    const expected = !enumeration && (TAKES[base]?.includes(kind) ?? false);
    assert.equal(takes(SAMPLES[kind]), expected, `a value of kind ${kind}`);
  }
  if (item !== undefined) checkItems(takes, item);
  checkBounds(takes, { base, item }, bounds, enumeration !== undefined);
}

function checkItems(takes: (value: unknown) => boolean, item: string): void {
  const schema = ITEMS[item];
  assert.ok(schema, `unknown item ${item}`);
  assert.equal(takes([null]), false);
  if (typeof schema === "object") {
    assert.equal(takes([{}]), false, "an item without its required fields");
    assert.equal(takes(["text"]), false);
  } else {
    assert.equal(takes(["text"]), schema === "string");
    assert.equal(takes([3]), schema === "integer");
    assert.equal(takes([2.5]), false);
  }
}

/** Items that a list takes, by their type. */
const ITEM_SAMPLES: Readonly<Record<string, object>> = {
  "Waypoint (in)": { name: "Bern" },
  "Special item": { kind: "skis", count: 1 },
};

function checkBounds(
  takes: (value: unknown) => boolean,
  { base, item = "" }: { readonly base: string; readonly item: string | undefined },
  bounds: string,
  closed: boolean,
): void {
  if (bounds === "") return;
  const [least, most] = [/(-?\d+) to/, /(?:to|length|at most) (-?\d+)(?! to)/].map((each) => each.exec(bounds)?.[1]);
  const step = base === "number" ? 0.01 : 1;
  const of = (size: number): unknown => {
    if (base === "string") return "x".repeat(size);
    return base === "array" ? Array.from({ length: size }, () => ITEM_SAMPLES[item]) : size;
  };
  if (bounds === "greater than 0") {
    assert.deepEqual([-1, 0, 1, 1_000_000].map(takes), [false, false, true, true]);
    return;
  }
  assert.ok(most !== undefined, `bounds not understood: ${bounds}`);
  if (!closed) assert.equal(takes(of(Number(most))), true, `at most ${most}`);
  assert.equal(takes(of(Number(most) + step)), false, `over ${most}`);
  if (least === undefined) return;
  assert.equal(takes(of(Number(least))), true, `at least ${least}`);
  assert.equal(takes(of(Number(least) - step)), false, `under ${least}`);
}

test("the values of luggage_definitions are luggage definitions", () => {
  assert.equal(VehicleClassList.shape.luggage_definitions.safeParse({ large: {} }).success, false);
});

test("the error catalog has the 17 codes with their status and retryability", () => {
  const entries = Object.entries(ERRORS).map(([code, { status, retryable }]) => [code, status, retryable]);
  assert.deepEqual(entries, document.ERROR_CODES);
  assert.equal(entries.filter(([, , retryable]) => retryable).length, 4);
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

function fieldOf(schema: Fields, name: string): z.ZodTypeAny {
  const field = schema.shape[name];
  assert.ok(field, `there is no field ${name}`);
  return field;
}

function smallest(rows: readonly Row[]): Record<string, unknown> {
  const required = rows.filter(([, , needed]) => needed === "yes");
  return Object.fromEntries(
    required.map(([name, type]) => {
      const [kind = "text"] = TAKES[type.split(" of ")[0] ?? ""] ?? [];
      return [name, type === "open string" ? SAMPLES.text : (ENUMERATIONS[name]?.[0] ?? SAMPLES[kind])];
    }),
  );
}

function literal(text: string): unknown {
  if (text === "empty string") return "";
  return /^(null|true|false|-?\d+)$/.test(text) ? JSON.parse(text) : text;
}
