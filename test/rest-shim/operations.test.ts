import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod/v3";
import { CheckoutHandoff } from "../../src/contract/checkout.ts";
import {
  Policy,
  QuoteRequirements,
  Route,
  TransferServiceList,
  VehicleClassList,
} from "../../src/contract/discovery.ts";
import { Quote } from "../../src/contract/quote.ts";
import { QuoteRequest } from "../../src/contract/quote-request.ts";
import { assertMadeBy } from "../support/assert-declared.ts";
import { assertPlainHeaders, assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest, asCreated } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";
import { type ApiAnswer, aService, request } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const { api } = await aService(wholeFile);

test("anonymous operations return their documents", async () => {
  const services = success(await api("/services/transfers"), TransferServiceList).services;
  assert.ok(services.length >= 25);
  assert.ok(services.every((service: object) => !Object.keys(service).some((name) => /price|fare/.test(name))));

  const byKey = success(await api("/routes/zurich-airport-to-zermatt"), Route);
  assert.equal(byKey.verification_state, "PUBLISHED_BASELINE");
  assert.equal(byKey.transfer_type, "resort");
  assert.match(
    byKey.note,
    /^Typical figures of the corridor; .* A quote is for the journey from door to door: call create_transfer_quote with \{"origin":"Zurich Airport","destination":"Zermatt"\}, /,
  );
  for (const pair of ["origin=ZRH&destination=Zermatt", "origin=Flughafen Zürich&destination=ZERMATT"])
    assert.deepEqual(success(await api(`/routes?${pair}`), Route), byKey);

  const classes = success(await api("/vehicle-classes"), VehicleClassList);
  assert.ok(classes.vehicle_classes.length >= 6);

  const policy = success(await api("/policies/cancellation"), Policy);
  assert.deepEqual([policy.policy_key, policy.full_refund_cutoff_hours], ["cancellation", 24]);

  const { fields } = success(await api("/quote-requirements"), QuoteRequirements);
  const names = (all: Fields[]) => all.map(({ name }: Fields) => name);
  assert.deepEqual(names(fields.filter(({ required }: Fields) => required)), ["origin"]);
  assert.deepEqual(names(fields), Object.keys(QuoteRequest.shape));
});

test("leads from a quote to the traveler's page", async (t) => {
  const { api, token, publicUrl, dataDir } = await aService(t);
  const bearer = await token();

  const created = await api("/quotes", { token: bearer, body: aQuoteRequest() });
  const quote = success(created, Quote, 201);
  assert.match(quote.quote_id, /^[\w-]{22,64}$/);
  assert.deepEqual([quote.status, quote.non_binding, quote.reservation_status], ["open", true, "not_reserved"]);
  assert.equal(quote.expires_at, "2026-12-01T10:30:00+01:00");
  assert.equal(quote.request_id, created.headers.get("x-request-id"));
  assert.deepEqual([quote.route_basis.authority, quote.route_basis.automatically_payable], ["SERVER_VERIFIED", true]);
  for (const { total_price } of quote.options)
    assert.equal(Math.round(total_price * 20), Number((total_price * 20).toFixed(6)));
  assert.equal(storedEntries(dataDir).length, 1);

  const location = created.headers.get("location");
  assert.ok(location);
  const found = await request(new URL(location, `${publicUrl}/api/public/v1/quotes`).href, { token: bearer });
  assert.deepEqual(asCreated(success(found, Quote)), quote);

  const { fleet_id, total_price } = quote.options[0];
  const terms = { quote_id: quote.quote_id, fleet_id };
  const handoff = success(
    await api("/checkout-sessions", { token: bearer, body: { ...terms, traveler_approval: true } }),
    CheckoutHandoff,
  );
  const { request_id, checkout_url, ...rest } = handoff;
  assert.match(request_id, /^req_/);
  const fixed = { vat_included: true, non_binding: true, reservation_status: "not_reserved", status: "open" };
  const { vehicle_class, vehicle_type } = quote.options[0];
  const { origin, destination, passengers, luggage } = quote;
  const { pickup_datetime, arrival_datetime, free_cancellation_until } = quote;
  const times = { pickup_datetime, return_datetime: null, arrival_datetime, free_cancellation_until };
  const { limitations, operator, cancellation, payment_methods, meeting_point, via, next_action, ...others } = rest;
  assert.deepEqual(others, {
    ...{ ...terms, total_price, currency: "CHF", expires_at: quote.expires_at },
    ...{ ...fixed, origin, destination, passengers, luggage, vehicle_class, vehicle_type, ...times },
  });
  assert.equal(operator.name, "Example Transfers");
  assert.equal(via, quote.via);
  assert.match(next_action, /^Give the traveler checkout_url unchanged/);
  const waiting = "Waiting at the pickup is free for 60 min; each started 15 min after that is charged at CHF 15.";
  assert.ok(limitations.includes(waiting), "of the chosen class, for which the quote has fields");
  const besides = limitations.filter((each: string) => each !== waiting);
  assert.deepEqual(besides, quote.limitations);

  const link = new URL(checkout_url);
  assert.equal(`${link.origin}${link.pathname}`, `${publicUrl}/checkout`);
  assert.deepEqual([...link.searchParams.keys()], ["quote_id", "fleet_id", "sig"]);
  const resolved = success(await api(`/checkout-sessions/${quote.quote_id}${link.search}`), CheckoutHandoff);
  assert.deepEqual(
    [resolved.quote_id, resolved.total_price, resolved.origin],
    [quote.quote_id, total_price, quote.origin],
  );
  assert.equal(storedEntries(dataDir).length, 3, "the quote, and the events of its handoff and of the opened link");
});

