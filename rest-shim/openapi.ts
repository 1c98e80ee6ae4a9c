import { ERRORS } from "../src/contract/errors.ts";
import type { JsonSchema } from "../src/contract/json-schema.ts";
import { packageVersion } from "../src/ops/package-root.ts";
import { API_BASE } from "../src/servers/http/request.ts";
import { type Operator, SCOPES } from "../src/service/calls/operation.ts";
import { type ApiExamples, readApiExamples } from "./api-examples.ts";
import { componentSchemas, withReferences } from "./components.ts";
import { type RestOperation, restOperations, TAGS } from "./operations.ts";
import { bodySchemaOf, httpRequest, parametersOf } from "./parameters.ts";
import { problemsOf } from "./problems.ts";

export interface ApiSite {
  /** Origin of the service. */
  readonly publicUrl: string;
  /** URL of the identity provider, whose metadata clients discover. */
  readonly issuer: string;
  /** Prefix of scope names at the identity provider. */
  readonly scopePrefix?: string | undefined;
  /** OAuth endpoints of the identity provider, where they are known without discovery. */
  readonly oauth?: OAuthServer | undefined;
  /** Whether the sandbox is on: certain place names provoke errors and states. */
  readonly sandbox?: boolean | undefined;
  /** Whom API users contact. */
  readonly operator: Pick<Operator, "name" | "email" | "website" | "termsUrl">;
}

/** Where and with which values a client gets a token. */
export interface OAuthServer {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly audience: string;
}

const SANDBOX = "\n\n[This server is a sandbox: place names provoke every error and state of a quote.](/docs/sandbox)";

/** The OpenAPI 3.1 description of the REST operations, derived from the table of operations. */
export function openApi({ publicUrl, issuer, scopePrefix, oauth, operator, sandbox }: ApiSite): JsonSchema {
  const examples = readApiExamples(publicUrl);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of restOperations)
    paths[row.path] = { ...paths[row.path], [row.method]: operationObject(row, examples, oauth !== undefined) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Transfer Quote and Checkout Handoff Public API",
      version: packageVersion,
      description: `Authoritative prices for passenger transfers and a signed handoff to checkout.${sandbox ? SANDBOX : ""}`,
      contact: { name: operator.name, email: operator.email, ...(operator.website && { url: operator.website }) },
      ...(operator.termsUrl && { termsOfService: operator.termsUrl }),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${publicUrl}${API_BASE}` }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas,
      examples: Object.fromEntries(
        examples.problems.map(({ response }) => [response.code, { summary: response.title, value: response }]),
      ),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: `Access token of ${issuer}` },
        oauth: oauth ? oauthFlows(oauth) : discovered(issuer, scopePrefix),
      },
    },
  };
}

function oauthFlows({ authorizationUrl, tokenUrl }: OAuthServer): JsonSchema {
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, purposeOf(scope)]));
  return {
    type: "oauth2",
    flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes }, clientCredentials: { tokenUrl, scopes } },
  };
}

/** This kind of scheme has no list of scopes, so that its description names them. */
function discovered(issuer: string, prefix = ""): JsonSchema {
  const scopes = SCOPES.map((scope) => `\`${prefix}${scope}\` (${purposeOf(scope)})`);
  return {
    type: "openIdConnect",
    openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    description: `Scopes: ${scopes.join(", ")}.`,
  };
}

function purposeOf(scope: string): string {
  const needing = restOperations.filter(({ tool: { access } }) => access.kind === "scope" && access.scope === scope);
  return needing.map(({ tool }) => tool.title).join(", ") || "Connect over MCP";
}

/**
 * Alternative ways to authenticate, with the scopes that the scheme lists. Open operations accept a token too, and then
 * charge its subject's budget.
 */
function securityOf({ tool: { access } }: RestOperation, listsScopes: boolean): readonly JsonSchema[] {
  const oauth = (scope: string) => ({ oauth: listsScopes ? [scope] : [] });
  if (access.kind === "signature") return [];
  if (access.kind === "scope") return [oauth(access.scope), { bearer: [] }];
  return [{}, oauth("discovery"), { bearer: [] }];
}

function operationObject(row: RestOperation, examples: ApiExamples, listsScopes: boolean): JsonSchema {
  const { operationId, title, tool, description } = row;
  const example = examples.operations.find((each) => each.operationId === operationId);
  const parameters = parametersOf(row).map(({ argument, ...parameter }) => ({
    ...parameter,
    example: example?.args[argument],
  }));
  const body = bodySchemaOf(row);
  return {
    operationId,
    summary: title,
    description,
    "x-mcp-tool": tool.listedOverMcp === false ? null : tool.name,
    "x-rate-tier": tool.rateTier,
    tags: [row.tag],
    security: securityOf(row, listsScopes),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: body, example: httpRequest(row, example?.args ?? {}).body } },
      },
    }),
    responses: { ...success(row, example?.response), ...problems(row) },
  };
}

function success(row: RestOperation, example: unknown): JsonSchema {
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
      content: { "application/json": { schema: withReferences(tool.output), example } },
    },
  };
}

const PROBLEM_HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { "WWW-Authenticate": header("the scheme to authenticate with", "string") },
  429: { "Retry-After": header("seconds until the budget is refilled", "integer") },
};

function problems(row: RestOperation): JsonSchema {
  const responses = [...problemsOf(row)].map(([status, codes]) => {
    // An unreadable request has another status than the code's, and no example.
    const shown = codes.filter((code) => ERRORS[code].status === status);
    const examples = Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, examples } };
    const headers = PROBLEM_HEADERS[status];
    return [status, { description: codes.join(", "), ...(headers && { headers }), content }];
  });
  return Object.fromEntries(responses);
}

function header(description: string, type: string): JsonSchema {
  return { description, schema: { type } };
}
