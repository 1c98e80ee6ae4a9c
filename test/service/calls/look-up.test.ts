import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { assertProblem } from "../../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { aSchema, asking, withPostgres } from "../../support/postgres.ts";
import { aService, type ServiceOptions } from "../../support/service.ts";
import { proxied } from "../../support/tcp-proxy.ts";

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

async function aQuoter(t: TestContext, options: ServiceOptions = {}) {
  const service = await aService(t, options);
  const token = await service.token({ lifetimeSeconds: 7 * 24 * 3600 });
  const quote = (key: string, body: object = aQuoteRequest()) =>
    service.api("/quotes", { token, body, headers: { "Idempotency-Key": key } });
  return { quote, clock: service.clock };
}

async function behindProxy(t: TestContext, schema?: string) {
  const { url, proxy } = await proxied(t, schema ?? (await aSchema(t)));
  const TRANSFER_CHECKOUT_SECRET = "a-checkout-secret-of-the-tests-0123456789";
  return { ...(await aQuoter(t, { env: { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET } })), proxy };
}
