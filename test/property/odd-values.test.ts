import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readApiExamples } from "../../rest-shim/api-examples.ts";
import { restOperations } from "../../rest-shim/operations.ts";
import { bodySchemaOf, httpRequest } from "../../rest-shim/parameters.ts";
import { type JsonSchema, jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { wholeFile } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aNewerRequest, ENVELOPE, NEWER, postsTo } from "../support/mcp-messages.ts";
import { createRandom } from "../support/random.ts";
import { aService } from "../support/service.ts";
import { handoff } from "../support/traveler.ts";

/** Values that `String` and template strings throw on, or whose own properties hide those of every object. */
const WITHOUT_STRING_FORM: readonly unknown[] = [
  { toString: 0 },
  { toString: null, valueOf: null },
  JSON.parse('{"__proto__":{"toString":0},"toString":{}}'),
  [{ toString: 0 }],
];
// biome-ignore format: several fit on a line
const ODD: readonly unknown[] = [
  {}, [], [null], [[[]]], nested(200), { constructor: 1 }, { hasOwnProperty: 1 }, { toJSON: 1 }, JSON.parse('{"then":1}'),
  { length: 1e9 }, JSON.parse('{"__proto__":1}'), "", " ", "\u0000", "\ud800", "__proto__", "constructor", "NaN", "null",
  "-1", "1e9", "x".repeat(5_000), true, false, 0, -0, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 53 + 2, 1e21,
];
/** How many of the odd values each field gets, besides those without a string form. */
const SAMPLE = 4;
/** PROPERTY_SEED tries others. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_125);

const service = await aService(wholeFile);
const token = await service.token();
const [{ url: link }] = await handoff(service);
const { quote_id, fleet_id, sig } = Object.fromEntries(new URL(link).searchParams);
const live = { quote_id, fleet_id: Number(fleet_id), sig };
const post = postsTo(service.publicUrl, token);
const { shuffled } = createRandom(SEED);
const examples = new Map(readApiExamples().operations.map(({ operationId, args }) => [operationId, args]));

/** Whether a value can be sent in a path, a query or a header. */
const isSendable = (value: unknown) => typeof value !== "object" && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value));

for (const row of restOperations) {
  const { tool, operationId } = row;
  const valid: Fields = { ...examples.get(operationId), ...(operationId === "resolveCheckoutHandoff" && live) };
  const inBody = Object.keys(bodySchemaOf(row)?.properties ?? {});
  for (const path of [...pathsOf(jsonSchemaOf(tool.input)), ["surprise"]]) {
    const field = path.join(".");
    test(`odd values of ${field} of ${tool.name} are answered as the document says, alike over REST and MCP`, async () => {
      for (const value of [undefined, ...WITHOUT_STRING_FORM, ...shuffled(ODD).slice(0, SAMPLE)]) {
        const args = withValue(valid, path, value);
        const sent = `${field}: ${JSON.stringify(value)?.slice(0, 80)}, PROPERTY_SEED=${SEED}`;
        const code = tool.listedOverMcp === false ? undefined : await codeOverMcp(tool.name, args);
        assert.notEqual(code, "UPSTREAM_UNAVAILABLE", sent);
        if (code && WITHOUT_STRING_FORM.includes(value)) assert.equal(code, "INVALID_REQUEST", sent);
        const isInBody = inBody.includes(path[0] ?? "") || (inBody.length > 0 && field === "surprise");
        if (!isInBody && (!isSendable(value) || value === undefined)) continue;
        // `service.api` fails on statuses, codes and bodies that are not declared.
        const { path: url, ...request } = httpRequest(row, args);
        const { status, body } = await service.api(url.slice(API_BASE.length), { ...request, token });
        assert.ok(status < 500, `${sent}: ${status}`);
        if (isInBody && code) assert.equal(body.code ?? "OK", code, sent);
      }
    });
  }
}

suite("odd values in a message around its arguments", () => {
  const POLICY = { name: "get_policy", arguments: { policy_key: "cancellation" } };
  const older = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...POLICY, _meta: {} } };
  const newer = aNewerRequest(1, "tools/call", POLICY);
  const plain = ["jsonrpc", "id", "method", "params", "params.name", "params.arguments", "params._meta"];
  const meta = [...Object.keys(ENVELOPE), "progressToken", "traceparent", "tracestate", "baggage"];
  const inner = ["name", "version"].map((key) => ["params", "_meta", "io.modelcontextprotocol/clientInfo", key]);
  const paths = [
    ...plain.map((path) => path.split(".")),
    ["params", "cursor"],
    ["params", "task"],
    ...meta.map((key) => ["params", "_meta", key]),
    ...inner,
  ];
  const NEWER_HEADERS = { "MCP-Protocol-Version": NEWER, "Mcp-Method": "tools/call", "Mcp-Name": "get_policy" };

  for (const [revision, message, headers] of [
    ["an older revision", older, {}],
    [NEWER, newer, NEWER_HEADERS],
  ] as const)
    for (const path of paths) {
      test(`${path.join(".")} in ${revision} is no fault of the server`, async () => {
        for (const value of [...WITHOUT_STRING_FORM, ...shuffled(ODD).slice(0, SAMPLE)]) {
          const { status, text, body } = await post(withValue(message, path, value), headers);
          const sent = `${JSON.stringify(value).slice(0, 80)}, PROPERTY_SEED=${SEED}: ${status} ${text.slice(0, 200)}`;
          assert.ok(status < 500 && status !== 401, sent);
          assert.notEqual(body?.error?.code, -32603, sent);
        }
      });
    }

  test("the name of a method that has no string form is -32600, that of a tool and of a revision -32602", async () => {
    for (const value of WITHOUT_STRING_FORM) {
      const codeOf = async (message: unknown) => (await post(message)).body.error.code;
      assert.equal(await codeOf(withValue(older, ["method"], value)), -32600);
      assert.equal(await codeOf(withValue(older, ["params", "name"], value)), -32602);
      const { status, body } = await post(withValue(newer, ["params", "_meta", Object.keys(ENVELOPE)[0] ?? ""], value));
      assert.deepEqual([status, body.error.code], [400, -32602]);
    }
  });
});

/** The problem code of a call over MCP, or OK. */
async function codeOverMcp(name: string, args: unknown): Promise<string> {
  const params = { name, arguments: args };
  const { status, text, body } = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  // A message that is nested too deeply is refused before it becomes a call.
  if (status === 400 && /nested more than 64 levels deep$/.test(body.error.message)) return "INVALID_REQUEST";
  assert.equal(status, 200, text.slice(0, 200));
  assert.equal(body.error, undefined, text.slice(0, 200));
  return body.result.isError ? JSON.parse(body.result.content[1].text).code : "OK";
}

/** The paths of all fields of a schema; those of a list's items are at index 0. */
function pathsOf(schema: JsonSchema): readonly (readonly string[])[] {
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  const below = { ...properties, ...(items && { 0: items }) };
  return Object.entries(below).flatMap(([name, each]) => [[name], ...pathsOf(each).map((path) => [name, ...path])]);
}

/** A copy with a value at a path, whose parents are created where they are absent. */
function withValue(target: Fields, [name = "", ...rest]: readonly string[], value: unknown): Fields {
  const copy = Array.isArray(target) || name === "0" ? [...(target ?? [])] : { ...target };
  copy[name] = rest.length === 0 ? value : withValue(copy[name], rest, value);
  return copy;
}

function nested(depth: number): unknown {
  return depth === 0 ? [] : [nested(depth - 1)];
}
