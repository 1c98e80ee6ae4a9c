import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { Problem } from "../src/contract/problem.ts";
import { API_BASE } from "../src/http/api-base.ts";
import { packageVersion } from "../src/ops/package-root.ts";
import { operations } from "./operations.ts";
import { bodySchemaOf, parametersOf } from "./parameters.ts";
import { problemsOf } from "./problems.ts";
import type { RestOperation } from "./rest-operation.ts";

/** The OpenAPI 3.1 description of the REST operations, derived from the rows that serve them. */
export function openApi(publicUrl: string, issuer: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of operations) paths[row.path] = { ...paths[row.path], [row.method]: described(row) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Transfer Quote and Checkout Handoff Public API",
      version: packageVersion,
      description: "Authoritative prices for passenger transfers and a signed handoff to checkout.",
    },
    servers: [{ url: `${publicUrl}${API_BASE}` }],
    paths,
    components: {
      schemas: { Problem: jsonSchemaOf(Problem) },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: `Access token of ${issuer}` },
      },
    },
  };
}

function described(row: RestOperation): JsonSchema {
  const { operationId, tool } = row;
  const parameters = parametersOf(row).map(({ argument: _, ...parameter }) => parameter);
  const body = bodySchemaOf(row);
  return {
    operationId,
    summary: tool.title,
    description: tool.description,
    "x-mcp-tool": tool.listedOverMcp === false ? null : tool.name,
    "x-rate-tier": tool.rateTier,
    ...(tool.access.kind === "scope" && { security: [{ bearer: [tool.access.scope] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: body, example: tool.examples?.[0] } } },
    }),
    responses: { ...success(row), ...problems(row) },
  };
}

function success(row: RestOperation): JsonSchema {
  const { tool, location, success: status = 200 } = row;
  const isReplayable = parametersOf(row).some(({ argument }) => argument === "idempotency_key");
  const headers = {
    ...(location && { Location: header("path of the created resource", "string") }),
    ...(isReplayable && { "Idempotent-Replayed": header("true on the replay of an earlier response", "string") }),
  };
  return {
    [status]: {
      description: "Success",
      ...(Object.keys(headers).length > 0 && { headers }),
      content: { "application/json": { schema: jsonSchemaOf(tool.output) } },
    },
  };
}

function problems(row: RestOperation): JsonSchema {
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  const headers: Readonly<Record<number, JsonSchema>> = {
    401: { "WWW-Authenticate": header("the scheme to authenticate with", "string") },
    429: { "Retry-After": header("seconds until the budget is refilled", "integer") },
  };
  return Object.fromEntries(
    [...problemsOf(row)].map(([status, codes]) => [
      status,
      { description: codes.join(", "), ...(headers[status] && { headers: headers[status] }), content },
    ]),
  );
}

function header(description: string, type: string): JsonSchema {
  return { description, schema: { type } };
}
