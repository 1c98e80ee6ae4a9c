import { z } from "zod/v3";
import { ERROR_CATALOGUE } from "../src/contract/errors.ts";
import { type JsonSchema, jsonSchemaOf } from "../src/contract/json-schema.ts";
import { Problem } from "../src/contract/problem.ts";
import type { Operation } from "../src/engine/operation.ts";
import { packageVersion } from "../src/ops/package-root.ts";
import { bodyWithIdempotencyKey } from "./arguments-from.ts";
import { operations } from "./operations.ts";
import type { RestOperation } from "./rest-operation.ts";
import { API_BASE } from "./rest-router.ts";

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters; the same key with the same body replays the answer for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** The OpenAPI 3.1 description of the eleven operations, made from the rows that serve them. */
export function openApi(publicUrl: string, issuer: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of operations) paths[row.path] = { ...paths[row.path], [row.method]: described(row) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Transfer Quote and Checkout Handoff Public API",
      version: packageVersion,
      description: "Authoritative prices for passenger transfers and a signed hand-over to checkout.",
    },
    servers: [{ url: `${publicUrl}${API_BASE}` }],
    paths,
    components: {
      schemas: { Problem: jsonSchemaOf(Problem) },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: `Access token of ${issuer}`,
        },
      },
    },
  };
}

function described({ operationId, path, method, tool, from, success }: RestOperation) {
  const problems = [...new Set(Object.values(ERROR_CATALOGUE).map(({ status }) => status))];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const isReplayable = from === bodyWithIdempotencyKey;
  const parameters = [
    ...(method === "get" ? parametersOf(tool, inPath, path) : []),
    ...(isReplayable ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId,
    summary: tool.title,
    description: tool.description,
    "x-mcp-tool": tool.access.kind === "signature" ? null : tool.name,
    "x-rate-tier": tool.rateTier,
    ...(tool.access.kind === "scope" && { security: [{ bearer: [tool.access.scope] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(method === "post" && {
      requestBody: { required: true, content: { "application/json": { schema: bodySchema(tool) } } },
    }),
    responses: {
      [success ?? 200]: {
        description: "Success",
        ...(success === 201 && { headers: { Location: { schema: { type: "string" } } } }),
        content: { "application/json": { schema: jsonSchemaOf(tool.output) } },
      },
      ...Object.fromEntries(
        problems.map((status) => [
          status,
          {
            description: codesOf(status).join(", "),
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        ]),
      ),
    },
  };
}

function codesOf(status: number): readonly string[] {
  return Object.entries(ERROR_CATALOGUE).flatMap(([code, entry]) => (entry.status === status ? [code] : []));
}

/** Path parameters, and as query parameters the tool's other arguments that this row takes. */
function parametersOf(tool: Operation, inPath: readonly string[], path: string) {
  const { properties = {}, required = [] } = jsonSchemaOf(tool.input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  // Two rows share one tool: a corridor by its key, or by its pair of places.
  const isPair = path === "/routes";
  return Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    if (inPath.includes(name)) return [{ name, in: "path", required: true, description, schema }];
    if (inPath.length > 0 ? name === "origin" || name === "destination" : name === "route_key") return [];
    return [{ name, in: "query", required: isPair || required.includes(name), description, schema }];
  });
}

function bodySchema({ input }: Operation): JsonSchema {
  const schema =
    input instanceof z.ZodObject && "idempotency_key" in input.shape
      ? input.omit({ idempotency_key: true })
      : input;
  return jsonSchemaOf(schema);
}
