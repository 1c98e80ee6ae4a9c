import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, type TestContext, test } from "node:test";
import express from "express";
import { createMetrics } from "../../../src/ops/metrics.ts";
import { createHealthRouter, type Dependency, type HealthOptions } from "../../../src/servers/http/health.ts";
import { aCatalogWithBudgets } from "../../support/catalog-folder.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { aService, request, type TestService } from "../../support/service.ts";
import { until } from "../../support/until.ts";

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

async function served(
  t: TestContext,
  dependencies: readonly Dependency[],
  metrics = createMetrics(),
  onRequest = () => {},
): Promise<string> {
  const app = express().use(createHealthRouter(dependencies, metrics, OPTIONS));
  const server = createServer(app).on("request", onRequest).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    const sampleOf = await samplesOf(service);
    const up = (name: string) => sampleOf(`transfer_dependency_up{dependency="${name}"}`);
    assert.deepEqual([up("quotes"), up("identity"), up("router"), up("geocoder")], [1, 1, 1, 0]);
  });

  test("probes dependencies once, however many ask at the same time", async (t) => {
    let asked = 0;
    let probes = 0;
    const counted: Dependency = {
      name: "quotes",
      async ping() {
        probes += 1;
        await until(() => asked === 20, "all requests");
      },
    };
    const url = `${await served(t, [counted], undefined, () => (asked += 1))}/readyz`;
    await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    assert.equal(probes, 1);
  });
});

test("metrics count calls that exceed the budget of their tier", async (t) => {
  const TRANSFER_CATALOG_DIR = aCatalogWithBudgets(t, { routing: { points: 1, seconds: 3600 } });
  const { publicUrl, api } = await aService(t, { env: { TRANSFER_CATALOG_DIR } });
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await api("/routes/zurich-airport-to-zermatt")).status);
  assert.deepEqual(statuses, [200, 429, 429]);
  const { text } = await request(`${publicUrl}/metrics`);
  assert.match(text, /^transfer_budget_exceeded_total\{tier="routing"\} 2$/m);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
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

/** A sample; metrics are rendered at most once a second, so a test reads them once. */
async function samplesOf({ publicUrl }: TestService): Promise<(name: string) => number> {
  const { text } = await request(`${publicUrl}/metrics`);
  return (name) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1],
    );
}

test("metrics time the stages of calls", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const body = aQuoteRequest({ return_datetime: "2026-12-10T14:00:00+01:00" });
  const quote = await service.api("/quotes", { token, body });
  assert.equal(quote.status, 201, quote.text);
  await service.api(`/quotes/${quote.body.quote_id}`, { token });
  await service.api("/quote-intents", { body: aQuoteRequest({ origin: "nowhere that anybody knows" }) });
  const sampleOf = await samplesOf(service);
  // Both directions, and the way if the car leaves at the end of the free waiting, when the last car train may be gone.
  const calls = { authentication: 2, places: 2, routing: 3, pricing: 1, store: 2 };
  for (const [name, count] of Object.entries(calls)) {
    assert.equal(sampleOf(`transfer_stage_duration_seconds_count{stage="${name}"}`), count, name);
  }
  assert.ok(sampleOf('transfer_stage_duration_seconds_sum{stage="store"}') > 0);
});

test("metrics show the events that wait", async () => {
  const metrics = createMetrics();
  const oldestAt = new Date(Date.now() - 60_000).toISOString();
  metrics.events(["quote.created"]).measured({ length: 3, oldestAt, setAside: 2 });
  const { text } = await metrics.render();
  assert.match(text, /^transfer_outbox_events 3$/m);
  assert.match(text, /^transfer_outbox_set_aside_events 2$/m);
  assert.match(text, /^transfer_outbox_oldest_seconds 6\d(\.\d+)?$/m);
  assert.match(text, /^transfer_event_deliveries_total\{type="quote.created",result="failed"\} 0$/m);
});
