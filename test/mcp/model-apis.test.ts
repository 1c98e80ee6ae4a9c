import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { toolList } from "../../src/mcp/mcp-tools.ts";
import { tools } from "../../tools/tools.ts";

/**
 * What the API of a model does with a keyword in the parameters of a function: it takes it, or hosts remove it before they
 * send the schema. Any other keyword makes at least one of them refuse the whole request.
 *
 * - OpenAI, strict: https://platform.openai.com/docs/guides/structured-outputs (supported schemas); hosts make every
 *   field required and add null to the optional ones.
 * - Gemini: https://ai.google.dev/api/caching#Schema; a list of types and `exclusiveMinimum` are unknown to it
 *   (https://github.com/modelcontextprotocol/servers/issues/1624); its clients remove `additionalProperties`.
 * - Anthropic, strict: https://platform.claude.com/docs/en/build-with-claude/structured-outputs; its SDKs move bounds
 *   into the description.
 */
// biome-ignore format: a table reads by its columns
const KEYWORDS: Readonly<Record<string, readonly [openAi: string, gemini: string, anthropic: string]>> = {
  type:                 ["takes",   "takes",   "takes"],
  properties:           ["takes",   "takes",   "takes"],
  required:             ["takes",   "takes",   "takes"],
  items:                ["takes",   "takes",   "takes"],
  enum:                 ["takes",   "takes",   "takes"],
  description:          ["takes",   "takes",   "takes"],
  format:               ["takes",   "takes",   "takes"],
  pattern:              ["takes",   "takes",   "takes"],
  minimum:              ["takes",   "takes",   "removed"],
  maximum:              ["takes",   "takes",   "removed"],
  minLength:            ["removed", "takes",   "removed"],
  maxLength:            ["removed", "takes",   "removed"],
  minItems:             ["takes",   "takes",   "removed"],
  maxItems:             ["takes",   "takes",   "removed"],
  default:              ["removed", "takes",   "takes"],
  additionalProperties: ["takes",   "removed", "takes"],
};
const TYPES = ["object", "array", "string", "integer", "number", "boolean"];
/** Gemini takes no other format of text than these two. */
const FORMATS = ["date-time", "enum"];

for (const { name, inputSchema } of toolList(tools, { now: new Date(), timeZone: "Europe/Zurich" }).tools) {
  test(`${name}: OpenAI, Gemini and Anthropic take the input schema`, () => {
    for (const [path, schema] of schemasWithin(inputSchema as JsonSchema, name)) {
      assert.ok(TYPES.includes(String(schema.type)) && !Array.isArray(schema.type), `${path} has one type`);
      const others = Object.keys(schema).filter((word) => !Object.hasOwn(KEYWORDS, word));
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
