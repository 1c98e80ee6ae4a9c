import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { referenceOf } from "../../../src/contract/notice-formats.ts";
import type { SaleEvent } from "../../../src/domain/sales/sale-event.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { savedSales } from "../../support/lowdb-store.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request, type TestService } from "../../support/service.ts";

test("a quote, its handoffs and openings leave one event each, however often they are repeated", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const { body: quote } = await service.api("/quotes", { token, body: aQuoteRequest() });
  const link = await handOff(service, token, quote, "one");
  await handOff(service, token, quote, "two");
  await handOff(service, token, quote);
  for (let n = 0; n < 3; n += 1) assert.equal((await open(service, link)).status, 200);

  const sales = await salesOf(service);
  assert.equal(sales.map(({ type }) => type).join(), "quote.created,handoff.created,handoff.opened");
  const [created, handedOff, opened] = sales;
  const common = { quoteId: quote.quote_id, distanceKm: quote.route_basis.distance_km, surface: "rest" };
  for (const sale of sales) assert.deepEqual({ ...sale, ...common }, sale);
  assert.equal(new Set(sales.map(({ id }) => id)).size, 3);
  const cheapestFirst = [...quote.options].sort((a: Fields, b: Fields) => a.total_price - b.total_price);
  assert.deepEqual(
    created?.options.map(({ vehicleClass, totalRappen }) => [vehicleClass, totalRappen]),
    cheapestFirst.map((option: Fields) => [option.vehicle_class, Math.round(option.total_price * 100)]),
  );
  for (const sale of [handedOff, opened]) assert.deepEqual(sale?.options, created?.options.slice(0, 1));
  const clients = sales.map(({ client }) => client);
  assert.deepEqual(clients, [handedOff?.client, handedOff?.client, null]);
});

test("a handoff that the operator has to confirm is recorded once, and its refusal says what to send", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const { body: quote } = await service.api("/quotes", { token, body: aQuoteRequest({ passengers: 40 }) });
  const [{ fleet_id, vehicle_class, total_price }] = quote.options;
  const body = { quote_id: quote.quote_id, fleet_id, traveler_approval: true };
  const first = await service.api("/checkout-sessions", { token, body });
  assert.deepEqual([first.status, first.body.code], [409, "MANUAL_CONFIRMATION_REQUIRED"]);
  const reference = referenceOf(quote.quote_id);
  const text = `Reference ${reference}: please confirm Coach, ${quote.origin} – ${quote.destination}, `;
  assert.ok(first.body.next_action.includes(text), first.body.next_action);
  for (const part of ["+41", "@", "40 passengers", `CHF ${total_price}`])
    assert.ok(first.body.next_action.includes(part));
  await service.api("/checkout-sessions", { token, body });

  const [created, requested, ...others] = await salesOf(service);
  assert.deepEqual([requested?.type, requested?.quoteId, others], ["handoff.requested", quote.quote_id, []]);
  assert.deepEqual(
    requested?.options.map(({ vehicleClass }) => vehicleClass),
    [vehicle_class],
  );
  assert.deepEqual([requested?.client, requested?.surface], [created?.client, "rest"]);
  assert.match((await request(`${service.publicUrl}/metrics`)).text, /^transfer_sales_total\{step="request"\} 2$/m);
});

test("an event names places and corridors of the catalog, never a text or position of the caller", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const places = [
    ["Zurich Airport", "Zermatt"],
    ["Secretstrasse 7, Thun", "Geneva Airport"],
    ["46.7581, 7.6280", "Davos"],
  ];
  for (const [origin, destination] of places) {
    const answer = await service.api("/quotes", { token, body: aQuoteRequest({ origin, destination }) });
    assert.equal(answer.status, 201, answer.text);
  }
  const sales = await salesOf(service);
  assert.deepEqual(
    sales.map(({ corridor, origin, destination }) => [corridor, origin, destination]),
    [
      ["zurich-airport-to-zermatt", "zurich-airport", "zermatt"],
      [null, "thun", "geneva-airport"],
      [null, "thun", "davos"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(sales), /secret|46\.75|7\.62|agent-1/i);
});

test("a link opens also where its opening cannot be stored, which is logged and counted", async (t) => {
  const { log, records } = aRecordingLog();
  const service = await aService(t, { log, env: { TRANSFER_MAX_LIVE_QUOTES: "2" } });
  const token = await service.token();
  const { body: quote } = await service.api("/quotes", { token, body: aQuoteRequest() });
  const link = await handOff(service, token, quote);
  const opened = await open(service, link);
  assert.equal(opened.status, 200, opened.text);
  // A busy machine is warned of as well, of no operation.
  const warnings = records.flatMap(({ level, facts }) => (level === "warn" && facts.operation ? [facts] : []));
  const [{ operation, status, err } = {}, ...others] = warnings;
  assert.deepEqual([operation, status, others], ["resolve_checkout_handoff", 200, []]);
  assert.match(String(err), /limit of stored quotes/);
  const metrics = await (await fetch(`${service.publicUrl}/metrics`)).text();
  assert.match(metrics, /^transfer_unrecorded_openings_total 1$/m);
  assert.equal((await salesOf(service)).length, 2);
});

async function handOff({ api }: TestService, token: string, quote: Fields, key?: string): Promise<URL> {
  const body = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const headers = new Headers(key === undefined ? [] : [["Idempotency-Key", key]]);
  const answer = await api("/checkout-sessions", { token, body, headers: Object.fromEntries(headers) });
  assert.equal(answer.status, 200, answer.text);
  return new URL(answer.body.checkout_url);
}

function open({ api }: TestService, { searchParams }: URL) {
  const [id, fleet, sig] = ["quote_id", "fleet_id", "sig"].map((name) => searchParams.get(name));
  return api(`/checkout-sessions/${id}?fleet_id=${fleet}&sig=${sig}`);
}

function salesOf({ dataDir }: TestService): Promise<readonly SaleEvent[]> {
  return savedSales(join(dataDir, "quotes", "serve"));
}
