import assert from "node:assert/strict";
import { test } from "node:test";
import { wireParty } from "../../tools/wire/party.ts";
import { rowsOf } from "../contract/document-tables.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { aRouter } from "../support/fake-router.ts";
import { aQuoteRequest, asCreated } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aQuote } from "../support/quote-fixture.ts";
import { aService } from "../support/service.ts";

test("a journey that needs manual confirmation names the operator once, whatever the number of doubts", async (t) => {
  const { api } = await aService(t, { router: aRouter({ doubts: ["The pass may be closed.", "The hut is far."] }) });
  const { body } = await api("/quote-intents", { body: aQuoteRequest({ destination: "Bern" }) });
  assert.deepEqual(
    body.limitations.filter((text: string) => text.includes("must confirm")),
    [
      "Example Transfers (+41 00 000 00 00, bookings@transfers.example) must confirm this journey before it can be booked.",
    ],
  );
});

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
  assert.deepEqual(asCreated(body), quote);
});

test("a resolved link repeats everything that a checkout page shows", async () => {
  const special_items = [{ kind: "child_seat", count: 1 }];
  const luggage = { luggage: 3, large_luggage: 1, special_items };
  const party = { passengers: 3, adults: 2, children: 1, infants: 0, ...luggage, flight_number: "LX 39" };
  const waypoints = [{ name: "Bern", stop_duration_min: 30 }];
  const journey = { return_datetime: "2026-12-12T10:00:00+01:00", waiting_minutes: 75, waypoints };
  const quote = await quoted({ ...party, ...journey });
  const [option] = quote.options;
  const terms = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
  const { body: handoff } = await service.api("/checkout-sessions", { token, body: terms });
  const { search } = new URL(handoff.checkout_url);
  const { body: resolved } = await service.api(`/checkout-sessions/${quote.quote_id}${search}`);
  for (const [name, value] of Object.entries({ ...party, waiting_minutes: 75, duration_hours: null }))
    assert.deepEqual(resolved[name], value, name);
  // biome-ignore format: several fit on a line
  for (const name of [
    "pickup_datetime", "return_datetime", "arrival_datetime", "return_arrival_datetime", "free_cancellation_until",
    "return_free_cancellation_until", "waypoints",
  ])
    assert.deepEqual(resolved[name], quote[name], name);
  assert.deepEqual(quote.return_free_cancellation_until, "2026-12-11T10:00:00+01:00");
  for (const name of ["flight_number", "limitations"]) assert.deepEqual(resolved[name], handoff[name], name);
  // The page has an imprint besides.
  assert.deepEqual({ ...resolved.operator, ...handoff.operator }, resolved.operator);
  assert.equal(resolved.operator.postal_address, "Example Street 1, 8000 Zurich, Switzerland");
  const stop = resolved.legs.find(({ action }: Fields) => action === "stop");
  assert.equal(stop.place, "Bern");
  assert.equal(Date.parse(stop.departs_at) - Date.parse(stop.at), 30 * 60_000, "a stop is left after its stay");
  const shown = resolved.price_lines.map(({ label, amount }: Fields) => ({ label, amount }));
  assert.deepEqual(shown, option.price_lines);
  const [transfer, waiting] = resolved.price_lines;
  assert.deepEqual(
    [transfer.direction, transfer.code, transfer.name],
    ["outbound", "transfer", `Transfer ${transfer.count} km`],
  );
  assert.deepEqual([waiting.label, waiting.code, waiting.count], ["Outbound: Waiting 15 min", "waiting", 15]);
  const { distance_km, duration_min } = quote.route_basis;
  assert.deepEqual([resolved.distance_km, resolved.duration_min], [distance_km, duration_min]);
  assert.ok(resolved.return_distance_km > 200 && resolved.return_duration_min > 150);
  assert.match(resolved.cancellation_policy, /full refund up to 24 hours/);
  const { de, fr } = resolved.translations;
  assert.deepEqual(Object.keys(de), Object.keys(fr));
  assert.equal(fr["1 child seat"], "1 siège pour enfant");
  assert.match(de[resolved.cancellation_policy], /^Kostenlose Stornierung .* bis 24 Stunden vor der Abholung\./);
});

