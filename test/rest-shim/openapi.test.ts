import assert from "node:assert/strict";
import { test } from "node:test";
import { openApi } from "../../rest-shim/openapi.ts";
import { aService, request } from "../support/service.ts";

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: { readonly properties: object } } };
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const { paths } = openApi("https://quotes.example.com", "https://login.example.com") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
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

test("/openapi.json serves the document, and /docs every operation and parameter of it", async (t) => {
  const { publicUrl } = await aService(t);
  const { body } = await request(`${publicUrl}/openapi.json`);
  assert.deepEqual(body.paths, JSON.parse(JSON.stringify(paths)));
  const { text } = await request(`${publicUrl}/docs`);
  for (const [id, { parameters = [] }] of described) {
    const [section = ""] = text.split(`<section id="${id}">`)[1]?.split("</section>") ?? [];
    for (const { name, in: where } of parameters) {
      assert.ok(section.includes(`<td><code>${name}</code></td><td>${where}</td>`), `${id}: ${name}`);
    }
    assert.ok(!section.includes("idempotency_key"), id);
  }
});
