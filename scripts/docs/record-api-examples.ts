import type { TestContext } from "node:test";
import type { ApiExample, ApiExamples } from "../../rest-shim/api-examples.ts";
import { RECORDED_URL } from "../../rest-shim/api-examples.ts";
import { restOperations } from "../../rest-shim/operations.ts";
import { httpRequest } from "../../rest-shim/parameters.ts";
import { ERROR_CODES, type ErrorCode, PublicError, rateLimited } from "../../src/contract/errors.ts";
import type { RateLimiter } from "../../src/service/calls/rate-limiter.ts";
import { aRouter } from "../../test/support/fake-router.ts";
import { withCleanUp } from "../../test/support/lifetime.ts";
import { aRateLimiter } from "../../test/support/rate-limiter.ts";
import { aService, request, type TestService } from "../../test/support/service.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Call = (operationId: string, args: Arguments, token?: string) => Promise<ApiExample["response"]>;

const JOURNEY = {
  origin: "Zurich Airport",
  destination: "Zermatt",
  pickup_datetime: "2027-01-15T14:30:00+01:00",
  passengers: 4,
  adults: 2,
  children: 2,
  luggage: 4,
};
const SEDAN = 2;
const COACH = 7;

/** Records a real call of every operation and one that fails with each code, with constants for random values. */
export function recordApiExamples(): Promise<ApiExamples> {
  return withCleanUp(record);
}

async function record(t: Pick<TestContext, "after">): Promise<ApiExamples> {
  const successes: ApiExample[] = [];
  const failures = new Map<ErrorCode, ApiExample>();
  let routes = 0;
  const limiter: RateLimiter = {
    ...aRateLimiter(),
    async charge(tier) {
      // The wait right after the first call, since a slow machine would record a shorter one.
      if (tier === "routing" && ++routes > 3) throw rateLimited(tier, 60_000);
    },
  };
  const service = await aService(t, { limiter, env: { TRANSFER_BLOCKED_SUBJECTS: "blocked" } });
  const call = caller(service, await service.token());

  async function success(operationId: string, args: Arguments = {}) {
    const response = await call(operationId, args);
    if (response.code !== undefined) throw new Error(`${operationId} answered ${JSON.stringify(response)}`);
    successes.push({ operationId, args, response });
    return response;
  }
  async function failure(code: ErrorCode, operationId: string, args: Arguments, by: Call = call, token?: string) {
    const response = await by(operationId, args, token);
    if (response.code !== code)
      throw new Error(`${operationId} answered ${JSON.stringify(response)} instead of ${code}`);
    failures.set(code, { operationId, args, response });
  }

  await success("listTransferServices", { origin: "Geneva Airport", destination: "Zermatt" });
  await success("getRouteByPair", { origin: "ZRH", destination: "Zermatt" });
  await success("getRoute", { route_key: "zurich-airport-to-zermatt" });
  await success("listVehicleClasses");
  await success("getPolicy", { policy_key: "cancellation" });
  await success("getQuoteRequirements");
  await success("createQuoteEstimate", JOURNEY);
  const { quote_id } = await success("createQuote", { ...JOURNEY, idempotency_key: "journey-2027-01-15" });
  await success("getOwnQuote", { quote_id });
  const chosen = { quote_id, fleet_id: SEDAN, traveler_approval: true };
  const { checkout_url } = await success("createCheckoutHandoff", { ...chosen, idempotency_key: "checkout-7f3a" });
  const sig = new URL(String(checkout_url)).searchParams.get("sig");
  await success("resolveCheckoutHandoff", { quote_id, fleet_id: SEDAN, sig });

  await failure("INVALID_REQUEST", "createQuote", { ...JOURNEY, passengers: "four" });
  await failure("AUTHENTICATION_REQUIRED", "createQuote", JOURNEY, call, "");
  await failure("FORBIDDEN", "createQuote", JOURNEY, call, await service.token({ subject: "blocked" }));
  await failure("QUOTE_NOT_FOUND", "getOwnQuote", { quote_id: "q_0000000000000000000000" });
  const { quote_id: ofGroup } = await call("createQuote", { ...JOURNEY, passengers: 12, adults: 12, children: 0 });
  const onRequest = { ...chosen, quote_id: ofGroup, fleet_id: COACH };
  await failure("MANUAL_CONFIRMATION_REQUIRED", "createCheckoutHandoff", onRequest);
  await failure("UNSUPPORTED_ROUTE", "getRoute", { route_key: "zurich-airport-to-paris" });
  await failure("RATE_LIMITED", "getRoute", { route_key: "zurich-airport-to-zermatt" });
  await failure("INVALID_LOCATION", "createQuote", { ...JOURNEY, destination: "Buchs" });
  await failure("INVALID_DATETIME", "createQuote", { ...JOURNEY, pickup_datetime: "2027-01-15T14:30:00" });
  await failure("PAST_DATETIME", "createQuote", { ...JOURNEY, pickup_datetime: "2026-01-15T14:30:00+01:00" });
  await failure("LEAD_TIME_NOT_SUPPORTED", "createQuote", { ...JOURNEY, pickup_datetime: "2029-01-15T14:30:00+01:00" });
  await failure("RETURN_TIME_INVALID", "createQuote", { ...JOURNEY, return_datetime: "2027-01-15T15:00:00+01:00" });
  await failure("NO_ELIGIBLE_VEHICLE", "createQuote", {
    ...JOURNEY,
    passengers: 50,
    adults: 48,
    infants: 4,
    luggage: 50,
  });
  for (const code of ["ROUTE_UNAVAILABLE", "QUOTE_UNAVAILABLE", "UPSTREAM_UNAVAILABLE"] as const) {
    const router = aRouter(async () => {
      throw new PublicError(code, DETAILS[code]);
    });
    const failing = await aService(t, { router });
    await failure(code, "createQuote", JOURNEY, caller(failing, await failing.token()));
  }
  service.clock.advance(31 * 60_000);
  await failure("QUOTE_EXPIRED", "createCheckoutHandoff", chosen);

  const problems = ERROR_CODES.flatMap((code) => failures.get(code) ?? []);
  return reproducible({ operations: successes, problems }, service.publicUrl);
}

