import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiExample, readApiExamples } from "../../rest-shim/api-examples.ts";
import { openApi } from "../../rest-shim/openapi.ts";
import { operations } from "../../rest-shim/operations.ts";
import { ERROR_CODES } from "../../src/contract/errors.ts";
import { Problem } from "../../src/contract/problem.ts";
import { aService, request } from "../support/service.ts";

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: { readonly properties: object } } };
  };
  readonly security: readonly object[];
  readonly tags: readonly string[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
      }
    >
  >;
}

const { paths } = openApi({
  publicUrl: "https://quotes.example.com",
  issuer: "https://login.example.com",
  operator: { name: "Example Transfers", email: "bookings@transfers.example" },
}) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };
const described = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);

test("an operation lists its own path, query and header parameters", () => {
  const expected = {
    listTransferServices: ["query origin?", "query destination?"],
    getRouteByPair: ["query origin", "query destination"],
    getRoute: ["path route_key"],
    listVehicleClasses: [],
    createQuoteEstimate: [],
    createQuote: ["header Idempotency-Key?"],
    getOwnQuote: ["path quote_id"],
    createCheckoutHandoff: ["header Idempotency-Key?"],
    resolveCheckoutHandoff: ["path quote_id", "query fleet_id", "query sig"],
  };
  for (const [id, parameters] of Object.entries(expected)) {
    const listed = (described.get(id)?.parameters ?? []).map(
      ({ name, in: where, required }) => `${where} ${name}${required ? "" : "?"}`,
    );
    assert.deepEqual(listed, parameters, id);
  }
});

test("the body of a POST has the tool's arguments without the idempotency key", () => {
  const fields = (id: string) =>
    Object.keys(described.get(id)?.requestBody?.content["application/json"].schema.properties ?? {});
  assert.deepEqual(fields("createCheckoutHandoff"), ["quote_id", "fleet_id", "traveler_approval"]);
  for (const id of ["createQuote", "createQuoteEstimate"]) {
    assert.ok(fields(id).includes("pickup_datetime"));
    assert.ok(!fields(id).includes("idempotency_key"));
  }
  assert.deepEqual(fields("getRoute"), []);
});

test("every operation and every code has a recorded call that the contract allows", () => {
  const examples = readApiExamples();
  const ids = (of: readonly ApiExample[]) => of.map(({ operationId }) => operationId);
  assert.deepEqual(ids(examples.operations).sort(), [...described.keys()].sort());
  for (const { operationId, args, response } of examples.operations) {
    const tool = operations.find((row) => row.operationId === operationId)?.tool;
    assert.deepEqual(tool?.output.parse(response), response, operationId);
    assert.ok(tool?.input.safeParse(args).success, operationId);
  }
  assert.deepEqual(
    examples.problems.map(({ response }) => Problem.parse(response).code),
    ERROR_CODES,
  );
});

test("each operation names its schemas, its security and its group", () => {
  for (const { operationId, security, tags, responses } of described.values()) {
    assert.ok(Array.isArray(security) && tags.length === 1, operationId);
    const [success] = Object.values(responses);
    assert.match(success?.content["application/json"]?.schema.$ref ?? "", /^#\/components\/schemas\/\w+$/, operationId);
  }
  assert.deepEqual(described.get("createQuote")?.security, [{ oauth: ["quote:create"] }, { bearer: [] }]);
  assert.deepEqual(described.get("getPolicy")?.security, [{}, { oauth: ["discovery"] }, { bearer: [] }]);
  assert.deepEqual(described.get("resolveCheckoutHandoff")?.security, []);
});

test("an operation lists only the problems that it can return", () => {
  const problems = (id: string) =>
    Object.entries(described.get(id)?.responses ?? {})
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => `${status} ${description}`);
  assert.deepEqual(problems("listVehicleClasses"), ["403 FORBIDDEN", "429 RATE_LIMITED", "503 UPSTREAM_UNAVAILABLE"]);
  assert.deepEqual(problems("createCheckoutHandoff"), [
    "400 INVALID_REQUEST",
    "401 AUTHENTICATION_REQUIRED",
    "403 FORBIDDEN",
    "404 QUOTE_NOT_FOUND",
    "409 QUOTE_EXPIRED, MANUAL_CONFIRMATION_REQUIRED",
    "413 INVALID_REQUEST",
    "415 INVALID_REQUEST",
    "422 INVALID_REQUEST",
    "429 RATE_LIMITED",
    "503 UPSTREAM_UNAVAILABLE",
  ]);
});

test("/openapi.json serves the document", async (t) => {
  const { publicUrl } = await aService(t);
  const { body } = await request(`${publicUrl}/openapi.json`);
  assert.deepEqual(body.paths, JSON.parse(JSON.stringify(paths)));
});
