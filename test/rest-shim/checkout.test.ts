import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { type ApiAnswer, aService, type ServiceOptions } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const MINUTE = 60_000;
const NOT_FOUND = { status: 404, code: "QUOTE_NOT_FOUND" } as const;
const INVALID = { status: 422, code: "INVALID_REQUEST" } as const;
const SEDAN = 1;
const COACH = 7;

test("names the field of a checkout request that is wrong", async (t) => {
  const { handoff } = await aQuoted(t);
  for (const [field, value] of [
    ...["", "x".repeat(65), null, undefined].map((value) => ["quote_id", value] as const),
    ...[0, 1.5, "1", null, undefined].map((value) => ["fleet_id", value] as const),
    ...[null, undefined, "true", 1].map((value) => ["traveler_approval", value] as const),
    ...["price", "idempotency_key", "constructor"].map((name) => [name, 1] as const),
  ]) {
    assertProblem(await handoff({ [field]: value }), { ...INVALID, fields: [field] });
  }
  for (const quote_id of ["x", "x".repeat(64)]) assertProblem(await handoff({ quote_id }), NOT_FOUND);
});

test("stores nothing for a rejected handoff, not even its key", async (t) => {
  const { quote, service } = await aQuoted(t);
  const wanted = { quote_id: quote.quote_id, fleet_id: SEDAN, traveler_approval: true };
  const token = await service.token();
  const otherCaller = await service.token({ subject: "other-caller" });
  const ask = (body: object, bearer = token) =>
    service.api("/checkout-sessions", { token: bearer, headers: { "Idempotency-Key": "k" }, body });
  for (const changes of [
    { traveler_approval: false },
    { fleet_id: 999 },
    { fleet_id: COACH },
    { quote_id: "q_unknown" },
  ])
    assert.ok((await ask({ ...wanted, ...changes })).status >= 400);
  assertProblem(await ask(wanted, otherCaller), NOT_FOUND);
  assert.equal(storedEntries(service.dataDir).length, 2, "the quote, the event of its handoff, and nothing else");
  assert.equal((await ask(wanted)).status, 200);
  assert.equal(storedEntries(service.dataDir).length, 3, "the key was free, and holds an answer now");
});

test("rejects an option of another quote and lists the quote's own", async (t) => {
  const { quote, handoff } = await aQuoted(t, { passengers: 20 });
  assert.deepEqual(
    quote.options.map(({ fleet_id }: { fleet_id: number }) => fleet_id),
    [COACH],
  );
  for (const fleet_id of [SEDAN, 8, 999_999]) {
    const refused = await handoff({ fleet_id });
    assertProblem(refused, { ...INVALID, fields: ["fleet_id"] });
    assert.match(refused.body.field_errors[0].message, /: 7\.$/);
  }
});

test("reports another caller's quote exactly as an unknown one", async (t) => {
  const { quote, service } = await aQuoted(t);
  const token = await service.token({ subject: "other-caller" });
  const unknown = `${quote.quote_id.slice(0, -2)}zz`;
  const read = (id: string) => service.api(`/quotes/${id}`, { token });
  const checkOut = (quote_id: string, fleet_id = SEDAN) =>
    service.api("/checkout-sessions", { token, body: { quote_id, fleet_id, traveler_approval: true } });
  for (const ask of [read, checkOut]) {
    const foreign = await ask(quote.quote_id);
    assertProblem(foreign, NOT_FOUND);
    assert.equal(withoutIds(foreign), withoutIds(await ask(unknown)));
  }
  assertProblem(await checkOut(quote.quote_id, 999), NOT_FOUND);
});

test("reports a link with a changed signature, vehicle or quote as QUOTE_NOT_FOUND", async (t) => {
  const { quote, link, resolve, service } = await aQuoted(t);
  const sig = link.get("sig") ?? "";
  assert.match(sig, /^[\w-]{43}$/);
  assert.equal((await resolve({})).status, 200);
  const flipped = (index: number) => sig.slice(0, index) + (sig[index] === "A" ? "B" : "A") + sig.slice(index + 1);
  // biome-ignore format: several fit on a line
  const wrong = [
    flipped(0), flipped(20), flipped(42), "A".repeat(43),
    sig.toLowerCase() === sig ? sig.toUpperCase() : sig.toLowerCase(),
  ];
  const other = await service.api("/quotes", { token: await service.token(), body: aQuoteRequest() });
  const refused = [
    ...wrong.map((each) => resolve({ sig: each })),
    ...["2", "7", "999"].map((fleet_id) => resolve({ fleet_id })),
    ...[other.body.quote_id, `${quote.quote_id.slice(0, -2)}zz`].map((id) =>
      service.api(`/checkout-sessions/${id}?${link}`),
    ),
  ];
  const [first, ...others] = await Promise.all(refused);
  assert.ok(first);
  for (const each of [first, ...others]) {
    assertProblem(each, NOT_FOUND);
    assert.equal(withoutIds(each), withoutIds(first));
  }
});

