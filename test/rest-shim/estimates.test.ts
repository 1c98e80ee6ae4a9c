import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import { aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

let measurements = 0;
const router = aRouter(async () => {
  measurements += 1;
  return aMeasuredRoute({ distanceKm: 123.4, durationMinutes: 99 });
});
const { api, token, dataDir } = await aService(wholeFile, { router });
const estimate = (fields: object = {}) => api("/quote-intents", { body: aQuoteRequest({ ...fields }) });

/** Metrics of the request; then authority, distance and duration of the estimate, and whether the router was asked. */
// biome-ignore format: a table reads by its columns
const BASES = [
  [{ distance_km: 100.5, duration_min: 80 }, "CLIENT_PROVIDED", 100.5, 80, 0],
  [{ distance_km: 100, duration_min: null }, "CLIENT_PROVIDED", 100, 99, 1],
  [{ duration_min: 80 }, "CLIENT_PROVIDED", 123.4, 80, 1],
  [{ distance_km: 0 }, "CLIENT_PROVIDED", 0, 99, 1],
  [{}, "SERVER_VERIFIED", 123.4, 99, 1],
  [{ distance_km: null, duration_min: null }, "SERVER_VERIFIED", 123.4, 99, 1],
] as const;

for (const [metrics, authority, distance_km, duration_min, asked] of BASES) {
  test(`with ${JSON.stringify(metrics)} is ${authority} and never payable`, async () => {
    const before = measurements;
    const { route_basis } = (await estimate(metrics)).body;
    assert.equal(measurements - before, asked);
    const expected = { authority, distance_km, duration_min, automatically_payable: false };
    assert.deepEqual({ ...route_basis, ...expected }, route_basis);
    assert.equal(route_basis.measured_at === null, asked === 0, "nothing was measured");
    assert.equal(route_basis.routing_basis === null, asked === 0);
  });
}

test("estimates from both metrics while the router is unavailable", async (t) => {
  const down = async () => Promise.reject(new Error("down"));
  const { api } = await aService(t, { router: { ...aRouter(down), ping: down } });
  assert.equal((await api("/quote-intents", { body: aQuoteRequest({ distance_km: 0, duration_min: 0 }) })).status, 200);
  const one = await api("/quote-intents", { body: aQuoteRequest({ distance_km: 100 }) });
  assertProblem(one, { status: 503, code: "UPSTREAM_UNAVAILABLE" });
});

test("has no id and no expiry, and cannot be continued to checkout", async () => {
  const bearer = await token();
  const { body } = await api("/quote-intents", { token: bearer, body: aQuoteRequest() });
  assert.deepEqual([body.status, body.quote_id, body.expires_at, body.non_binding], ["estimate", null, null, true]);
  const handoff = { quote_id: body.request_id, fleet_id: 1, traveler_approval: true };
  const notFound = { status: 404, code: "QUOTE_NOT_FOUND" } as const;
  assertProblem(await api("/checkout-sessions", { token: bearer, body: handoff }), notFound);
  assertProblem(await api(`/quotes/${body.request_id}`, { token: bearer }), notFound);
});

test("is priced by the metrics given", async () => {
  const price = async (distance_km: number) => {
    const { body } = await estimate({ distance_km, duration_min: 60 });
    return body.options.find(({ vehicle_class }: { vehicle_class: string }) => vehicle_class === "sedan").total_price;
  };
  assert.deepEqual([await price(0), await price(100), await price(200)], [80, 300, 580]);
});

test("ignores an Idempotency-Key, and no estimate is stored", async () => {
  const headers = { "Idempotency-Key": "k" };
  const first = await api("/quote-intents", { body: aQuoteRequest(), headers });
  const second = await api("/quote-intents", { body: aQuoteRequest({ passengers: 3 }), headers });
  assert.deepEqual([first.status, second.status, second.headers.get("idempotent-replayed")], [200, 200, null]);
  assert.deepEqual(storedEntries(dataDir), []);
});

test("of a return has the price of its quote, and the caller's metrics in each direction", async () => {
  const RETURN = { return_datetime: "2026-12-09T01:30:00+01:00" };
  const { body: quote } = await api("/quotes", { token: await token(), body: aQuoteRequest(RETURN) });
  assert.deepEqual((await estimate(RETURN)).body.options, quote.options);
  const [option] = (await estimate({ ...RETURN, distance_km: 50, duration_min: 40 })).body.options;
  const labels = option.price_lines.map(({ label }: { label: string }) => label);
  assert.deepEqual(labels, ["Outbound: Transfer 50 km", "Return: Transfer 50 km", "Return: Night surcharge"]);
});
