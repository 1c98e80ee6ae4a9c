import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonSchema, jsonSchemaOf } from "../../../src/contract/json-schema.ts";
import { tools } from "../../../tools/tools.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { JOURNEY_STATES } from "../../support/journey-states.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService } from "../../support/service.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

const { client, value, problem } = mcp;

const RETURN = { return_datetime: "2026-12-15T10:00:00+01:00" };

async function handoffOf(change: object): Promise<Fields> {
  const { quote_id, options } = await value("create_transfer_quote", aQuoteRequest({ origin: "Bern", ...change }));
  return value("create_checkout_handoff", { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true });
}

test("an estimate without own metrics is priced and explained as a quote, way and savings among it", async () => {
  const body = aQuoteRequest({ origin: "Basel", destination: "Lenk", pickup_datetime: "2026-12-26T10:00:00+01:00" });
  const told = ({ via, savings, options, limitations }: Fields) => ({ via, savings, options, limitations });
  const [estimate, quote] = [await value("estimate_transfer_quote", body), await value("create_transfer_quote", body)];
  assert.ok(quote.via && quote.savings.length > 0);
  assert.deepEqual(told(estimate), told(quote));
  assert.equal(estimate.route_basis.automatically_payable, false);
});

test("an estimate has no deadline of cancellation, because nothing is bought by it", async () => {
  const body = aQuoteRequest(RETURN);
  const deadlines = ["free_cancellation_until", "return_free_cancellation_until"];
  const named = (answer: Fields) => deadlines.filter((field) => field in answer);
  assert.deepEqual(named(await value("estimate_transfer_quote", body)), []);
  assert.deepEqual(named(await value("create_transfer_quote", body)), deadlines);
});

const STOPS = ["Interlaken", "Bern"].map((name) => ({ name, stop_duration_min: 120 }));
const HIRE = { booking_type: "hourly", duration_hours: 9 };

for (const [what, body, count] of [
  ["the time of a pickup", { pickup_datetime: "2026-12-15T05:30:00+01:00" }, 1],
  ["the day of a return", { return_datetime: "2026-12-26T10:00:00+01:00" }, 1],
  ["the form of a hire that ends elsewhere", { ...HIRE, origin: "Lucerne", destination: "ZRH", waypoints: STOPS }, 2],
  [
    "the form of a hire that takes longer",
    { ...HIRE, duration_hours: 3, origin: "Lucerne", destination: "ZRH", waypoints: STOPS },
    2,
  ],
  ["the form of a hire that ends where it starts", { ...HIRE, destination: undefined, waypoints: STOPS }, 1],
] as const)
  test(`a saving by ${what} is the price of a quote with what it changes`, async () => {
    const request = { ...aQuoteRequest(), origin: "Bern", luggage: 0, ...body };
    const { savings } = await value("create_transfer_quote", request);
    assert.equal(savings.length, count, JSON.stringify(savings));
    for (const { change, total_price } of savings) {
      const { options } = await value("create_transfer_quote", { ...request, ...change });
      assert.equal(
        Math.min(...options.map((option: Fields) => option.total_price)),
        total_price,
        JSON.stringify(change),
      );
    }
  });

test("a handoff says where free cancellation has ended, and what a cancellation costs then", async () => {
  const soon = { pickup_datetime: "2026-12-02T08:00:00+01:00" };
  const general =
    /Free cancellation with a full refund up to 24 hours before the pickup\. .* To cancel, the traveler calls/;
  for (const [change, ended] of [
    [{}, undefined],
    [RETURN, undefined],
    [soon, "journey"],
    [{ ...soon, ...RETURN }, "outbound journey"],
    [{ ...soon, return_datetime: "2026-12-02T09:50:00+01:00", destination: "Thun" }, "journey"],
  ] as const) {
    const { cancellation, free_cancellation_until } = await handoffOf(change);
    const due = `Free cancellation of this ${ended} has ended. A cancellation of the ${ended} costs its full price. In general: `;
    assert.equal(free_cancellation_until === null, ended !== undefined);
    assert.ok(cancellation.startsWith(ended ? due : "Free cancellation with a full refund"), cancellation);
    assert.match(cancellation, general);
  }
  const { limitations } = await value("create_transfer_quote", aQuoteRequest(soon));
  const said =
    "Free cancellation is no longer possible: it ends 24 h before the pickup; a cancellation now costs the full price.";
  assert.ok(limitations.includes(said), limitations.join("\n"));
});