test("rejects a link with a missing or malformed parameter as INVALID_REQUEST", async (t) => {
  const { quote, link, service } = await aQuoted(t);
  const sig = link.get("sig") ?? "";
  const links: readonly (readonly [search: string, ...fields: string[]])[] = [
    ["", "fleet_id", "sig"],
    [`?sig=${sig}`, "fleet_id"],
    ["?fleet_id=1", "sig"],
    ...["", "0", "-1", "1.5", "1e0", "one", "%201", "0x1", "1111111111111111111"].map(
      (id) => [`?fleet_id=${id}&sig=${sig}`, "fleet_id"] as const,
    ),
    ...["", sig.slice(1), `${sig}A`, `${sig.slice(1)}=`, `${sig.slice(1)}%2B`].map(
      (each) => [`?fleet_id=1&sig=${each}`, "sig"] as const,
    ),
    [`?fleet_id=1&fleet_id=1&sig=${sig}`, "fleet_id"],
    [`?fleet_id=1&sig=${sig}&sig=${sig}`, "sig"],
  ];
  for (const [search, ...fields] of links) {
    assertProblem(await service.api(`/checkout-sessions/${quote.quote_id}${search}`), { ...INVALID, fields });
  }
  const long = await service.api(`/checkout-sessions/${"x".repeat(65)}?fleet_id=1&sig=${sig}`);
  assertProblem(long, { ...INVALID, fields: ["quote_id"] });
  const extra = await service.api(`/checkout-sessions/${quote.quote_id}?${link}&utm_source=mail`);
  assert.equal(extra.status, 200);
});

test("reports an expired quote as QUOTE_EXPIRED at checkout and with status expired when read", async (t) => {
  const { quote, handoff, resolve, read, service } = await aQuoted(t);
  service.clock.advance(30 * MINUTE - 1);
  assert.deepEqual(
    [(await handoff({})).status, (await resolve({})).status, (await read()).body.status],
    [200, 200, "open"],
  );
  service.clock.advance(1);
  assertProblem(await handoff({}), { status: 409, code: "QUOTE_EXPIRED" });
  const expired = await resolve({});
  assertProblem(expired, { status: 409, code: "QUOTE_EXPIRED" });
  const { legs } = expired.body.expired_offer;
  assert.deepEqual([legs.at(-2).place, legs.at(-1).place], ["Täsch", "Zermatt"]);
  assertProblem(await resolve({ sig: "A".repeat(43) }), NOT_FOUND);
  const { request, next_action, ...kept } = (await read()).body;
  const { next_action: _, ...priced } = quote;
  assert.deepEqual(kept, { ...priced, status: "expired" });
  assert.equal(request.destination, quote.destination);
  assert.match(next_action, /arguments in request/);

  service.clock.advance(60 * MINUTE - 1);
  assertProblem(await resolve({}), { status: 409, code: "QUOTE_EXPIRED" });
  service.clock.advance(1);
  assertProblem(await resolve({}), NOT_FOUND);
  service.clock.advance(23 * 60 * MINUTE - 1);
  assert.equal((await read()).status, 200);
  service.clock.advance(1);
  for (const gone of [await read(), await handoff({}), await resolve({})]) assertProblem(gone, NOT_FOUND);
});

