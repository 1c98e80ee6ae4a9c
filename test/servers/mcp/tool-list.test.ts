import assert from "node:assert/strict";
import { test } from "node:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { type JsonSchema, jsonSchemaOf } from "../../../src/contract/json-schema.ts";
import { parseArguments } from "../../../src/contract/request-fields.ts";
import { toolList } from "../../../src/servers/mcp/mcp-tools.ts";
import { instructions } from "../../../src/servers/mcp/server-info.ts";
import { tools } from "../../../tools/tools.ts";
import { aClock } from "../../support/fake-clock.ts";
import { postsTo } from "../../support/mcp-messages.ts";
import { aService } from "../../support/service.ts";

type Schema = Readonly<Record<string, unknown>>;

const DAY = { now: aClock().now(), timeZone: "Europe/Zurich" };
const listed = toolList(tools, DAY).tools;

const NAMES: readonly string[] = listed.map(({ name }) => name);

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
/** Hosts hand a model the name, the description and the input schema of a tool, in every conversation, called or not. */
const readByModels = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

test("the tool list is the same each time it is made, and what a model reads of it is short", (t) => {
  assert.equal(JSON.stringify(toolList(tools, DAY)), JSON.stringify({ tools: listed }));
  const sizes = readByModels.map((tool) => [tool.name, bytesOf(tool)] as const);
  for (const [name, bytes] of sizes) {
    t.diagnostic(`${name}: ${bytes} bytes`);
    const isOfAQuote = ["estimate_transfer_quote", "create_transfer_quote"].includes(name);
    assert.ok(isOfAQuote || bytes <= 900, `${name}: ${bytes} bytes`);
  }
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  assert.ok(total <= 12_500, `${total} bytes`);
  const responses = listed.reduce((sum, { outputSchema }) => sum + bytesOf(outputSchema), 0);
  assert.ok(responses <= 9_000, `${responses} bytes of output schemas`);
});

test("the instructions are under 1,500 characters and name no tool that does not exist", () => {
  assert.ok(instructions.length < 1_500, `${instructions.length} characters`);
  const named: readonly string[] = instructions.match(/\b(list|get|create|estimate)_[a-z_]+/g) ?? [];
  assert.deepEqual(
    named.filter((name: string) => !NAMES.includes(name)),
    [],
  );
  assert.ok(named.includes("create_transfer_quote") && named.includes("create_checkout_handoff"));
});

for (const tool of listed) {
  const { name, title, description = "", inputSchema, outputSchema = {}, annotations } = tool;

  test(`${name}: name, title and annotations say what it does`, () => {
    assert.match(name, /^(?=.{1,40}$)[a-z]+(_[a-z]+)+$/);
    assert.equal(listed.filter((other) => other.title === title).length, 1);
    assert.deepEqual(annotations, {
      title,
      readOnlyHint: !["create_transfer_quote", "create_checkout_handoff"].includes(name),
      destructiveHint: false,
      idempotentHint: annotations?.idempotentHint === true,
      openWorldHint: annotations?.openWorldHint === true,
    });
  });

  test(`${name}: the description is short, with what travelers say and examples that are accepted`, () => {
    assert.ok(description.length < 1_024, `${description.length} characters`);
    const [prose = "", calls = ""] = description.split(" Examples: ");
    assert.ok((prose.match(/"[^"]+"/g) ?? []).length >= 2, prose);
    for (const text of calls.split(" or ")) {
      const example = JSON.parse(text);
      const published = new AjvJsonSchemaValidator().getValidator(inputSchema as Schema)(example);
      assert.ok(published.valid, published.errorMessage);
      const declared = tools.find((each) => each.name === name);
      assert.deepEqual(declared && parseArguments(declared.input, example).issues, []);
    }
  });

  test(`${name}: the output has every field with its type, and nothing that hosts refuse`, () => {
    const declared = jsonSchemaOf(tools.find((each) => each.name === name)?.output ?? assert.fail());
    const { properties, required } = declared as { properties: Record<string, Schema>; required?: string[] };
    const types = Object.entries(properties).map(([field, { type }]) => [
      field,
      Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })) } : { type },
    ]);
    assert.deepEqual([outputSchema.properties, outputSchema.required], [Object.fromEntries(types), required]);
    assert.notEqual((outputSchema as Schema).additionalProperties, false, "it is open");
    const refused = /"(oneOf|allOf|not|\$ref|\$defs|definitions|\$schema)":|"type":\[/;
    assert.doesNotMatch(JSON.stringify(outputSchema), refused);
  });
}