test("any airport is a question with the best-known ones, and the codes of all others", async () => {
  const airports = new Set<string>();
  for (const origin of ["Airport", "the airport", "Flughafen", "aéroport", "l'aéroport", "aeroporto"]) {
    const { code, field_errors } = await problem("create_transfer_quote", aQuoteRequest({ origin }));
    assert.equal(code, "INVALID_LOCATION", origin);
    const [{ field, message, candidates }] = field_errors;
    assert.deepEqual([field, candidates.length, candidates[0]], ["origin", 5, "Zurich Airport (ZRH)"], origin);
    const [, others = ""] = /; others are (.*)\.$/.exec(message) ?? [];
    for (const each of [...candidates, ...others.split(", ")]) airports.add(each);
  }
  const route = await problem("get_transfer_route", { origin: "airport", destination: "Zermatt" });
  assert.match(route.next_action, /^Ask the traveler which place is meant, and send that candidate unchanged\.$/);
  assert.ok(["MXP", "LYS", "MUC", "BRN"].every((code) => airports.has(code)));
  for (const text of airports) {
    const { origin_place } = await value("estimate_transfer_quote", aQuoteRequest({ origin: text, passengers: 1 }));
    assert.equal(origin_place.kind, "airport", text);
  }
});

test("an exceeded limit says in words what it is of, how long to wait, and what else helps", async (t) => {
  const one = { points: 1, seconds: 60 };
  const limiter = aRateLimiter({ quote_authoritative: one, quote_estimate: one });
  const limited = await aService(t, { limiter });
  const { client: host, ...own } = await anMcpClient(t, limited.publicUrl, await limited.token());
  for (const [name, calls, advice] of [
    ["create_transfer_quote", "new quotes", ""],
    ["estimate_transfer_quote", "estimates", " A caller with a token has a limit of its own."],
  ] as const) {
    await own.value(name, aQuoteRequest());
    const { detail, next_action, retry_after_seconds } = await own.problem(name, aQuoteRequest());
    assert.equal(detail, `Too many ${calls} in a short time. More are accepted in ${retry_after_seconds} s.`);
    assert.equal(next_action, `Wait ${retry_after_seconds} s, then resend the identical request.${advice}`);
  }
  assert.equal((await host.listTools()).tools.length, 9);
});

/** Bytes of the text that a model reads. */
async function bytesOf(name: string, args: Record<string, unknown>): Promise<number> {
  const { content } = await client.callTool({ name, arguments: args });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return Buffer.byteLength(text);
}

test("a quote for two people is at most 2,800 bytes for a model, and one in any state 5,000", async () => {
  const usual = [{ destination: "Zermatt" }, { destination: "St. Moritz", luggage: 3 }];
  const states = Object.values(JOURNEY_STATES).map(({ journey }) => journey);
  for (const [most, journeys] of [
    [2_800, usual],
    [5_000, states],
  ] as const)
    for (const journey of journeys) {
      const bytes = await bytesOf("create_transfer_quote", aQuoteRequest(journey));
      assert.ok(bytes <= most, `${JSON.stringify(journey)}: ${bytes} bytes`);
    }
});

test("the list of all corridors has nothing optional", async () => {
  const { content } = await client.callTool({ name: "list_transfer_services", arguments: {} });
  const [{ text } = { text: "" }] = content as { text: string }[];
  for (const service of JSON.parse(text).services)
    assert.deepEqual(Object.keys(service), ["route_key", "origin", "destination", "transfer_type"]);
});

const quote = await service.api("/quotes", { token, body: aQuoteRequest() });
const terms = { quote_id: quote.body.quote_id, fleet_id: quote.body.options[0].fleet_id, traveler_approval: true };
const journey = aQuoteRequest({ waypoints: [{ name: "Bern" }], special_items: [{ kind: "skis", count: 1 }] });

const ARGUMENTS: Readonly<Record<string, Fields>> = {
  get_transfer_route: { route_key: "zurich-airport-to-zermatt" },
  get_policy: { policy_key: "cancellation" },
  estimate_transfer_quote: journey,
  create_transfer_quote: journey,
  get_transfer_quote: { quote_id: terms.quote_id },
  create_checkout_handoff: terms,
};
/** The same value with null in every optional field that it leaves out, at every depth. */
function withNulls(schema: JsonSchema, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((item) => withNulls(schema.items ?? {}, item));
  if (typeof sent !== "object" || sent === null) return sent;
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (Object.hasOwn(sent, name)) return [[name, withNulls(property, (sent as Fields)[name])]];
      return required.includes(name) ? [] : [[name, null]];
    }),
  );
}

test("null in an optional field is the field left out, in every tool and at every depth", async () => {
  for (const { name, input } of tools) {
    const left = ARGUMENTS[name] ?? {};
    const nulls = withNulls(jsonSchemaOf(input), left) as Fields;
    assert.deepEqual(withoutIds(await value(name, nulls)), withoutIds(await value(name, left)), name);
  }
});

test("null and 0 are different stop durations", async () => {
  const durationOf = async (stop_duration_min: number | null) => {
    const request = aQuoteRequest({ waypoints: [{ name: "Bern", stop_duration_min }] });
    const { waypoints, limitations } = await value("estimate_transfer_quote", request);
    return [waypoints[0].stop_duration_min, limitations.some((text: string) => text.includes("No stay was stated"))];
  };
  assert.deepEqual(await durationOf(null), [null, true]);
  assert.deepEqual(await durationOf(0), [0, false]);
});

function withoutIds({ quote_id: _, request_id: __, checkout_url: ___, ...answer }: Fields): Fields {
  return answer;
}
