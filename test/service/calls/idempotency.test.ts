import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { assertProblem } from "../../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { aSchema, asking, withPostgres } from "../../support/postgres.ts";
import { type ApiAnswer, aService, type ServiceOptions } from "../../support/service.ts";
import { storedEntries } from "../../support/stored-entries.ts";
import { proxied } from "../../support/tcp-proxy.ts";

const HOUR = 3_600_000;
const KEY_REFUSED = { status: 422, code: "INVALID_REQUEST", fields: ["Idempotency-Key"] } as const;
const { quote, service, token } = await aQuoter(wholeFile);

/** How many quotes and handoffs the service has stored since it was asked. */
function counting(): () => number {
  const before = storedEntries(service.dataDir).length;
  return () => storedEntries(service.dataDir).length - before;
}

test("replays the response byte for byte for the same key and arguments", async () => {
  const stored = counting();
  const first = await quote("order-17");
  const again = await quote("order-17");
  assert.deepEqual([first.status, replayed(first)], [201, null]);
  assert.deepEqual([again.status, replayed(again)], [201, "true"]);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get("location"), first.headers.get("location"));
  assert.notEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
  const shuffled = Object.fromEntries(Object.entries(aQuoteRequest()).reverse());
  assert.equal((await quote("order-17", shuffled)).text, first.text, "the order of the fields is no difference");
  assert.equal(stored(), 1);
  assert.notEqual((await quote()).body.quote_id, first.body.quote_id);
});

test("rejects the same key with other arguments, naming the header", async () => {
  const stored = counting();
  const first = await quote("other");
  const sooner = { arrive_by: "2026-12-08T11:10:00+01:00" };
  for (const change of [{ passengers: 3 }, { destination: "Davos" }, { children: 0 }, { waypoints: null }, sooner]) {
    const refused = await quote("other", aQuoteRequest(change));
    assertProblem(refused, KEY_REFUSED);
    assert.match(refused.body.detail, /^Idempotency-Key: /);
    assert.equal(refused.text.includes("idempotency_key"), false);
  }
  assert.equal((await quote("other")).text, first.text);
  assert.equal(stored(), 1);
});

test("separates keys by subject and operation", async () => {
  const headers = { "Idempotency-Key": "apart" };
  const first = await quote("apart");
  const otherCaller = await service.token({ subject: "other-caller" });
  const theirs = await service.api("/quotes", { token: otherCaller, body: aQuoteRequest(), headers });
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.body.quote_id, first.body.quote_id);
  const handoff = await service.api("/checkout-sessions", { token, body: termsOf(first), headers });
  assert.deepEqual([handoff.status, replayed(handoff)], [200, null]);
});

test("one of ten concurrent calls wins, those with its arguments get its quote, and the others are rejected", async () => {
  const stored = counting();
  const body = (index: number) => aQuoteRequest({ luggage: index % 2 });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => quote("race", body(index))));
  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 5);
  assert.equal(new Set(won.map(({ text }) => text)).size, 1);
  assert.equal(won.filter((answer) => replayed(answer) === "true").length, 4);
  for (const lost of answers.filter(({ status }) => status !== 201)) assertProblem(lost, KEY_REFUSED);
  assert.equal(stored(), 1);
});

test("does not keep failures: their key can be used again, also for other arguments", async () => {
  const stored = counting();
  assert.equal((await quote("again", aQuoteRequest({ passengers: 0 }))).status, 422);
  assert.equal((await quote("again", aQuoteRequest({ origin: "Qwertzuiop" }))).status, 422);
  assert.equal((await quote("again", aQuoteRequest({ destination: "Paris" }))).status, 404);
  assert.equal(stored(), 0);
  const answer = await quote("again");
  assert.deepEqual([answer.status, replayed(answer)], [201, null]);
});

test("keeps a response for 24 hours, past a restart and the expiry of its quote, then frees the key", async (t) => {
  const first = await aQuoter(t);
  const { text } = await first.quote("k");
  await first.service.close();
  const { clock, dataDir } = first.service;
  const { quote } = await aQuoter(t, { clock, env: { TRANSFER_DATA_DIR: dataDir } });
  clock.advance(HOUR);
  const expired = await quote("k");
  assert.deepEqual([expired.status, expired.text, replayed(expired)], [201, text, "true"]);
  assert.equal(expired.body.status, "open", "as it was answered");
  clock.advance(23 * HOUR - 1);
  assert.equal((await quote("k")).text, text);
  clock.advance(1);
  const fresh = await quote("k", aQuoteRequest({ passengers: 1 }));
  assert.deepEqual([fresh.status, replayed(fresh)], [201, null]);
});

test("accepts keys of 1 to 255 visible ASCII characters", async () => {
  const stored = counting();
  const good = ["k", "x".repeat(255), "!~", '"quoted"', "a,b", "constructor", "__proto__"];
  for (const key of good) assert.equal((await quote(key)).status, 201, key);
  for (const key of ["", "x".repeat(256), "schlüssel", "a b", "a\tb", "\u00a0"])
    assertProblem(await quote(key), KEY_REFUSED);
  assert.equal(stored(), good.length);
});

