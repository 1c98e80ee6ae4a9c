import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiExample, readApiExamples } from "../../rest-shim/api-examples.ts";
import { openApi } from "../../rest-shim/openapi.ts";
import { type RestOperation, restOperations } from "../../rest-shim/operations.ts";
import { ERROR_CODES, type ErrorCode, PublicError } from "../../src/contract/errors.ts";
import { Problem } from "../../src/contract/problem.ts";
import { parseArguments } from "../../src/contract/request-fields.ts";
import { LARGEST_BODY_BYTES } from "../../src/servers/http/request.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { assertMadeBy } from "../support/assert-declared.ts";
import { aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { type ApiAnswer, type ApiOptions, aService, request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const SITE = {
  publicUrl: "https://quotes.example.com",
  issuer: "https://login.example.com",
  operator: { name: "Example Transfers", email: "bookings@transfers.example" },
};
type Send = (path: string, options?: ApiOptions) => Promise<ApiAnswer>;

const ONE = { points: 1, seconds: 60 };
// Before the first test: hooks of the file run once all tests that are known have ended.
const service = await aService(wholeFile, { limiter: aRateLimiter(), env: { TRANSFER_BLOCKED_SUBJECTS: "blocked" } });
const limited = await aService(wholeFile, {
  limiter: aRateLimiter(Object.fromEntries(restOperations.map(({ tool }) => [tool.rateTier, ONE]))),
});
const send: Send = async (path, options) => service.api(path, { token: await service.token(), ...options });

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

test("each operation names its schemas, its security and its group", () => {
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

for (const row of restOperations) {
  test(`${row.operationId} returns every problem code that it declares, and no other`, async () => {
    const answers = [...(await refusedBeforeTheHandler(row)), ...(await refusedByTheHandler(row))];
    const returned = new Set(answers.map(({ status, body }) => `${status} ${body.code}`));
    const responses = Object.entries<Fields>(described.get(row.operationId).responses);
    const declared = responses.flatMap(([status, { description }]) =>
      Number(status) < 400 ? [] : description.split(", ").map((code: string) => `${status} ${code}`),
    );
    // Under overload every operation answers it: test/servers/http/request-limits.test.ts.
    returned.add("503 UPSTREAM_UNAVAILABLE");
    assert.deepEqual([...returned].sort(), declared.sort());
  });
}

/** Requests that fail for what any operation of this shape checks. */
async function refusedBeforeTheHandler({ operationId, method, path, query = [] }: RestOperation) {
  const to = (value: string) => path.replace(/\{\w+\}/g, value);
  const body = method === "post" ? { body: {} } : {};
  const token = await limited.token({ subject: operationId });
  await limited.api(to("x"), { token, ...body });
  const answers = [
    await limited.api(to("x"), { token, ...body }),
    await send(to("x"), { token: await service.token({ subject: "blocked" }), ...body }),
    await send(to("x"), { token: undefined, ...body }),
  ];
  if (path.includes("{")) answers.push(await send(to("%zz")), await send(to("x".repeat(600))));
  if (query.length > 0) answers.push(await send(to("x")));
  if (method === "post") {
    answers.push(
      await send(path, body),
      await send(path, { text: "not gzip", headers: { "Content-Encoding": "gzip" } }),
      await send(path, { text: " ".repeat(LARGEST_BODY_BYTES + 1) }),
      await send(path, { text: "{}", headers: { "Content-Type": "text/plain" } }),
    );
  }
  return answers.filter(({ status }) => status >= 400);
}

type Provoking = Partial<Record<ErrorCode, () => Promise<ApiAnswer>>>;

/** The codes of each operation's own handler, and requests that provoke them. */
const PROVOKING: Readonly<Record<string, Provoking>> = {
  listTransferServices: {
    INVALID_REQUEST: () => send("/services/transfers?origin="),
    INVALID_LOCATION: () => send("/services/transfers?origin=Nowhere"),
    UNSUPPORTED_ROUTE: () => send("/services/transfers?destination=Paris"),
  },
  getRouteByPair: { UNSUPPORTED_ROUTE: () => send("/routes?origin=Zermatt&destination=Lugano") },
  getRoute: { UNSUPPORTED_ROUTE: () => send("/routes/bern-to-nowhere") },
  createQuoteEstimate: journeyProblems("/quote-intents"),
  createQuote: journeyProblems("/quotes"),
  getOwnQuote: { QUOTE_NOT_FOUND: () => send("/quotes/q_unknown") },
  createCheckoutHandoff: {
    QUOTE_NOT_FOUND: () => handoff({ quote_id: "q_unknown", fleet_id: 1 }),
    QUOTE_EXPIRED: async () => {
      const { quote_id } = (await send("/quotes", { body: aQuoteRequest() })).body;
      return expired(() => handoff({ quote_id, fleet_id: 1 }));
    },
    MANUAL_CONFIRMATION_REQUIRED: async () => {
      const body = aQuoteRequest({ passengers: 12, adults: 12 });
      const { quote_id, options } = (await send("/quotes", { body })).body;
      const { fleet_id } = options.find((option: Fields) => option.on_request);
      return handoff({ quote_id, fleet_id });
    },
  },
  resolveCheckoutHandoff: {
    QUOTE_NOT_FOUND: () => send(`/checkout-sessions/q_unknown?fleet_id=1&sig=${"x".repeat(43)}`),
    QUOTE_EXPIRED: async () => {
      const { quote_id } = (await send("/quotes", { body: aQuoteRequest() })).body;
      const { search } = new URL((await handoff({ quote_id, fleet_id: 1 })).body.checkout_url);
      return expired(() => send(`/checkout-sessions/${quote_id}${search}`));
    },
  },
};

async function refusedByTheHandler({ operationId }: RestOperation): Promise<readonly ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  for (const [code, provoke] of Object.entries(PROVOKING[operationId] ?? {})) {
    const answer = await provoke();
    assert.equal(answer.body.code, code, answer.text);
    answers.push(answer);
  }
  return answers;
}

function journeyProblems(path: string): Provoking {
  const asked = (change: Readonly<Record<string, unknown>>) => () => send(path, { body: aQuoteRequest(change) });
  const throwing = (code: ErrorCode) => async () => {
    const measure = async () => Promise.reject(new PublicError(code, "Not now."));
    const faulty = await aService(wholeFile, { router: aRouter(measure) });
    return faulty.api(path, { token: await faulty.token(), body: aQuoteRequest() });
  };
  return {
    // The loader refuses a tariff without a rate for every class; only a fault leaves a journey without a price.
    QUOTE_UNAVAILABLE: throwing("QUOTE_UNAVAILABLE"),
    ROUTE_UNAVAILABLE: throwing("ROUTE_UNAVAILABLE"),
    INVALID_LOCATION: asked({ origin: "Nowhere at all" }),
    UNSUPPORTED_ROUTE: asked({ destination: "40.4168, -3.7038" }),
    INVALID_DATETIME: asked({ pickup_datetime: "2027-02-30T10:00:00+01:00" }),
    NO_ELIGIBLE_VEHICLE: asked({ passengers: 50, adults: 50, children: 50 }),
    PAST_DATETIME: asked({ pickup_datetime: "2026-11-30T10:00:00+01:00" }),
    RETURN_TIME_INVALID: asked({ return_datetime: "2026-12-08T14:30:00+01:00" }),
    LEAD_TIME_NOT_SUPPORTED: asked({ pickup_datetime: "2026-12-01T10:30:00Z" }),
  };
}

function handoff(terms: object): Promise<ApiAnswer> {
  return send("/checkout-sessions", { body: { ...terms, traveler_approval: true } });
}

async function expired(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const before = service.clock.now();
  service.clock.advance(31 * 60_000);
  const answer = await ask();
  service.clock.set(before);
  return answer;
}