test("answers 503 for create and resolve while checkout is disabled; quotes still work", async (t) => {
  const { handoff, link, quote, service } = await aQuoted(t, {}, { env: { TRANSFER_CHECKOUT_ENABLED: "false" } });
  assert.equal(link.get("sig"), null);
  const off = { status: 503, code: "UPSTREAM_UNAVAILABLE" } as const;
  const refused = await handoff({});
  assertProblem(refused, off);
  // A retry cannot succeed.
  assert.match(refused.body.next_action, /contact Example Transfers \(\+41/);
  assertProblem(await service.api(`/checkout-sessions/${quote.quote_id}?fleet_id=1&sig=${"A".repeat(43)}`), off);
  assert.equal(storedEntries(service.dataDir).length, 1);
});

test("links lead to the operator's checkout when one is configured", async (t) => {
  const checkout = "https://pay.example.com/start?lang=de";
  const { link, quote, url } = await aQuoted(t, {}, { env: { TRANSFER_CHECKOUT_URL: checkout } });
  assert.ok(url.startsWith(`${checkout}&`), url);
  assert.equal(link.get("quote_id"), quote.quote_id);
});

test("accepts links while their secret is listed and rejects them afterwards", async (t) => {
  const [old, fresh] = ["o".repeat(32), "f".repeat(32)];
  const first = await aQuoted(t, {}, { env: { TRANSFER_CHECKOUT_SECRET: old } });
  const { dataDir, close } = first.service;
  await close();
  const restart = (secret: string) =>
    aService(t, { env: { TRANSFER_DATA_DIR: dataDir, TRANSFER_CHECKOUT_SECRET: secret } });
  const path = `/checkout-sessions/${first.quote.quote_id}?${first.link}`;
  const rotated = await restart(`${fresh},${old}`);
  assert.equal((await rotated.api(path)).status, 200);
  await rotated.close();
  assertProblem(await (await restart(fresh)).api(path), NOT_FOUND);
});

/** A service with one quote, handed over as its first option. */
async function aQuoted(t: Parameters<typeof aService>[0], fields: object = {}, options: ServiceOptions = {}) {
  const service = await aService(t, options);
  const token = await service.token({ lifetimeSeconds: 7 * 24 * 3600 });
  const { body: quote } = await service.api("/quotes", { token, body: { ...aQuoteRequest(), ...fields } });
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const handoff = (changes: object) => service.api("/checkout-sessions", { token, body: { ...terms, ...changes } });
  const { body } = await handoff({});
  const link = new URLSearchParams(body.checkout_url?.split("?")[1]);
  return {
    service,
    quote,
    url: String(body.checkout_url),
    /** The query of the handoff's link. */
    link,
    handoff,
    resolve: (changes: Readonly<Record<string, string>>) =>
      service.api(
        `/checkout-sessions/${quote.quote_id}?${new URLSearchParams({ ...Object.fromEntries(link), ...changes })}`,
      ),
    read: () => service.api(`/quotes/${quote.quote_id}`, { token }),
  };
}

function withoutIds({ text }: ApiAnswer): string {
  return text.replace(/"request_id":"[^"]*"/, "").replace(/"instance":"[^"]*"/, "");
}

/** A family with seats and skis, an address at each end and a stop under a name of their own. */
const FAMILY = {
  origin: "Hotel Krone, Thun",
  destination: "Hotel Schweizerhof, Zermatt",
  waypoints: [{ name: "Aunt Mary", lat: 46.948, lng: 7.4474, stop_duration_min: 30 }],
  passengers: 4,
  adults: 2,
  children: 2,
  luggage: 4,
  large_luggage: 2,
  special_items: [
    { kind: "child_seat", count: 2 },
    { kind: "skis", count: 4 },
  ],
  flight_number: "LX 39",
  waiting_minutes: 15,
};

test("an expired link returns the request without flight and special items, its places reduced to towns, and the price", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const { body: quote } = await service.api("/quotes", { token, body: aQuoteRequest(FAMILY) });
  const option = quote.options.find((each: { vehicle_class: string }) => each.vehicle_class === "van");
  const terms = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
  const { body: handoff } = await service.api("/checkout-sessions", { token, body: terms });
  const link = `/checkout-sessions/${quote.quote_id}${new URL(handoff.checkout_url).search}`;
  assert.equal((await service.api(link)).status, 200);
  service.clock.advance(30 * 60_000);
  const { status, body } = await service.api(link);
  assert.equal(status, 409);
  const { operator, legs, translations, ...offer } = body.expired_offer;
  const { flight_number: flight, special_items: items, ...shown } = FAMILY;
  assert.deepEqual(offer, {
    ...shown,
    origin: "Thun",
    destination: "Zermatt",
    waypoints: [{ name: "Bern", stop_duration_min: 30 }],
    pickup_datetime: quote.pickup_datetime,
    return_datetime: null,
    infants: 0,
    duration_hours: null,
    vehicle_class: "van",
    vehicle_type: option.vehicle_type,
    total_price: option.total_price,
    currency: "CHF",
  });
  assert.doesNotMatch(JSON.stringify(body), /Krone|Schweizerhof|Mary|46\.948|LX 39|child_seat|skis/);
  assert.deepEqual(
    legs.map(({ place }: { place: string }) => place),
    ["Thun", "Bern", "Täsch", "Zermatt"],
  );
  assert.equal(operator.name, quote.operator.name);

  const { vehicle_class, vehicle_type, total_price, currency, duration_hours, ...again } = offer;
  const all = { ...again, flight_number: flight, special_items: items };
  const { body: second } = await service.api("/quotes", { token, body: all });
  const sameClass = second.options.find((each: { vehicle_class: string }) => each.vehicle_class === "van");
  assert.equal(sameClass.total_price, option.total_price);
});
