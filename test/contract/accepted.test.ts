import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { z } from "zod/v3";
import { accepted } from "../../src/contract/accepted.ts";
import { StoredQuote } from "../../src/quotes/quote.ts";
import { tools } from "../../tools/tools.ts";
import { aQuote } from "../support/quote-fixture.ts";

/** The same inputs every time; PROPERTY_SEED tries others. What fails is printed with its seed and path. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 400);

/** Values on either side of the limits that the schemas have. */
const VALUES = [
  ...[
    "",
    "Zermatt",
    "x".repeat(512),
    "x".repeat(513),
    "Z\u202eH",
    "a\nb",
    "\ud800",
    "hourly",
    "a b",
    "\x21".repeat(255),
  ],
  ...["2027-01-15T14:30:00+01:00", "2027-02-30T14:30:00+01:00", "2027-01-15T14:30:00", "9999-12-31T23:59:59-01:00"],
  ...[0, -0, 1, 3, 50, 51, 1.5, 240, 240.5, 1440, -1, 5e9, Number.NaN, Number.POSITIVE_INFINITY, "1"],
  ...[true, false, null, undefined, [], {}, [{}], [null], [undefined], new Date(0), new Map()],
  ...[[{ kind: "ski", count: 2 }], [{ kind: "ski", count: 0 }], Array(21).fill({ kind: "ski", count: 1 })],
  ...[
    [{ name: "Bern" }],
    [
      { name: "Bern", lat: 46.9, lng: 7.4 },
      { name: "Thun", lat: null },
    ],
    Array(11).fill({ name: "Bern" }),
  ],
];
const UNKNOWN = ["price", "constructor", "__proto__", "Origin"];

/** Kinds of schemas, those that are left to Zod among them, each with an input that it accepts. */
const kinds: Readonly<Record<string, readonly [schema: z.AnyZodObject, example: object]>> = {
  coerced: [z.object({ n: z.coerce.number(), s: z.coerce.string(), b: z.coerce.boolean() }).strict(), { n: "1" }],
  loose: [z.object({ n: z.number().gt(1).lt(5).multipleOf(2) }).passthrough(), { n: 2, other: 1 }],
  changed: [
    z.object({ s: z.string().trim().toUpperCase(), t: z.string().transform((text) => text.length) }).strict(),
    { s: " a", t: "Bern" },
  ],
  listed: [
    z.object({ l: z.array(z.string()).length(1), m: z.array(z.number()).min(1).max(2) }).strict(),
    { l: ["a"], m: [1, 2] },
  ],
  searched: [z.object({ s: z.string().regex(/e/g), t: z.string().regex(/Z/y) }).strict(), { s: "Zermatt", t: "Z" }],
  keyed: [
    z
      .object({ r: z.record(z.union([z.string(), z.number().min(2)])), k: z.record(z.string().max(1), z.any()) })
      .strip(),
    { r: { name: "Bern", n: 2 }, k: { a: [] }, other: 1 },
  ],
  "a stored quote": [StoredQuote, aQuote()],
  nested: [
    z.object({ o: z.object({ n: z.number().optional() }).strict().default({}), u: z.string().or(z.null()) }).strict(),
    { u: null },
  ],
};

suite("the compiled check of a value accepts what its schema accepts", () => {
  for (const { name, input, examples = [] } of tools) {
    test(name, () => compare(input as z.AnyZodObject, examples));
  }
  for (const [name, [schema, example]] of Object.entries(kinds))
    test(`schema: ${name}`, () => compare(schema, [example]));
});

function compare(schema: z.AnyZodObject, examples: readonly object[]): void {
  const value = fc.oneof(
    { arbitrary: fc.constantFrom<unknown[]>(...VALUES), weight: 9 },
    fc.jsonValue({ maxDepth: 2 }),
  );
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(schema.shape), ...UNKNOWN), value, {
    maxKeys: 3,
    noNullPrototype: true,
  });
  const outcomes = new Set<boolean>();
  const property = fc.property(fc.constantFrom({}, ...examples), changes, value, (example, changed, other) => {
    for (const input of [{ ...example, ...changed }, Object.assign(Object.create(null), example), other]) {
      const { success, data } = schema.safeParse(input);
      const result = accepted(schema, input);
      assert.deepEqual(result, success ? data : undefined);
      assert.equal(JSON.stringify(result), JSON.stringify(success ? data : undefined));
      outcomes.add(success);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const example of examples) assert.deepEqual(accepted(schema, example), schema.parse(example));
  assert.deepEqual([...outcomes].sort(), [false, true]);
}