const DETAILS = {
  ROUTE_UNAVAILABLE: "The routing engine returned no usable measurement for this journey.",
  QUOTE_UNAVAILABLE: "The tariff cannot price this journey at the moment.",
  UPSTREAM_UNAVAILABLE: "The routing engine is unavailable.",
} as const;

function caller({ publicUrl }: TestService, own: string): Call {
  return async (operationId, args, token = own) => {
    const row = restOperations.find((each) => each.operationId === operationId);
    if (!row) throw new Error(`unknown operation ${operationId}`);
    const { path, ...sent } = httpRequest(row, args);
    const { body } = await request(`${publicUrl}${path}`, { ...sent, token: token || undefined });
    return body;
  };
}

/** Replaces random identifiers, signatures, the port and the rest of a window by constants. */
function reproducible<T>(value: T, publicUrl: string): T {
  const text = JSON.stringify(value)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, RECORDED_URL)
    .replaceAll(publicUrl, RECORDED_URL)
    .replaceAll(/\bq_(?!0{22})[\w-]{22}/g, "q_Zk3vT0xqQm2nB8sYw1LdUA")
    .replaceAll(/(?<before>[Rr]eference (?:is )?)[A-Z\d]{6}\b/g, "$<before>ZK3VT0")
    .replaceAll(/\breq_[\w-]{22}/g, "req_fJ5nGXQlQN6US-B_wfkK5w")
    .replaceAll(/(?<before>accepted in |Wait |"retry_after_seconds":)\d+/g, "$<before>60")
    .replaceAll(/(sig(?:=|":"))[\w-]{43}/g, "$1bWFkZSBmb3IgdGhlIGRvY3VtZW50YXRpb24sIG5vdCB");
  return JSON.parse(text);
}
