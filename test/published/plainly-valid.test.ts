import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import fc from "fast-check";
import { z } from "zod/v3";
import { FarCitiesFile, PlacesFile } from "../../src/places/schema.ts";
import { isPlainlyValid } from "../../src/published/plainly-valid.ts";
import { RoadsFile } from "../../src/routing/schema.ts";
import { DEFAULT_CATALOGUE } from "../support/default-catalogue.ts";

const place = {
  id: "chur",
  name: "Chur",
  kind: "town",
  country: "CH",
  canton: "GR",
  postcodes: ["7000"],
  lat: 46.85,
  lng: 9.53,
  main: true,
  carFree: { dropOff: "chur-west", onward: "On foot." },
};
const node = { id: "a", name: "A", lat: 46, lng: 7 };
const edge = {
  from: "a",
  to: "b",
  km: 1.5,
  minutes: 2,
  road: "car_train",
  closed: { from: "11-01", to: "05-31" },
  carTrain: { railMinutes: 1, waitMinutes: 0, fareRappen: 0, byArrangement: true },
  toll: { fareRappen: 100 },
  source: "map",
  checked: "2026-11",
};

suite("what is plainly valid", () => {
  test("is every packaged file of places and roads, so that all of them start fast", () => {
    for (const [folder, schema] of [
      ["places", PlacesFile],
      ["roads", RoadsFile],
    ] as const) {
      for (const file of readdirSync(join(DEFAULT_CATALOGUE, folder))) {
        const content = JSON.parse(readFileSync(join(DEFAULT_CATALOGUE, folder, file), "utf8"));
        assert.ok(isPlainlyValid(file === "cities-far.json" ? FarCitiesFile : schema, content), file);
      }
    }
  });

  test("is nothing that a schema fills in, takes away or turns into something else", () => {
    const text = z.string();
    for (const [schema, value] of [
      [z.object({ aliases: z.array(text).default([]) }).strict(), {}],
      [z.object({ name: text }), { name: "Chur", more: 1 }],
      [z.object({ name: text.trim() }).strict(), { name: " Chur" }],
      [z.object({ name: text.transform((name) => name.length) }).strict(), { name: "Chur" }],
    ] as const) {
      assert.ok(schema.safeParse(value).success);
      assert.equal(isPlainlyValid(schema, value), false);
    }
  });

  test("is no number beyond all numbers", () => {
    const schema = z.object({ km: z.number() }).strict();
    assert.ok(isPlainlyValid(schema, JSON.parse('{"km":1e30}')));
    assert.equal(isPlainlyValid(schema, JSON.parse('{"km":1e999}')), false);
  });

  for (const [name, schema, sample] of [
    ["places", PlacesFile, { places: [place] }],
    ["roads", RoadsFile, { region: "R", nodes: [node], edges: [edge] }],
  ] as const) {
    test(`is nothing that the schema of ${name} refuses, whatever is changed in a file`, () => {
      assert.ok(isPlainlyValid(schema, sample));
      const value = fc.oneof(
        fc.constantFrom("", "a", "A B", "11-01", "13-01", "CHE", "x".repeat(129), null, true, false),
        fc.constantFrom(-91, -1, 0, 0.5, 1, 181, 501, 601),
        fc.constantFrom([], {}, [1]),
      );
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom("set", "remove", "add"), value, (where, how, changed) => {
          const content = JSON.parse(JSON.stringify(change(structuredClone(sample), where, how, changed)));
          const parsed: z.SafeParseReturnType<unknown, unknown> = schema.safeParse(content);
          if (isPlainlyValid(schema, content)) assert.deepEqual(parsed, { success: true, data: content });
        }),
        { numRuns: 2_000 },
      );
    });
  }
});

/** The content with one field of one of its objects set, removed or added. */
function change(content: object, where: number, how: string, value: unknown): object {
  const fields = fieldsOf(content);
  const field = fields[where % fields.length];
  if (!field) return content;
  if (how === "remove") delete field.holder[field.key];
  else field.holder[how === "add" ? `${field.key}x` : field.key] = value;
  return content;
}

function fieldsOf(holder: object): { holder: Record<string, unknown>; key: string }[] {
  const record = holder as Record<string, unknown>;
  return Object.entries(record).flatMap(([key, value]) => [
    { holder: record, key },
    ...(typeof value === "object" && value !== null ? fieldsOf(value) : []),
  ]);
}
