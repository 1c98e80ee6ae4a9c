import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { service } from "../support/shared-service.ts";

const estimate = (origin: string, destination: string) =>
  service.api("/quote-intents", { body: aQuoteRequest({ origin, destination }) });

test("a known hospital is priced at its own position, not at the edge of its town", async () => {
  const { status, body, text } = await estimate("Inselspital Bern", "Bahnhof Bern");
  assert.equal(status, 200, text);
  assert.ok(body.route_basis.distance_km <= 2, text);
  assert.ok(!body.limitations.some((each: string) => /exact address/.test(each)), text);
});

test("a short word with a similar name is a question for the traveler", async () => {
  const { status, body, text } = await estimate("Zurich Airport", "Barn");
  assert.equal(status, 422, text);
  assert.deepEqual(body.field_errors[0].candidates, ["Bern"]);
  assert.doesNotMatch(body.field_errors[0].message, /Did you mean/);
  assert.match(body.next_action, /^Ask the traveler/);
});

test("a site and its coordinates have one price", async () => {
  for (const [name, at] of [
    ["Baur au Lac", "47.3671, 8.5393"],
    ["Inselspital", "46.9471, 7.4255"],
    ["CERN", "46.2334, 6.0556"],
  ] as const) {
    const [byName, byPosition] = await Promise.all([estimate(name, "Verbier"), estimate(at, "Verbier")]);
    assert.equal(byName.status, 200, byName.text);
    assert.deepEqual(byName.body.options, byPosition.body.options, name);
  }
});
