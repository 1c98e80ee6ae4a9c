import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ERROR_CODES, type ErrorCode } from "../../../src/contract/errors.ts";
import type { Problem } from "../../../src/contract/problem.ts";
import { RETRY_SECONDS } from "../../../src/service/sandbox/rehearsals.ts";
import { aQuoteRequest, asCreated } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { type Arguments, repaired } from "../../support/mechanical-repair.ts";
import { aService } from "../../support/service.ts";
import { mcp } from "../../support/shared-service.ts";
import { FLAWED_CALLS } from "./flawed-calls.ts";

const JOURNEY = aQuoteRequest({ destination: "Bern" });
const HANDOFF = { fleet_id: 1, traveler_approval: true };
const COACH = 7;

const service = await aService(wholeFile, { env: { TRANSFER_BLOCKED_SUBJECTS: "blocked" } });
const agent = await anMcpClient(wholeFile, service.publicUrl, await service.token());

/** Each code that no flawed call ends in: provoked, then resolved as its error says. */
const RESOLVED: Partial<Record<ErrorCode, () => Promise<void>>> = {
  async AUTHENTICATION_REQUIRED() {
    const weak = await anMcpClient(wholeFile, service.publicUrl, await service.token({ scopes: ["discovery"] }));
    const { next_action } = await failure(weak.problem("create_transfer_quote", JOURNEY), "AUTHENTICATION_REQUIRED");
    assert.match(next_action, /bearer token for the required scope/);
    await agent.value("create_transfer_quote", JOURNEY);
  },

  async FORBIDDEN() {
    const blocked = await anMcpClient(wholeFile, service.publicUrl, await service.token({ subject: "blocked" }));
    for (const problem of [
      blocked.problem("list_transfer_services"),
      blocked.problem("create_transfer_quote", JOURNEY),
    ])
      assert.match((await failure(problem, "FORBIDDEN")).next_action, /contact the operator/i);
  },

  async QUOTE_NOT_FOUND() {
    const quote = await agent.value("create_transfer_quote", JOURNEY);
    const args = { quote_id: quote.request_id };
    const problem = await failure(agent.problem("get_transfer_quote", args), "QUOTE_NOT_FOUND");
    assert.match(problem.detail, /^This is a request_id/);
    const next = repaired(args, problem, quote);
    assert.deepEqual(asCreated(await agent.value("get_transfer_quote", { ...next })), quote);
  },

  async QUOTE_EXPIRED() {
    const { quote_id } = await agent.value("create_transfer_quote", JOURNEY);
    service.clock.advance(31 * 60_000);
    const args = { ...HANDOFF, quote_id };
    const { next_action, detail } = await failure(agent.problem("create_checkout_handoff", args), "QUOTE_EXPIRED");
    assert.match(detail, /expired at \S+\+01:00/);
    assert.match(next_action, /^Create a new quote and show the traveler its price, unless the traveler has paid: /);
    const [, sent = ""] = /create_transfer_quote with (.*)$/.exec(next_action) ?? [];
    const again = await agent.value("create_transfer_quote", JSON.parse(sent));
    await agent.value("create_checkout_handoff", { ...HANDOFF, quote_id: again.quote_id });
  },

  async MANUAL_CONFIRMATION_REQUIRED() {
    const { quote_id } = await agent.value("create_transfer_quote", { ...JOURNEY, passengers: 12 });
    const coach = { ...HANDOFF, quote_id, fleet_id: COACH };
    const onRequest = await failure(agent.problem("create_checkout_handoff", coach), "MANUAL_CONFIRMATION_REQUIRED");
    assert.match(onRequest.next_action, /ask the traveler whether another option will do: fleet_id 6/);
    await agent.value("create_checkout_handoff", { ...coach, fleet_id: 6 });

    const doubt = { ...JOURNEY, destination: "Sandbox: manual confirmation" };
    const doubtful = await agent.value("create_transfer_quote", doubt);
    const args = { ...HANDOFF, quote_id: doubtful.quote_id };
    const { next_action } = await failure(
      agent.problem("create_checkout_handoff", args),
      "MANUAL_CONFIRMATION_REQUIRED",
    );
    assert.match(next_action, /contact Example Transfers \(\+41/);
    assert.doesNotMatch(next_action, /option/, "no option of this quote can be paid");

    const large = await agent.value("create_transfer_quote", { ...JOURNEY, passengers: 40 });
    const only = await agent.problem("create_checkout_handoff", { ...coach, quote_id: large.quote_id });
    assert.doesNotMatch(only.next_action, /option/, "the coach is the only option");
  },

  RATE_LIMITED: () => succeedsOnRetry("RATE_LIMITED", "rate limited", /Wait retry_after_seconds/),
  QUOTE_UNAVAILABLE: () => succeedsOnRetry("QUOTE_UNAVAILABLE", "quote unavailable"),
  UPSTREAM_UNAVAILABLE: () => succeedsOnRetry("UPSTREAM_UNAVAILABLE", "upstream unavailable"),
  ROUTE_UNAVAILABLE: () => succeedsOnRetry("ROUTE_UNAVAILABLE", "route unavailable"),
};

for (const [code, resolve] of Object.entries(RESOLVED)) test(`${code} is resolved as its error says`, resolve);

test("every code is provoked and resolved", () => {
  const covered = new Set([...Object.keys(RESOLVED), ...FLAWED_CALLS.map(({ code }) => code)]);
  assert.deepEqual([...covered].sort(), [...ERROR_CODES].sort());
});

test("an id that is missing or null is not asked of the traveler, who knows none", async () => {
  for (const args of [{}, { quote_id: null }]) {
    const problem = await failure(agent.problem("get_transfer_quote", args), "INVALID_REQUEST");
    assert.doesNotMatch(problem.next_action, /traveler/);
    assert.match(problem.field_errors[0].message, /^Required: quote_id from create_transfer_quote/);
  }
});

async function failure(problem: Promise<Fields>, code: ErrorCode): Promise<Fields> {
  const failed = await problem;
  assert.equal(failed.code, code, JSON.stringify(failed));
  return failed;
}

async function succeedsOnRetry(code: ErrorCode, name: string, says = /^Retry shortly/): Promise<void> {
  const journey = { ...JOURNEY, destination: `Sandbox: ${name} once` };
  const refused = await failure(agent.problem("create_transfer_quote", journey), code);
  assert.equal(refused.retryable, true);
  assert.match(refused.next_action, says);
  service.clock.advance(RETRY_SECONDS * 1000);
  await agent.value("create_transfer_quote", journey);
}

test("the sentence of an error names every field, its candidates and what to do next", async () => {
  const sentenceOf = async (name: string, args: Record<string, unknown>) => {
    const { content } = await mcp.client.callTool({ name, arguments: args });
    return (content as { text: string }[])[0]?.text ?? "";
  };
  const flawed = await sentenceOf("create_transfer_quote", aQuoteRequest({ passengers: 0, luggage: -1 }));
  assert.match(flawed, /^INVALID_REQUEST: .*passengers: .*luggage: .* Next: /);
  const unknown = { ...aQuoteRequest(), origin: "Xqzw", destination: "Wqzx" };
  for (const [sentence, fields] of [
    [flawed, ["passengers: ", "luggage: "]],
    [await sentenceOf("create_transfer_quote", { origin: "Bern" }), ["destination: "]],
    [await sentenceOf("create_transfer_quote", { ...unknown, origin: "Salzburg" }), ["origin: "]],
    [await sentenceOf("create_transfer_quote", unknown), ["origin: ", "destination: "]],
    [await sentenceOf("create_transfer_quote", { ...unknown, destination: "Bern" }), ["origin: "]],
  ] as const)
    for (const field of fields) assert.equal(sentence.split(field).length, 2, `${field} once: ${sentence}`);
  const route = await sentenceOf("get_transfer_route", { route_key: "zurich-airport-to-zermat" });
  assert.match(route, /^UNSUPPORTED_ROUTE: .*route_key: .*"zurich-airport-to-zermatt"/);
});

test("a value of the wrong shape is answered with the right one", async () => {
  const stop = '{"name": text}';
  const item = '{"kind": text, "count": a whole number}';
  for (const [field, sent, says] of [
    ["special_items", ["skis"], `special_items.0: Must be ${item}, not "skis".`],
    ["special_items", { skis: 4 }, `special_items: Must be a list of ${item}, not {"skis":4}.`],
    ["special_items", "skis", `special_items: Must be a list of ${item}, not "skis".`],
    ["waypoints", ["Zug"], `waypoints.0: Must be ${stop}, not "Zug".`],
    ["waypoints", { name: "Zug" }, `waypoints: Must be a list of ${stop}, not {"name":"Zug"}.`],
    ["waypoints", '[{"name":"Zug"}]', `waypoints: Must be a list of ${stop}, not "[{\\"name\\":\\"Zug\\"}]".`],
    ["destination", { name: "Bern" }, 'destination: Must be text, not {"name":"Bern"}: drop-off, like origin'],
  ] as const) {
    const { detail } = await failure(
      agent.problem("create_transfer_quote", { ...JOURNEY, [field]: sent }),
      "INVALID_REQUEST",
    );
    assert.ok(detail.startsWith(says), detail);
    assert.doesNotMatch(detail, /undefined/);
  }
});

test("more people than a quote takes are told the largest vehicle and whom to contact, as a party that does not fit", async () => {
  const advice =
    "The largest class, Coach, takes 50 passengers and 60 pieces of luggage. Ask the traveler about a smaller party; for this one the traveler can contact Example Transfers (+41 00 000 00 00, bookings@transfers.example).";
  for (const tool of ["create_transfer_quote", "estimate_transfer_quote"]) {
    for (const field of ["passengers", "adults"]) {
      const tooMany = await failure(agent.problem(tool, { ...JOURNEY, [field]: 60 }), "INVALID_REQUEST");
      assert.ok(tooMany.next_action.endsWith(` ${advice}`), tooMany.next_action);
    }
    const together = { ...JOURNEY, adults: 40, children: 20 };
    const noRoom = await failure(agent.problem(tool, together), "NO_ELIGIBLE_VEHICLE");
    assert.equal(noRoom.next_action, advice);
    const luggage = await failure(agent.problem(tool, { ...JOURNEY, luggage: 60 }), "INVALID_REQUEST");
    assert.doesNotMatch(luggage.next_action, /largest/);
  }
});

/** A field and its stop can be wrong one after the other; nothing needs more. */
const MOST_REPAIRS = 3;

suite("from the text of an error alone the next call can be built, and it succeeds", () => {
  for (const { flaw, tool = "create_transfer_quote", args, code, sends = {}, traveler } of FLAWED_CALLS) {
    test(flaw, async () => {
      let next: Arguments = JSON.parse(JSON.stringify(args));
      let problem = await call(tool, next);
      assert.equal(problem?.code, code, JSON.stringify(problem));
      let asked = 0;
      for (let repairs = 0; problem && repairs < MOST_REPAIRS; repairs += 1) {
        const repair = repaired(next, problem);
        if (!repair) {
          assert.match(problem.next_action ?? "", /ask the traveler/i);
          asked += 1;
        }
        next = repair ?? { ...next, ...traveler?.(JSON.stringify(problem)) };
        problem = await call(tool, next);
      }
      assert.equal(problem, undefined, JSON.stringify(problem));
      assert.equal(asked, traveler ? 1 : 0, "the traveler is asked where only the traveler knows");
      for (const [field, value] of Object.entries(sends)) {
        if (!traveler) assert.deepEqual(next[field], value, field);
      }
    });
  }
});

/** The problem of a call, or `undefined` where it succeeds. */
async function call(name: string, args: Arguments): Promise<Problem | undefined> {
  const { isError, content } = await mcp.client.callTool({ name, arguments: { ...args } });
  const [, { text = "" } = {}] = content as { text?: string }[];
  return isError ? JSON.parse(text) : undefined;
}
