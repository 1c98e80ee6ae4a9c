import assert from "node:assert/strict";
import { test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import type { Router } from "../../src/routing/router.ts";
import { assertProblem } from "../support/assert-problem.ts";
import { aCatalogueWithBudgets } from "../support/catalogue-with-budgets.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const SPENT = { status: 429, code: "RATE_LIMITED" } as const;
const REFUSED = { status: 401, code: "AUTHENTICATION_REQUIRED" } as const;
const HIDDEN = { status: 503, code: "UPSTREAM_UNAVAILABLE" } as const;
const PAIR = { points: 2, seconds: 60 };

test("who calls is asked first, and an unknown caller spends no budget but his own", async (t) => {
  const { api, token } = await aService(t, {
    env: { TRANSFER_CATALOG_DIR: aCatalogueWithBudgets(t, { quote_authoritative: PAIR }) },
  });
  for (let call = 0; call < 5; call += 1)
    assertProblem(await api("/quotes", { body: { passengers: 0 } }), REFUSED);
  const bearer = await token();
  for (let call = 0; call < 2; call += 1)
    assert.equal((await api("/quotes", { token: bearer, body: aQuoteRequest() })).status, 201);
  assertProblem(await api("/quotes", { token: bearer, body: aQuoteRequest() }), SPENT);
});

test("a blocked caller is told so before budget and body are looked at", async (t) => {
  const TRANSFER_CATALOG_DIR = aCatalogueWithBudgets(t, { quote_authoritative: PAIR, auth_failure: PAIR });
  const { api, token } = await aService(t, {
    env: { TRANSFER_CATALOG_DIR, TRANSFER_BLOCKED_SUBJECTS: "agent-1" },
  });
  const bearer = await token();
  for (let call = 0; call < 4; call += 1) {
    assertProblem(await api("/quotes", { token: bearer, body: {} }), { status: 403, code: "FORBIDDEN" });
  }
});

test("the budget is charged before the arguments are checked", async (t) => {
  const { api, token, dataDir } = await aService(t, {
    env: { TRANSFER_CATALOG_DIR: aCatalogueWithBudgets(t, { quote_authoritative: PAIR }) },
  });
  const bearer = await token();
  for (let call = 0; call < 2; call += 1) {
    assertProblem(await api("/quotes", { token: bearer, body: {} }), {
      status: 422,
      code: "INVALID_REQUEST",
    });
  }
  assertProblem(await api("/quotes", { token: bearer, body: {} }), { ...SPENT, fields: [] });
  assertProblem(await api("/quotes", { token: bearer, body: aQuoteRequest() }), SPENT);
  assert.deepEqual(storedEntries(dataDir), []);
});

test("nothing is measured for arguments that are not valid", async (t) => {
  let asked = 0;
  const measure = async () => {
    asked += 1;
    throw new Error("down");
  };
  const { api } = await aService(t, { router: aRouter(measure) });
  assert.equal((await api("/quote-intents", { body: aQuoteRequest({ passengers: 51 }) })).status, 422);
  assert.equal(asked, 0);
  assert.equal((await api("/quote-intents", { body: aQuoteRequest() })).status, 503);
  assert.equal(asked, 1);
});

test("an open operation charges the subject of a valid token, otherwise the address", async (t) => {
  const { api, token } = await aService(t, {
    env: { TRANSFER_CATALOG_DIR: aCatalogueWithBudgets(t, { routing: PAIR, auth_failure: PAIR }) },
  });
  const ask = async (bearer?: string) =>
    (await api("/routes/zurich-airport-to-zermatt", { token: bearer })).status;
  const [first, second] = [await token({ subject: "a", scopes: [] }), await token({ subject: "b" })];
  assert.deepEqual([await ask(first), await ask(first), await ask(first)], [200, 200, 429]);
  assert.equal(await ask(second), 200, "another subject");
  assert.deepEqual([await ask(), await ask("forged"), await ask()], [200, 200, 429]);
  assert.equal(await ask("another-forged"), 429, "a bad token counts for the address");
  assert.equal(await ask(second), 200);
});

test("ten failed authentications of an address, then 429, and a valid token still works", async (t) => {
  const { api, token } = await aService(t, { env: { TRANSFER_TRUST_PROXY: "loopback" } });
  const fail = (address: string, bearer?: string) =>
    api("/quotes/q_1", { token: bearer, headers: { "X-Forwarded-For": address } });
  const scopeless = await token({ scopes: ["discovery"] });
  const bearers = [undefined, "forged", scopeless];
  for (let call = 0; call < 10; call += 1)
    assertProblem(await fail("203.0.113.1", bearers[call % 3]), REFUSED);
  for (const bearer of bearers) {
    const refused = await fail("203.0.113.1", bearer);
    assertProblem(refused, SPENT);
    assert.ok(refused.body.retry_after_seconds <= 300 && refused.body.retry_after_seconds > 60);
  }
  assertProblem(await fail("203.0.113.2"), REFUSED);
  assertProblem(await fail("203.0.113.1", await token()), { status: 404, code: "QUOTE_NOT_FOUND" });
});

test("an unexpected fault is logged under the request's id, and nothing of it is in the answer", async (t) => {
  const { log, records } = aRecordingLog();
  const fault = new TypeError("cannot read 'hunter2' of undefined");
  const { api, token, dataDir } = await aService(t, {
    log,
    router: aRouter(async () => Promise.reject(fault)),
  });
  const answer = await api("/quotes", { token: await token(), body: aQuoteRequest() });
  assertProblem(answer, HIDDEN);
  assert.equal(
    /hunter2|TypeError|\.ts|at /.test(answer.text.replace(/"instance".*/, "")),
    false,
    answer.text,
  );
  const [record, ...others] = records.filter(({ level }) => level === "error");
  assert.deepEqual(others, []);
  assert.deepEqual(record?.facts, {
    request_id: answer.body.request_id,
    operation: "create_transfer_quote",
    err: fault,
  });
  assert.deepEqual(storedEntries(dataDir), []);
});

test("the cause behind a public error is logged, an ordinary refusal is not", async (t) => {
  const { log, records } = aRecordingLog();
  const cause = new Error("ECONNREFUSED 10.0.0.7:5000");
  const down = new PublicError("UPSTREAM_UNAVAILABLE", "The router is away.", { cause });
  const { api } = await aService(t, { log, router: aRouter(async () => Promise.reject(down)) });
  const answer = await api("/quote-intents", { body: aQuoteRequest() });
  assert.equal(answer.body.detail, "The router is away.");
  assert.equal(answer.text.includes("10.0.0.7"), false);
  const errors = () => records.filter(({ level }) => level === "error");
  assert.deepEqual(
    errors().map(({ facts }) => facts.err),
    [cause],
  );
  await api("/quote-intents", { body: {} });
  await api("/quotes", { body: aQuoteRequest() });
  await api("/nothing");
  assert.equal(errors().length, 1);
});

test("an answer that breaks its own schema is hidden and not stored", async (t) => {
  const { log, records } = aRecordingLog();
  const measured = { distanceKm: Number.NaN, durationMinutes: 90, feesRappen: 0, notes: [], doubts: [] };
  const { api, token, dataDir } = await aService(t, { log, router: aRouter(async () => measured) });
  const headers = { "Idempotency-Key": "k" };
  const answer = await api("/quotes", { token: await token(), body: aQuoteRequest(), headers });
  assertProblem(answer, { ...HIDDEN, fields: [] });
  assert.equal(answer.text.includes("total_price"), false);
  assertProblem(await api("/quote-intents", { body: aQuoteRequest() }), { ...HIDDEN, fields: [] });
  assert.equal(records.filter(({ level }) => level === "error").length, 2);
  assert.deepEqual(storedEntries(dataDir), []);
});

function aRouter(measure: Router["measure"]): Router {
  return { basis: "TEST", dataVersion: "1", measure, ping: async () => {} };
}
