import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const service = await aService(wholeFile);
const token = await service.token();

async function quoted(changes: Readonly<Record<string, unknown>>) {
  const { status, body, text } = await service.api("/quotes", { token, body: aQuoteRequest(changes) });
  assert.equal(status, 201, text);
  return body;
}

test("date-times are echoed in the operator's time zone, as the same instant", async () => {
  const quote = await quoted({ pickup_datetime: "2027-01-15T13:30:00Z", return_datetime: "2027-07-20T06:00:00-04:00" });
  assert.equal(quote.pickup_datetime, "2027-01-15T14:30:00+01:00");
  assert.equal(quote.return_datetime, "2027-07-20T12:00:00+02:00");
  assert.equal(quote.expires_at, "2026-12-01T10:30:00+01:00");
  assert.equal(quote.route_basis.measured_at, "2026-12-01T10:00:00+01:00");
  const { body } = await service.api(`/quotes/${quote.quote_id}`, { token });
  assert.deepEqual(body, quote);
});

test("a limitation names the local hour of a date-time with another offset than the operator's", async () => {
  const summer = await quoted({ pickup_datetime: "2027-07-05T15:00:00+01:00" });
  assert.deepEqual(summer.limitations.slice(0, 1), [
    "The pickup is on 2027-07-05 at 16:00 local time; it was sent as 2027-07-05T15:00:00+01:00.",
  ]);
  const { body: estimate } = await service.api("/quote-intents", {
    body: aQuoteRequest({ pickup_datetime: "2027-07-05T15:00:00+01:00" }),
  });
  assert.deepEqual(estimate.limitations, summer.limitations);
  for (const pickup of ["2027-07-05T15:00:00+02:00", "2027-07-05T13:00:00Z"]) {
    const { limitations } = await quoted({ pickup_datetime: pickup });
    assert.ok(!limitations.some((text: string) => text.includes("local time")), limitations.join(" "));
  }
});

test("a response under an idempotency key is replayed byte for byte", async () => {
  const post = () =>
    service.api("/quotes", { token, body: aQuoteRequest(), headers: { "Idempotency-Key": "local-times" } });
  const [first, second] = [await post(), await post()];
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
});
