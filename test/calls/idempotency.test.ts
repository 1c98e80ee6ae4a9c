import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { type ApiAnswer, aService, type ServiceOptions, type TestService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const HOUR = 3_600_000;
const KEY_REFUSED = { status: 422, code: "INVALID_REQUEST", fields: ["Idempotency-Key"] } as const;

test("replays the response byte for byte for the same key and arguments", async (t) => {
  const { quote, service } = await aQuoter(t);
  const first = await quote("order-17");
  const again = await quote("order-17");
  assert.deepEqual([first.status, first.headers.get("idempotent-replayed")], [201, null]);
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"]);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get("location"), first.headers.get("location"));
  assert.notEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
  const shuffled = Object.fromEntries(Object.entries(aQuoteRequest()).reverse());
  assert.equal((await quote("order-17", shuffled)).text, first.text, "the order of the fields is no difference");
  assert.equal(storedEntries(service.dataDir).length, 1);
  assert.notEqual((await quote()).body.quote_id, first.body.quote_id);
});

test("rejects the same key with other arguments, naming the header", async (t) => {
  const { quote, service } = await aQuoter(t);
  const first = await quote("k");
  for (const change of [{ passengers: 3 }, { destination: "Davos" }, { children: 0 }, { waypoints: null }]) {
    const refused = await quote("k", aQuoteRequest(change));
    assertProblem(refused, KEY_REFUSED);
    assert.match(refused.body.detail, /^Idempotency-Key: /);
    assert.equal(refused.text.includes("idempotency_key"), false);
  }
  assert.equal((await quote("k")).text, first.text);
  assert.equal(storedEntries(service.dataDir).length, 1);
});

test("separates keys by subject and operation", async (t) => {
  const { quote, service, token } = await aQuoter(t);
  const first = await quote("k");
  const otherCaller = await service.token({ subject: "other-caller" });
  const theirs = await service.api("/quotes", {
    token: otherCaller,
    body: aQuoteRequest(),
    headers: { "Idempotency-Key": "k" },
  });
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.body.quote_id, first.body.quote_id);
  const handoff = await service.api("/checkout-sessions", {
    token,
    body: termsOf(first),
    headers: { "Idempotency-Key": "k" },
  });
  assert.deepEqual([handoff.status, handoff.headers.get("idempotent-replayed")], [200, null]);
});

test("ten concurrent calls with one key create one quote, and all receive it", async (t) => {
  const { quote, service } = await aQuoter(t);
  const answers = await Promise.all(Array.from({ length: 10 }, () => quote("race")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length, 9);
  assert.equal(storedEntries(service.dataDir).length, 1);
});

test("lets one of several concurrent calls with different arguments win and rejects the others", async (t) => {
  const { quote, service } = await aQuoter(t);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => quote("race", aQuoteRequest({ luggage: index % 5 }))),
  );
  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 2);
  assert.equal(won[0]?.text, won[1]?.text);
  for (const lost of answers.filter(({ status }) => status !== 201)) assertProblem(lost, KEY_REFUSED);
  assert.equal(storedEntries(service.dataDir).length, 1);
});

test("does not keep failures: their key can be used again, also for other arguments", async (t) => {
  const { quote, service } = await aQuoter(t);
  assert.equal((await quote("k", aQuoteRequest({ passengers: 0 }))).status, 422);
  assert.equal((await quote("k", aQuoteRequest({ origin: "Qwertzuiop" }))).status, 422);
  assert.equal((await quote("k", aQuoteRequest({ destination: "Paris" }))).status, 404);
  assert.deepEqual(storedEntries(service.dataDir), []);
  const { status, headers } = await quote("k");
  assert.deepEqual([status, headers.get("idempotent-replayed")], [201, null]);
});

