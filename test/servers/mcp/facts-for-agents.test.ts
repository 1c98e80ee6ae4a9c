import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService } from "../../support/service.ts";
import { mcp } from "../../support/shared-service.ts";

const { value, problem } = mcp;

const RETURN = { return_datetime: "2026-12-15T10:00:00+01:00" };

async function handoffOf(change: object): Promise<Fields> {
  const { quote_id, options } = await value("create_transfer_quote", aQuoteRequest({ origin: "Bern", ...change }));
  return value("create_checkout_handoff", { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true });
}

test("an estimate has no deadline of cancellation, because nothing is bought by it", async () => {
  const body = aQuoteRequest(RETURN);
  const deadlines = ["free_cancellation_until", "return_free_cancellation_until"];
  const named = (answer: Fields) => deadlines.filter((field) => field in answer);
  assert.deepEqual(named(await value("estimate_transfer_quote", body)), []);
  assert.deepEqual(named(await value("create_transfer_quote", body)), deadlines);
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
