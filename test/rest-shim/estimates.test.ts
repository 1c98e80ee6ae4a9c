import assert from "node:assert/strict";
import { test } from "node:test";
import type { Router } from "../../src/routing/router.ts";
import { assertProblem } from "../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const MEASURED = aMeasuredRoute({ distanceKm: 123.4, durationMinutes: 99, feesRappen: 0, notes: [], doubts: [] });

test("does not measure when both metrics are given", async (t) => {
  const { router, asked } = aCountingRouter();
  const { api, dataDir } = await aService(t, { router });
  const { status, body } = await api("/quote-intents", {
    body: aQuoteRequest({ distance_km: 100.5, duration_min: 80 }),
  });
  assert.deepEqual([status, asked()], [200, 0]);
  assert.deepEqual(basis(body), ["CLIENT_PROVIDED", 100.5, 80, false]);
  const { measured_at, routing_basis } = body.route_basis;
  assert.deepEqual([measured_at, routing_basis], [null, null], "nothing was measured");
  assert.deepEqual(storedEntries(dataDir), []);
});

test("estimates from both metrics while the router is unavailable", async (t) => {
  const down = async () => Promise.reject(new Error("down"));
  const { api } = await aService(t, { router: { ...aRouter(down), ping: down } });
  assert.equal((await api("/quote-intents", { body: aQuoteRequest({ distance_km: 0, duration_min: 0 }) })).status, 200);
  const one = await api("/quote-intents", { body: aQuoteRequest({ distance_km: 100 }) });
  assertProblem(one, { status: 503, code: "UPSTREAM_UNAVAILABLE" });
});

test("measures the metric that is missing", async (t) => {
  const { router, asked } = aCountingRouter();
  const { api } = await aService(t, { router });
  const distance = await api("/quote-intents", { body: aQuoteRequest({ distance_km: 100, duration_min: null }) });
  assert.deepEqual(basis(distance.body), ["CLIENT_PROVIDED", 100, 99, false]);
  const duration = await api("/quote-intents", { body: aQuoteRequest({ duration_min: 80 }) });
  assert.deepEqual(basis(duration.body), ["CLIENT_PROVIDED", 123.4, 80, false]);
  const zero = await api("/quote-intents", { body: aQuoteRequest({ distance_km: 0 }) });
  assert.deepEqual(basis(zero.body), ["CLIENT_PROVIDED", 0, 99, false]);
  assert.equal(asked(), 3);
});

test("measures without metrics; the estimate is verified and not payable", async (t) => {
  const { router } = aCountingRouter();
  const { api } = await aService(t, { router });
  for (const metrics of [{}, { distance_km: null, duration_min: null }]) {
    const { body } = await api("/quote-intents", { body: aQuoteRequest(metrics) });
    assert.deepEqual(basis(body), ["SERVER_VERIFIED", 123.4, 99, false]);
  }
});

test("returns no id and no expiry, and cannot be continued to checkout", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  const { body } = await api("/quote-intents", { token: bearer, body: aQuoteRequest() });
  assert.deepEqual([body.status, body.quote_id, body.expires_at, body.non_binding], ["estimate", null, null, true]);
  const handoff = { quote_id: body.request_id, fleet_id: 1, traveler_approval: true };
  assertProblem(await api("/checkout-sessions", { token: bearer, body: handoff }), {
    status: 404,
    code: "QUOTE_NOT_FOUND",
  });
  assertProblem(await api(`/quotes/${body.request_id}`, { token: bearer }), { status: 404, code: "QUOTE_NOT_FOUND" });
});

test("prices by the metrics given", async (t) => {
  const { api } = await aService(t);
  const price = async (distance_km: number) => {
    const { body } = await api("/quote-intents", { body: aQuoteRequest({ distance_km, duration_min: 60 }) });
    return body.options.find(({ vehicle_class }: { vehicle_class: string }) => vehicle_class === "sedan").total_price;
  };
  assert.deepEqual([await price(0), await price(100), await price(200)], [80, 300, 580]);
});

test("ignores an Idempotency-Key and stores nothing", async (t) => {
  const { api, dataDir } = await aService(t);
  const headers = { "Idempotency-Key": "k" };
  const first = await api("/quote-intents", { body: aQuoteRequest(), headers });
  const second = await api("/quote-intents", { body: aQuoteRequest({ passengers: 3 }), headers });
  assert.deepEqual([first.status, second.status, second.headers.get("idempotent-replayed")], [200, 200, null]);
  assert.deepEqual(storedEntries(dataDir), []);
});

function basis({ route_basis }: { route_basis: Record<string, unknown> }): readonly unknown[] {
  const { authority, distance_km, duration_min, automatically_payable } = route_basis;
  return [authority, distance_km, duration_min, automatically_payable];
}

function aCountingRouter(): { readonly router: Router; asked(): number } {
  let calls = 0;
  const measure = async () => {
    calls += 1;
    return MEASURED;
  };
  return { router: aRouter(measure), asked: () => calls };
}