test("a deadline that passes while the quote is open reads as null", async (t) => {
  const { clock } = service;
  const inADay = new Date(clock.now().getTime() + (24 * 60 + 10) * 60_000).toISOString();
  const quote = await quoted({ destination: "Bern", pickup_datetime: inADay });
  assert.equal(new Date(quote.free_cancellation_until).getTime(), clock.now().getTime() + 10 * 60_000);
  t.after(() => clock.advance(-11 * 60_000));
  clock.advance(11 * 60_000);
  const { body: later } = await service.api(`/quotes/${quote.quote_id}`, { token });
  assert.equal(later.free_cancellation_until, null);
  assert.equal(later.arrival_datetime, quote.arrival_datetime);
});

test("special items are published with the price that a quote charges for each", async () => {
  const { body } = await service.api("/vehicle-classes");
  const kinds = body.special_items.map(({ kind }: Fields) => kind);
  assert.deepEqual(kinds, body.special_item_kinds);
  const seat = body.special_items[kinds.indexOf("child_seat")];
  assert.deepEqual([seat.label, seat.price, seat.currency], ["child seat", 15, "CHF"]);
  assert.match(seat.description, /^Brought by the driver\./);
  for (const { kind, label, price } of body.special_items) {
    const { fees = [], options } = await quoted({ special_items: [{ kind, count: 1 }] });
    assert.equal(fees.find((line: Fields) => line.label === `1 ${label}`)?.amount ?? 0, price, label);
    for (const option of options) assert.equal(option.price_lines, undefined, "the same in each price");
  }
});

test("an operator can switch price lines off, and the prices of special items with them", async (t) => {
  const TRANSFER_CATALOG_DIR = aCatalogFolder(t);
  changeCatalog(TRANSFER_CATALOG_DIR, "tariff.json", (tariff) => (tariff.publishPriceLines = false));
  const { api, token } = await aService(t, { env: { TRANSFER_CATALOG_DIR } });
  for (const { body, text } of [
    await api("/quote-intents", { body: aQuoteRequest() }),
    await api("/quotes", { token: await token(), body: aQuoteRequest() }),
  ]) {
    assert.ok(body.options.length > 3);
    assert.ok(!text.includes("price_lines"), text);
  }
  const { special_items } = (await api("/vehicle-classes")).body;
  assert.ok(special_items.length > 3);
  for (const item of special_items)
    assert.deepEqual(Object.keys(item), ["kind", "label", "description", "special_item_places"]);
});

/** A value other than the default for every field that a request and its quote share. */
const SAMPLES: Fields = { origin: "Basel", destination: "Chur", ...wireParty(aQuote()) };
/** Repeated in another form: as an instant in UTC, or as priced. */
const CONVERTED = ["pickup_datetime", "return_datetime", "waypoints"];
/** Decide the price, and are returned by the link alone. */
const NOT_REPEATED = ["booking_type", "duration_hours", "waiting_minutes", "arrive_by"];

test("a quote repeats every field of its request, also when read again", async () => {
  const [quoteRows, requestRows] = [rowsOf("Quote"), rowsOf("QuoteRequest")];
  const listed = new Set(quoteRows.map(([name]) => name));
  for (const [name] of requestRows)
    assert.notEqual(listed.has(name), NOT_REPEATED.includes(name), `${name} is in the table of the quote, or decided`);
  const repeated = requestRows.flatMap(([name]) => (listed.has(name) && !CONVERTED.includes(name) ? [name] : []));
  assert.deepEqual(Object.keys(SAMPLES).sort(), repeated.sort(), "a sample for each field");
  const quote = await quoted(SAMPLES);
  const byDefault = await quoted({});
  for (const [name, value] of Object.entries(SAMPLES)) assert.notDeepEqual(byDefault[name], value, name);
  for (const [name, value] of Object.entries(SAMPLES)) assert.deepEqual(quote[name], value, name);
  assert.deepEqual(asCreated((await service.api(`/quotes/${quote.quote_id}`, { token })).body), quote);
  // The link is public: `api` fails where it has a field that its schema does not declare.
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const { body: handoff } = await service.api("/checkout-sessions", { token, body: terms });
  const link = await service.api(`/checkout-sessions/${quote.quote_id}${new URL(handoff.checkout_url).search}`);
  assert.equal(link.status, 200, link.text);
});