test("keeps a response for 24 hours, past the expiry of its quote, then frees the key", async (t) => {
  const { quote, service } = await aQuoter(t);
  const first = await quote("k");
  service.clock.advance(HOUR);
  const expired = await quote("k");
  assert.equal(expired.text, first.text);
  assert.equal(expired.body.status, "open", "as it was answered");
  service.clock.advance(23 * HOUR - 1);
  assert.equal((await quote("k")).text, first.text);
  service.clock.advance(1);
  const fresh = await quote("k", aQuoteRequest({ passengers: 1 }));
  assert.deepEqual([fresh.status, fresh.headers.get("idempotent-replayed")], [201, null]);
  assert.notEqual(fresh.body.quote_id, first.body.quote_id);
});

test("replays a response after a restart", async (t) => {
  const { quote, service } = await aQuoter(t);
  const first = await quote("k");
  await service.close();
  const restarted = await aQuoter(t, { env: { TRANSFER_DATA_DIR: service.dataDir } });
  const again = await restarted.quote("k");
  assert.deepEqual([again.status, again.text], [201, first.text]);
});

test("accepts keys of 1 to 255 visible ASCII characters", async (t) => {
  const { quote, service } = await aQuoter(t);
  const good = ["k", "x".repeat(255), "!~", '"quoted"', "a,b", "constructor", "__proto__"];
  for (const key of good) assert.equal((await quote(key)).status, 201, key);
  assert.equal(new Set(storedEntries(service.dataDir)).size, good.length);
  for (const key of ["", "x".repeat(256), "schlüssel", "a b", "a\tb", "\u00a0"])
    assertProblem(await quote(key), KEY_REFUSED);
  assert.equal(storedEntries(service.dataDir).length, good.length);
});

test("takes the key from the header alone over REST", async (t) => {
  const { quote, service } = await aQuoter(t);
  for (const header of [undefined, "k"]) {
    for (const idempotency_key of ["k", null, 1]) {
      const refused = await quote(header, aQuoteRequest({ idempotency_key }));
      assertProblem(refused, { status: 422, code: "INVALID_REQUEST", fields: ["idempotency_key"] });
      assert.match(refused.body.detail, /Idempotency-Key header/);
    }
  }
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("replays a handoff byte for byte, also after the quote has expired", async (t) => {
  const { quote, service, token } = await aQuoter(t);
  const body = termsOf(await quote());
  const handoff = (changes: object = {}) =>
    service.api("/checkout-sessions", { token, body: { ...body, ...changes }, headers: { "Idempotency-Key": "h" } });
  assert.equal((await handoff({ fleet_id: 999 })).status, 422);
  const first = await handoff();
  const again = await handoff();
  assert.deepEqual(
    [first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")],
    [null, "true"],
  );
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assertProblem(await handoff({ fleet_id: 2 }), KEY_REFUSED);
  assertProblem(await handoff({ traveler_approval: false }), KEY_REFUSED);
  service.clock.advance(HOUR);
  assert.equal((await handoff()).text, first.text);
  assert.equal(storedEntries(service.dataDir).length, 2);
});

test("rejects a key with arguments that are not well-formed Unicode", async (t) => {
  const { quote, service } = await aQuoter(t);
  const label = { waypoints: [{ name: "half a \ud800 pair", lat: 46.9, lng: 7.5 }] };
  assertProblem(await quote("k", aQuoteRequest(label)), KEY_REFUSED);
  assert.deepEqual(storedEntries(service.dataDir), []);
  assert.equal((await quote(undefined, aQuoteRequest(label))).status, 201);
});

interface Quoter {
  readonly service: TestService;
  readonly token: string;
  quote(key?: string, body?: object): Promise<ApiAnswer>;
}

async function aQuoter(t: Parameters<typeof aService>[0], options: ServiceOptions = {}): Promise<Quoter> {
  const service = await aService(t, { limiter: aRateLimiter(), ...options });
  const token = await service.token({ lifetimeSeconds: 7 * 24 * 3600 });
  const quote = (key?: string, body: object = aQuoteRequest()) =>
    service.api("/quotes", { token, body, headers: key === undefined ? {} : { "Idempotency-Key": key } });
  return { service, token, quote };
}

function termsOf({ body }: ApiAnswer): object {
  return { quote_id: body.quote_id, fleet_id: body.options[0].fleet_id, traveler_approval: true };
}
