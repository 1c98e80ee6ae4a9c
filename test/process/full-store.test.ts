import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

test("a store at its bound answers new quotes with 503 and Retry-After, and serves what it holds", async (t) => {
  const service = await aService(t, { env: { TRANSFER_MAX_LIVE_QUOTES: "2" } });
  const token = await service.token();
  const quote = (key: string) =>
    service.api("/quotes", { token, body: aQuoteRequest(), headers: { "Idempotency-Key": key } });
  const first = await quote("first-quote");
  assert.equal(first.status, 201, first.text);
  assert.equal((await quote("second-quote")).status, 201);

  const full = await quote("third-quote");
  assert.deepEqual([full.status, full.body.code, full.body.retryable], [503, "UPSTREAM_UNAVAILABLE", true]);
  const seconds = Number(full.headers.get("retry-after"));
  // 30 minutes and 24 hours, and a minute for the purge.
  assert.equal(seconds, 24.5 * 3600 + 60);
  assert.ok(!("retry_after_seconds" in full.body), "the body has it on RATE_LIMITED alone");
  assert.equal((await quote("first-quote")).text, first.text);
  const read = await service.api(`/quotes/${first.body.quote_id}`, { token });
  assert.deepEqual(read.body, first.body);
});
