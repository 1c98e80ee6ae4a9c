import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiExample, readApiExamples } from "../../rest-shim/api-examples.ts";
import { openApi } from "../../rest-shim/openapi.ts";
import { restOperations } from "../../rest-shim/operations.ts";
import { ERROR_CODES } from "../../src/contract/errors.ts";
import { Problem } from "../../src/contract/problem.ts";
import { parseArguments } from "../../src/contract/request-fields.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { assertMadeBy } from "../support/assert-declared.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aService, request } from "../support/service.ts";

const SITE = {
  publicUrl: "https://quotes.example.com",
  issuer: "https://login.example.com",
  operator: { name: "Example Transfers", email: "bookings@transfers.example" },
};
const OAUTH = { authorizationUrl: "https://a.test", tokenUrl: "https://t.test", clientId: "c", audience: "a" };
const { paths }: Fields = openApi(SITE);
const described = new Map<string, Fields>(
  Object.values<Fields>(paths)
    .flatMap((methods) => Object.values<Fields>(methods))
    .map((operation) => [operation.operationId, operation]),
);

test("every operation and every code has a recorded call that the contract allows", () => {
  const examples = readApiExamples();
  const ids = (of: readonly ApiExample[]) => of.map(({ operationId }) => operationId);
  assert.deepEqual(ids(examples.operations).sort(), [...described.keys()].sort());
  for (const { operationId, args, response } of examples.operations) {
    const tool = restOperations.find((row) => row.operationId === operationId)?.tool;
    assert.ok(tool);
    assertMadeBy(tool.output, response, operationId);
    assert.ok(parseArguments(tool.input, args).issues.length === 0, operationId);
  }
  assert.deepEqual(
    examples.problems.map(({ response }) => Problem.parse(response).code),
    ERROR_CODES,
  );
});

test("each operation names its schemas, its security and its group, and has a title of its own", () => {
  assert.equal(new Set([...described.values()].map(({ summary }) => summary)).size, described.size);
  for (const { operationId, security, tags, responses } of described.values()) {
    assert.ok(Array.isArray(security) && tags.length === 1, operationId);
    const [success] = Object.values<Fields>(responses);
    assert.match(success?.content["application/json"]?.schema.$ref ?? "", /^#\/components\/schemas\/\w+$/, operationId);
  }
  const known: Fields = openApi({ ...SITE, oauth: OAUTH });
  const scopes = known.components.securitySchemes.oauth.flows.authorizationCode.scopes;
  for (const scope of SCOPES) assert.ok(scopes[scope], scope);
  assert.deepEqual(known.paths["/quotes"].post.security, [{ oauth: ["quote:create"] }, { bearer: [] }]);
  assert.deepEqual(known.paths["/policies/{policy_key}"].get.security, [{}, { oauth: ["discovery"] }, { bearer: [] }]);
  assert.deepEqual(described.get("resolveCheckoutHandoff")?.security, []);
});

test("where the issuer's endpoints are unknown, the scheme describes the scopes and no operation names them", () => {
  assert.deepEqual(described.get("createQuote")?.security, [{ oauth: [] }, { bearer: [] }]);
  const { components }: Fields = openApi({ ...SITE, scopePrefix: "api://quotes/" });
  const { type, description } = components.securitySchemes.oauth;
  assert.equal(type, "openIdConnect");
  for (const scope of SCOPES) assert.ok(description.includes(`\`api://quotes/${scope}\``), scope);
});

test("/openapi.json serves the document, with its own address in the examples", async (t) => {
  const { publicUrl } = await aService(t);
  const { body } = await request(`${publicUrl}/openapi.json`);
  const expected = openApi({ ...SITE, publicUrl, oauth: OAUTH });
  assert.deepEqual(body.paths, JSON.parse(JSON.stringify(expected.paths)));
  const { checkout_url: link } =
    body.paths["/checkout-sessions"].post.responses[200].content["application/json"].example;
  assert.ok(link.startsWith(`${publicUrl}/checkout?`), link);
});
