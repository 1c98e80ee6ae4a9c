import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import express from "express";
import { createMetrics } from "../../../src/ops/metrics.ts";
import { createHealthRouter, type Dependency, type HealthOptions } from "../../../src/servers/http/health.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { until } from "../../support/lifetime.ts";
import { aLoopbackServer } from "../../support/loopback-server.ts";
import { aService, request } from "../../support/service.ts";

const working: Dependency = { name: "quotes", ping: async () => {} };
const broken: Dependency = {
  name: "router",
  ping: async () => {
    throw new Error("secret-host is down");
  },
};

const OPTIONS: HealthOptions = {
  isDraining: () => false,
  catalog: () => ({ version: "a", tariffVersion: "b", loadedAt: new Date(0) }),
  metricsToken: undefined,
  limit: (_request, _response, next) => next(),
};

async function served(t: TestContext, dependencies: readonly Dependency[], onRequest = () => {}): Promise<string> {
  const app = express().use((_request, _response, next) => next(onRequest()));
  return aLoopbackServer(t, app.use(createHealthRouter(() => dependencies, createMetrics(), OPTIONS)));
}

suite("health", () => {
  test("reports a process alive whatever its dependencies do", async (t) => {
    const response = await fetch(`${await served(t, [broken])}/healthz`);
    assert.deepEqual([response.status, await response.json()], [200, { status: "ok" }]);
  });

  const optional: Dependency = { ...broken, name: "budgets", isEssential: false };
  // biome-ignore format: a table reads by its columns
  const states: readonly (readonly [string, readonly Dependency[], number, string, readonly string[]])[] = [
    ["ready while every dependency works", [working], 200, "ready", []],
    ["unavailable with the name of a failing dependency", [working, broken], 503, "unavailable", ["router"]],
    ["degraded while only a dependency that is not essential fails", [working, optional], 200, "degraded", ["budgets"]],
    ["unavailable while an essential one fails as well", [optional, broken], 503, "unavailable", ["budgets", "router"]],
  ];
  for (const [what, dependencies, status, state, failing] of states) {
    test(`reports ${what}, without the cause`, async (t) => {
      const response = await fetch(`${await served(t, dependencies)}/readyz`);
      const each = dependencies.map(({ name }) => [name, failing.includes(name) ? "failing" : "ok"]);
      const catalog = { version: "a", tariff_version: "b", loaded_at: "1970-01-01T00:00:00.000Z" };
      const body = { status: state, failing, dependencies: Object.fromEntries(each), catalog };
      assert.deepEqual([response.status, await response.json()], [status, body]);
    });
  }

  test("is degraded while the geocoder is unavailable, which the metrics name; catalog places are priced", async (t) => {
    const env = { TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: "http://127.0.0.1:1" };
    const service = await aService(t, { env });
    const { status, body } = await request(`${service.publicUrl}/readyz`);
    assert.deepEqual([status, body.status, body.failing], [200, "degraded", ["geocoder"]]);
    const journey = { origin: "ZRH", destination: "Bern", pickup_datetime: "2026-12-08T13:00:00Z" };
    const estimate = await service.api("/quote-intents", { body: { ...journey, passengers: 2 } });
    assert.equal(estimate.status, 200, estimate.text);
    const { text } = await request(`${service.publicUrl}/metrics`);
    for (const [name, isUp] of Object.entries({ quotes: 1, identity: 1, router: 1, geocoder: 0 }))
      assert.ok(text.includes(`\ntransfer_dependency_up{dependency="${name}"} ${isUp}\n`), name);
  });

  test("probes dependencies once, however many ask at the same time", async (t) => {
    let asked = 0;
    const count = () => {
      asked += 1;
    };
    let probes = 0;
    const counted: Dependency = {
      name: "quotes",
      async ping() {
        probes += 1;
        await until(() => asked === 20, "all requests");
      },
    };
    const url = `${await served(t, [counted], count)}/readyz`;
    await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    assert.equal(probes, 1);
  });
});

test("metrics require the operator's token where one is set", async (t) => {
  const TRANSFER_METRICS_TOKEN = "metrics-token-of-the-tests";
  const { publicUrl, token } = await aService(t, { env: { TRANSFER_METRICS_TOKEN } });
  for (const bearer of [undefined, "wrong", `${TRANSFER_METRICS_TOKEN}x`, await token()]) {
    const { status, body } = await request(`${publicUrl}/metrics`, { ...(bearer && { token: bearer }) });
    assert.deepEqual([status, body.code], [401, "AUTHENTICATION_REQUIRED"]);
  }
  const { status, text } = await request(`${publicUrl}/metrics`, { token: TRANSFER_METRICS_TOKEN });
  assert.equal(status, 200);
  assert.match(text, /^transfer_shed_total/m);
});

test("metrics time the stages of calls", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const body = aQuoteRequest({ return_datetime: "2026-12-10T14:00:00+01:00" });
  const quote = await service.api("/quotes", { token, body });
  assert.equal(quote.status, 201, quote.text);
  await service.api(`/quotes/${quote.body.quote_id}`, { token });
  await service.api("/quote-intents", { body: aQuoteRequest({ origin: "nowhere that anybody knows" }) });
  const { text } = await request(`${service.publicUrl}/metrics`);
  // Both directions, each also from the end of the free waiting, when the last car train may be gone.
  const calls = { authentication: 2, places: 2, routing: 4, pricing: 1, store: 2 };
  for (const [stage, count] of Object.entries(calls))
    assert.ok(text.includes(`\ntransfer_stage_duration_seconds_count{stage="${stage}"} ${count}\n`), stage);
});
