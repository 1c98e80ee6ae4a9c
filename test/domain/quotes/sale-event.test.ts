import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { referenceOf } from "../../../src/contract/notice-formats.ts";
import { charge } from "../../../src/domain/pricing/charge.ts";
import { saleOf } from "../../../src/domain/sales/sale-event.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { savedSales } from "../../support/lowdb-store.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aQuote } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request, type TestService } from "../../support/service.ts";

const service = await aService(wholeFile);
const token = await service.token();

async function quoted(fields: object = {}): Promise<Fields> {
  const answer = await service.api("/quotes", { token, body: aQuoteRequest({ ...fields }) });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

function handOff({ api }: TestService, by: string, { quote_id, options: [option] }: Fields, headers = {}) {
  const body = { quote_id, fleet_id: option.fleet_id, traveler_approval: true };
  return api("/checkout-sessions", { token: by, body, headers });
}

function open({ api }: TestService, { body }: Awaited<ReturnType<typeof handOff>>) {
  const { searchParams } = new URL(body.checkout_url);
  const [id, fleet, sig] = ["quote_id", "fleet_id", "sig"].map((name) => searchParams.get(name));
  return api(`/checkout-sessions/${id}?fleet_id=${fleet}&sig=${sig}`);
}

/** The events of these quotes. */
async function salesOf(...quotes: readonly Fields[]) {
  const sales = await savedSales(join(service.dataDir, "quotes", "serve"));
  return sales.filter(({ quoteId }) => quotes.some(({ quote_id }) => quote_id === quoteId));
}

test("a quote, its handoffs and openings leave one event each, however often they are repeated", async () => {
  const quote = await quoted();
  const link = await handOff(service, token, quote, { "Idempotency-Key": "one" });
  for (const headers of [{ "Idempotency-Key": "two" }, {}]) await handOff(service, token, quote, headers);
  for (let n = 0; n < 3; n += 1) assert.equal((await open(service, link)).status, 200);

  const sales = await salesOf(quote);
  assert.equal(sales.map(({ type }) => type).join(), "quote.created,handoff.created,handoff.opened");
  const [created, handedOff, opened] = sales;
  const common = { distanceKm: quote.route_basis.distance_km, surface: "rest" };
  for (const sale of sales) assert.deepEqual({ ...sale, ...common }, sale);
  assert.equal(new Set(sales.map(({ id }) => id)).size, 3);
  const totals = quote.options.map((option: Fields) => [option.vehicle_class, Math.round(option.total_price * 100)]);
  assert.deepEqual(
    created?.options.map(({ vehicleClass, totalRappen }) => [vehicleClass, totalRappen]),
    totals.toSorted(([, a]: [string, number], [, b]: [string, number]) => a - b),
  );
  for (const sale of [handedOff, opened]) assert.deepEqual(sale?.options, created?.options.slice(0, 1));
  assert.deepEqual([created?.client, opened?.client], [handedOff?.client, null]);
});

test("a handoff that the operator has to confirm is recorded once, and its refusal says what to send", async () => {
  const quote = await quoted({ passengers: 40, special_items: [{ kind: "child_seat", count: 2 }] });
  const { status, body } = await handOff(service, token, quote);
  assert.deepEqual([status, body.code], [409, "MANUAL_CONFIRMATION_REQUIRED"]);
  const text = `Reference ${referenceOf(quote.quote_id)}: please confirm Coach, ${quote.origin} – ${quote.destination}, `;
  for (const part of [text, "+41", "@", "40 passengers", "2 child seats, ", `CHF ${quote.options[0].total_price}`])
    assert.ok(body.next_action.includes(part), body.next_action);
  await handOff(service, token, quote);

  const [created, requested, ...others] = await salesOf(quote);
  assert.deepEqual([requested?.type, requested?.client, others], ["handoff.requested", created?.client, []]);
  assert.deepEqual(requested?.options.map(({ vehicleClass }) => vehicleClass).join(), quote.options[0].vehicle_class);
  assert.match((await request(`${service.publicUrl}/metrics`)).text, /^transfer_sales_total\{step="request"\} 2$/m);
});

test("an event names places and corridors of the catalog, never a text or position of the caller", async () => {
  const quotes = [
    await quoted({ origin: "Zurich Airport", destination: "Zermatt" }),
    await quoted({ origin: "Secretstrasse 7, Thun", destination: "Geneva Airport" }),
    await quoted({ origin: "46.7581, 7.6280", destination: "Davos" }),
  ];
  const sales = await salesOf(...quotes);
  assert.deepEqual(
    sales.map(({ corridor, origin, destination }) => [corridor, origin, destination].join(" ")),
    ["zurich-airport-to-zermatt zurich-airport zermatt", " thun geneva-airport", " thun davos"],
  );
  assert.doesNotMatch(JSON.stringify(sales), /secret|46\.75|7\.62|agent-1/i);
});

for (const code of ["same_day", "return_discount"] as const)
  test(`the return's part of a sale has the discount taken off: ${code}`, () => {
    const fare = { ...charge("transfer", 30_000, { km: 100 }), direction: "return" as const };
    const [option = assert.fail()] = aQuote().options;
    const charges = [fare, charge(code, -6_000, { percent: 10 })];
    const sale = saleOf("quote.created", aQuote({ options: [{ ...option, charges }] }), "Europe/Zurich");
    assert.equal(sale?.options[0]?.returnRappen, 24_000);
  });

test("a link opens also where its opening cannot be stored, which is logged and counted", async (t) => {
  const { log, records } = aRecordingLog();
  const full = await aService(t, { log, env: { TRANSFER_MAX_LIVE_QUOTES: "2" } });
  const own = await full.token();
  const { body: quote } = await full.api("/quotes", { token: own, body: aQuoteRequest() });
  assert.equal((await open(full, await handOff(full, own, quote))).status, 200);
  // A busy machine is warned of as well, of no operation.
  const warnings = records.flatMap(({ level, facts }) => (level === "warn" && facts.operation ? [facts] : []));
  const [{ operation, status, err } = {}, ...others] = warnings;
  assert.deepEqual([operation, status, others], ["resolve_checkout_handoff", 200, []]);
  assert.match(String(err), /limit of stored quotes/);
  const metrics = (await request(`${full.publicUrl}/metrics`)).text;
  assert.match(metrics, /^transfer_unrecorded_openings_total 1$/m);
  assert.equal((await savedSales(join(full.dataDir, "quotes", "serve"))).length, 2);
});