/**
 * What every API of a model takes in the parameters of a function, or hosts remove before they send the schema. Any other
 * keyword makes at least one of them refuse the whole request.
 *
 * - OpenAI, strict: https://platform.openai.com/docs/guides/structured-outputs (supported schemas)
 * - Gemini: https://ai.google.dev/api/caching#Schema (no list of types, no `exclusiveMinimum`)
 * - Anthropic, strict: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
// biome-ignore format: several fit on a line
const KEYWORDS: readonly string[] = [
  "type", "properties", "required", "items", "enum", "description", "format", "pattern", "default",
  "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "additionalProperties",
];
const TYPES = ["object", "array", "string", "integer", "number", "boolean"];
/** Gemini takes no other format of text than these two. */
const FORMATS = ["date-time", "enum"];

/** What a tool says of its fields; an estimate those that it has beside the fields of a quote, to which it refers. */
const described = new Map(
  listed.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})] as const),
);
described.set("estimate_transfer_quote", ["distance_km", "duration_min"]);

for (const { name, inputSchema } of listed) {
  test(`${name}: every input is described, and OpenAI, Gemini and Anthropic take the input schema`, () => {
    assert.equal(inputSchema.type, "object");
    for (const [path, schema] of schemasWithin(inputSchema as JsonSchema, name)) {
      const [, field = ""] = path.split(/[.[]/);
      const isNamed = path !== name && !path.endsWith("[]") && described.get(name)?.includes(field);
      if (isNamed) assert.ok(String(schema.description ?? "").length >= 3, `${path} has no description`);
      for (const field of (schema.required ?? []) as string[])
        assert.ok(Object.hasOwn((schema.properties ?? {}) as object, field), `${path}.${field}`);
      assert.ok(TYPES.includes(String(schema.type)) && !Array.isArray(schema.type), `${path} has one type`);
      const others = Object.keys(schema).filter((word) => !KEYWORDS.includes(word));
      assert.deepEqual(others, [], path);
      // Strict function calling of OpenAI and of Anthropic, for which an object has to be closed.
      if (schema.type === "object") assert.equal(schema.additionalProperties, false, path);
      // Without items, Gemini refuses a list.
      if (schema.type === "array") assert.equal(typeof schema.items, "object", path);
      if (schema.format !== undefined) assert.ok(FORMATS.includes(String(schema.format)), path);
      for (const value of (schema.enum ?? []) as unknown[]) assert.equal(typeof value, "string", path);
      // Look-around, back-references and \b are unknown to the grammars of strict function calling.
      assert.doesNotMatch(String(schema.pattern ?? ""), /\(\?|\\[1-9bB]/, path);
    }
  });
}

function* schemasWithin(schema: JsonSchema, path: string): Generator<readonly [string, JsonSchema]> {
  yield [path, schema];
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
    yield* schemasWithin(property, `${path}.${name}`);
  if (schema.items) yield* schemasWithin(schema.items as JsonSchema, `${path}[]`);
}

test("the examples of tools/list are dated in the future, whatever the day, while the server runs", async (t) => {
  const clock = aClock();
  const { publicUrl, token } = await aService(t, { clock });
  for (const day of ["2026-12-31", "2027-01-10", "2027-07-14", "2031-03-30"]) {
    clock.set(`${day}T22:00:00Z`);
    const { body } = await postsTo(publicUrl, await token())({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const dates = JSON.stringify(body.result).match(/20\d\d-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d/g) ?? [];
    assert.ok(dates.length >= 4);
    for (const date of dates) assert.ok(Date.parse(date) - clock.now().getTime() > 24 * 3_600_000, `${date} on ${day}`);
  }
});