test("takes the key from the header alone over REST", async () => {
  const stored = counting();
  for (const header of [undefined, "header"]) {
    for (const idempotency_key of ["header", null, 1]) {
      const refused = await quote(header, aQuoteRequest({ idempotency_key }));
      assertProblem(refused, { status: 422, code: "INVALID_REQUEST", fields: ["idempotency_key"] });
      assert.match(refused.body.detail, /Idempotency-Key header/);
    }
  }
  assert.equal(stored(), 0);
});

test("replays a handoff byte for byte, also after the quote has expired", async (t) => {
  const { quote, service, token } = await aQuoter(t);
  const body = termsOf(await quote());
  const handoff = (changes: object = {}) =>
    service.api("/checkout-sessions", { token, body: { ...body, ...changes }, headers: { "Idempotency-Key": "h" } });
  assert.equal((await handoff({ fleet_id: 999 })).status, 422);
  const first = await handoff();
  const again = await handoff();
  assert.deepEqual([replayed(first), replayed(again)], [null, "true"]);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assertProblem(await handoff({ fleet_id: 2 }), KEY_REFUSED);
  assertProblem(await handoff({ traveler_approval: false }), KEY_REFUSED);
  service.clock.advance(HOUR);
  assert.equal((await handoff()).text, first.text);
  assert.equal(storedEntries(service.dataDir).length, 2);
});

test("rejects a key with arguments that are not well-formed Unicode", async () => {
  const stored = counting();
  const label = { waypoints: [{ name: "half a \ud800 pair", lat: 46.9, lng: 7.5 }] };
  assertProblem(await quote("unicode", aQuoteRequest(label)), KEY_REFUSED);
  assert.equal(stored(), 0);
  assert.equal((await quote(undefined, aQuoteRequest(label))).status, 201);
});

async function aQuoter(t: Pick<TestContext, "after">, options: ServiceOptions = {}) {
  const service = await aService(t, options);
  const token = await service.token({ lifetimeSeconds: 7 * 24 * 3600 });
  const quote = (key?: string, body: object = aQuoteRequest()) =>
    service.api("/quotes", { token, body, headers: key === undefined ? {} : { "Idempotency-Key": key } });
  return { service, clock: service.clock, token, quote };
}

function replayed({ headers }: ApiAnswer): string | null {
  return headers.get("idempotent-replayed");
}

function termsOf({ body }: ApiAnswer): object {
  return { quote_id: body.quote_id, fleet_id: body.options[0].fleet_id, traveler_approval: true };
}

const UNAVAILABLE = { status: 503, code: "UPSTREAM_UNAVAILABLE" } as const;
const TOMORROW = aQuoteRequest({ pickup_datetime: "2026-12-02T09:00:00+01:00" });
const HALF_AN_HOUR_LATE = 23.5 * 3_600_000;

test("replays a response whose request would be rejected by now", async (t) => {
  const { quote, clock } = await aQuoter(t);
  const first = await quote("k", TOMORROW);
  assert.equal(first.status, 201);
  clock.advance(HALF_AN_HOUR_LATE);
  const again = await quote("k", TOMORROW);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assertProblem(await quote("other", TOMORROW), { status: 422, code: "PAST_DATETIME" });
});

test("does not wait for a hanging router to replay or to reject a reused key", { timeout: 30_000 }, async (t) => {
  let isSilent = false;
  const router = aRouter(async (_stops, _departure, signal) => {
    if (!isSilent) return aMeasuredRoute();
    if (!signal.aborted) await once(signal, "abort");
    throw signal.reason;
  });
  const { quote } = await aQuoter(t, { router });
  const first = await quote("k");
  isSilent = true;
  assert.equal((await quote("k")).text, first.text);
  const clash = await quote("k", aQuoteRequest({ passengers: 3 }));
  assertProblem(clash, { status: 422, code: "INVALID_REQUEST", fields: ["Idempotency-Key"] });
});

await withPostgres("the look-up in a database", () => {
  test("replays a response while the database is read-only", async (t) => {
    const schema = await aSchema(t);
    const { quote } = await behindProxy(t, schema);
    const first = await quote("k");
    // As a standby answers, to this schema alone.
    await asking(
      schema,
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE read_only_sql_transaction; END$$",
    );
    await asking(
      schema,
      "CREATE TRIGGER refuse BEFORE INSERT ON transfer_idempotency_records EXECUTE FUNCTION refuse()",
    );
    assert.equal((await quote("k")).text, first.text);
    assertProblem(await quote("other"), UNAVAILABLE);
  });

  test("answers 503 while it cannot know whether the key was used", async (t) => {
    const { quote, proxy, clock } = await behindProxy(t);
    const first = await quote("k", TOMORROW);
    clock.advance(HALF_AN_HOUR_LATE);
    // The look-up is the first that a call sends.
    proxy.breakAt("", "before");
    assertProblem(await quote("k", TOMORROW), UNAVAILABLE);
    assert.equal((await quote("k", TOMORROW)).text, first.text);
  });
});

async function behindProxy(t: TestContext, schema?: string) {
  const { url, proxy } = await proxied(t, schema ?? (await aSchema(t)));
  const TRANSFER_CHECKOUT_SECRET = "a-checkout-secret-of-the-tests-0123456789";
  return { ...(await aQuoter(t, { env: { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET } })), proxy };
}