test("answers HEAD like GET without the body", async () => {
  // Uncompressed, because a proxy that reads bodies unpacks those of GET alone.
  const headers = { "Accept-Encoding": "identity" };
  const head = await api("/routes/zurich-airport-to-zermatt", { method: "HEAD", headers });
  const get = await api("/routes/zurich-airport-to-zermatt", { headers });
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const name of ["content-type", "content-length"]) assert.equal(head.headers.get(name), get.headers.get(name));
  assert.match(head.headers.get("x-request-id") ?? "", /^req_/);
  assert.equal((await api("/routes/nowhere-to-nowhere", { method: "HEAD" })).status, 404);
});

test("finds a corridor by its key or by both of its places", async () => {
  const unknown = { status: 404, code: "UNSUPPORTED_ROUTE" } as const;
  // biome-ignore format: several fit on a line
  for (const path of [
    "/routes/nowhere-to-zermatt", `/routes/${"x".repeat(128)}`, "/routes?origin=Zermatt&destination=Lugano",
    "/routes?origin=Atlantis&destination=Zermatt",
  ])
    assertProblem(await api(path), unknown);
  for (const [path, ...fields] of [
    ["/routes", "origin", "destination"],
    ["/routes?origin=ZRH", "destination"],
    ["/routes?origin=&destination=Zermatt", "origin"],
    [`/routes?destination=Zermatt&origin=${"x".repeat(513)}`, "origin"],
    ["/routes?origin=ZRH&origin=GVA&destination=Zermatt", "origin"],
    [`/routes/${"x".repeat(129)}`, "route_key"],
  ] as const)
    assertProblem(await api(path), { status: 422, code: "INVALID_REQUEST", fields });
});

test("rejects an unknown policy and lists the known keys", async () => {
  const refused = await api("/policies/refunds");
  assertProblem(refused, { status: 422, code: "INVALID_REQUEST", fields: ["policy_key"] });
  assert.match(refused.body.field_errors[0].message, /cancellation/);
  for (const key of ["constructor", "__proto__", "toString", "x".repeat(129)]) {
    assertProblem(await api(`/policies/${key}`), { status: 422, code: "INVALID_REQUEST", fields: ["policy_key"] });
  }
});

test("ignores unknown query parameters", async () => {
  const links = [
    "/services/transfers?utm_source=a",
    "/routes?origin=ZRH&destination=Zermatt&route_key=x&fbclid=1",
    "/policies/cancellation?policy_key=x",
  ];
  for (const link of links) assert.equal((await api(link)).status, 200, link);
  const { status } = await api("/quote-intents?passengers=0&origin=x", { body: aQuoteRequest() });
  assert.equal(status, 200);
});

/** The body of a success, after what holds for every success. */
function success(answer: ApiAnswer, schema: z.ZodTypeAny, status = 200): ApiAnswer["body"] {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.match(answer.headers.get("x-request-id") ?? "", /^req_[\w-]{22}$/);
  assert.equal(answer.headers.get("location") !== null, status === 201);
  for (const name of ["idempotent-replayed", "retry-after", "deprecation", "sunset"])
    assert.equal(answer.headers.get(name), null);
  assertPlainHeaders(answer);
  assertMadeBy(schema, answer.body);
  return answer.body;
}

const ANNOUNCED = { TRANSFER_V1_DEPRECATED_AT: "2027-01-01T00:00:00Z", TRANSFER_V1_SUNSET_AT: "2027-04-01T00:00:00Z" };
const HEADERS = ["@1798761600", "Thu, 01 Apr 2027 00:00:00 GMT"];

test("sends Deprecation and Sunset on every v1 response, problems included, and nowhere else", async (t) => {
  const { api, token, publicUrl } = await aService(t, { env: ANNOUNCED });
  const bearer = await token();
  const answers = [
    await api("/vehicle-classes"),
    await api("/quotes", { token: bearer, body: aQuoteRequest() }),
    await api("/quotes", { body: aQuoteRequest() }),
    await api("/quotes", { method: "DELETE" }),
    await api("/quotes", { method: "OPTIONS" }),
    await api("/quotes", { text: "{" }),
    await api("/quotes", { text: "{}", headers: { "Content-Type": "text/plain" } }),
    await api("/quotes", { text: " ".repeat(200_000) }),
    await api("/nothing"),
    await api("/routes/%E0"),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 201, 401, 405, 204, 422, 415, 413, 404, 400],
  );
  for (const { headers, status } of answers) {
    assert.deepEqual([headers.get("deprecation"), headers.get("sunset")], HEADERS, `${status}`);
  }
  for (const path of ["/healthz", "/openapi.json", "/nothing"]) {
    const { headers } = await request(`${publicUrl}${path}`);
    assert.deepEqual([headers.get("deprecation"), headers.get("sunset")], [null, null], path);
  }
});
