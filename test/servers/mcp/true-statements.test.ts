import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { mcp, service } from "../../support/shared-service.ts";

const { value, client } = mcp;

const HIRE = { origin: "Lucerne", destination: undefined, booking_type: "hourly" };
const RETURN = { return_datetime: "2026-12-15T10:00:00+01:00" };
const TO_ZERMATT = { origin: "Bern", destination: "Zermatt" };

/** What an estimate says of a journey. */
async function said(change: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const estimate = await service.api("/quote-intents", { body: aQuoteRequest(change) });
  assert.equal(estimate.status, 200, estimate.text);
  return estimate.body.limitations;
}

// biome-ignore format: a table reads by its columns
const CASES: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly RegExp[], readonly RegExp[]])[] = [
  ["a hire with extra kilometers that is as dear as the transfer", { ...HIRE, duration_hours: 4, waypoints: [{ name: "Interlaken", stop_duration_min: 60 }] }, [/^The price contains 41\.2 extra km\./, /^Each started hour beyond 4 h .*, and each km beyond 141\.2 km at /, /^The price is that of the same journey as a transfer .*: further hours and km cost only what exceeds CHF [\d.]+ \(Sedan\), /], []],
  ["a hire that begins at an airport, whose flight is known", { ...HIRE, origin: "ZRH", duration_hours: 3, flight_number: "LX 39" }, [/^The hours count from the landing at Zurich Airport, on time or late, and include baggage claim\.$/], [/flight number|Waiting counts/]],
  ["free waiting that differs between vehicles", { origin: "Geneva Airport", destination: "Annecy" }, [/^Waiting at the pickup is free for 1 h 15 min; .* charged at CHF 15 \(Sedan, Estate car\), CHF 18 \(Van\)\.$/, /^Waiting at the pickup is free for 60 min; .* charged at CHF 25 \(First-class sedan\), CHF 28 \(First-class van\)\.$/], []],
  ["by when to leave a car-free place, not a spot in it", { origin: "46.0207, 7.7491", destination: "Bern" }, [/^Leave Zermatt by 13:28 to be at Täsch at 14:00\.$/], []],
  ["a hire without a destination", { ...HIRE, duration_hours: 3, waypoints: [{ name: "Bürgenstock" }] }, [/^The hire ends at Lucerne at 17:00, where it starts\.$/, /^The car stops at Bürgenstock, where the driver waits within the 3 h of the hire\.$/], [/does not bring/, /stay was stated/]],
  ["a hire through a place without a stop there", { ...HIRE, duration_hours: 3, waypoints: [{ name: "Bürgenstock", stop_duration_min: 0 }] }, [], [/^The car stops/]],
  ["a hire that begins with a wait", { ...HIRE, duration_hours: 3, waiting_minutes: 30 }, [/^As requested, the driver waits at the pickup, 30 min in all: this is part of the hours\.$/], [/the price includes 30/]],
  ["hours without a hire", { destination: "Bern", duration_hours: 3 }, [/^This is a transfer and no hire: duration_hours 3 has no effect without booking_type hourly\. .* ask again with booking_type hourly\.$/], [/^Hire/]],
  ["the arrival at a car-free place is that of the car", TO_ZERMATT, [/^Zermatt is car-free: pickup\/arrival at Täsch\. Shuttle train .* 12 minutes, .* Not included\.$/], []],
  ["the return from a car-free place", { ...TO_ZERMATT, ...RETURN }, [/^Return: Leave Zermatt by 09:28 to be at Täsch at 10:00 on 15 December 2026\.$/], []],
  ["a car train that only one direction takes", { ...TO_ZERMATT, pickup_datetime: "2026-12-08T23:50:00+01:00", ...RETURN }, [/^Outbound: The Lötschberg car train does not run in time/, /^Return: Includes the Lötschberg car train: /], [/^The Lötschberg/, /^Includes the Lötschberg/]],
  ["a car train that both directions take", { ...TO_ZERMATT, ...RETURN }, [/^Includes the Lötschberg car train: /], [/^Return: Incl/]],
  ["an address in a car-free place, to which no driver comes", { origin: "Hotel Post, Zermatt", destination: "Bern" }, [/pickup\/arrival at Täsch/], [/agreed with the driver/]],
  ["a car-free origin", { origin: "Zermatt", destination: "Bern", ...RETURN }, [/^Zermatt is car-free: pickup\/arrival, also return pickup\/arrival, at Täsch\. Shuttle/, /^Leave Zermatt by 13:28 to be at Täsch at 14:00\.$/], []],
  ["the leg that can no longer be canceled", { destination: "Bern", pickup_datetime: "2026-12-02T08:00:00+01:00", ...RETURN }, [/^Outbound: Free cancellation is no longer possible/, /^Outbound and return journey can be canceled separately; the operator says what is refunded for one\.$/], [/^Free cancellation is no longer possible/]],
  ["stops without a stay", { waypoints: [{ name: "Olten" }, { name: "Thun" }, { name: "Spiez", stop_duration_min: 0 }] }, [/^The car stops at Olten, Thun\. No stay was stated: times and price include none\.$/], []],
  ["a party that was stated without its total", { passengers: undefined, adults: 2, children: 2 }, [/^Adults, children and infants are 4 in all, but passengers are 1;/], [/was not stated: the price/]],
  ["a party that was not stated, by zeros", { passengers: undefined, children: 0, infants: 0 }, [/^The number of passengers was not stated: the price is for 1\.$/], []],
  ["a party that was not stated", { passengers: undefined, luggage: null }, [/^The number of passengers was not stated: the price is for 1\.$/, /^Luggage was not stated/], []],
  ["a class without room for a wheelchair", { special_items: [{ kind: "wheelchair", count: 1 }] }, [/^Not offered: Sedan, First-class sedan\. There is not enough room for 1 folding wheelchair\.$/], []],
  ["one person is not told of coaches", { passengers: 1, luggage: 1 }, [], [/coach/, /minibus/, /On request/]],
  ["no child has a seat", { passengers: 4, children: 1, infants: 1, adults: 2 }, [/^No child seat is ordered for 2 children\. Order one /], [/ 0 child seats/]],
  ["long waiting in hours", { waypoints: [{ name: "Bern", stop_duration_min: 150 }] }, [/^As requested, the driver waits at Bern, 2 h 30 min in all: the first 15 min at each place are free, the price includes the next 2 h 15 min, and each started 15 min beyond these costs CHF 15 \(/], [/at no charge/]],
  ["a short stay, all of it free", { waypoints: [{ name: "Bern", stop_duration_min: 15 }] }, [/^As requested, the driver waits at Bern, 15 min in all, at no charge; beyond 15 min at each place, each started 15 min costs CHF 15 \(/], [/the rest/]],
  ["a stay on a round trip, and a longer one", { origin: "Bern", destination: "Bern", waypoints: [{ name: "Thun", stop_duration_min: 120 }] }, [/^As requested, the driver waits at Thun, 2 h in all: the first 15 min at each place are free, the price includes the rest, and each started 15 min beyond costs CHF 15 \(Sedan, .*\)\. A round trip costs no more than a hire of the same hours\. A longer stay may cost less if it is stated now\.$/], [/two separate/]],
  ["a stay as long as a night", { origin: "Bern", destination: "Interlaken", waypoints: [{ name: "Thun", stop_duration_min: 660 }] }, [/^As requested, the driver waits at Thun, 11 h in all: .*\. For a stay that long, two separate journeys may cost less\.$/], []],
  ["waiting that was requested and is charged in part", { destination: "Bern", waiting_minutes: 80 }, [/^As requested, the driver waits at the pickup, 1 h 20 min in all, which the times contain: 60 min are free, the price includes the next 30 min, and each started 15 min beyond these costs CHF 15 \(/], [/^Waiting at/]],
  ["a class without room, which a child seat does not take", { passengers: 3, adults: 2, children: 1, special_items: [{ kind: "golf_bag", count: 3 }, { kind: "child_seat", count: 1 }] }, [/^Not offered: .*\. There is not enough room for 3 golf bags\.$/], []],
  ["a stay at a stop in the place of the pickup, which shares its free minutes", { origin: "Baur au Lac, Zürich", destination: "Bern", waypoints: [{ name: "Kongresshaus Zürich", stop_duration_min: 40 }] }, [/^As requested, the driver waits at the pickup and at stops in the same place, 40 min in all, which the times contain: 15 min are free, the price includes the next 30 min, /], [/^Waiting at the pickup/]],
  ["a hotel at the airport, where no flight is met", { origin: "Radisson Blu Zurich Airport", destination: "Bern" }, [], [/flight|baggage/]],
  ["a stop that ends a fixed fare", { origin: "Geneva Airport", destination: "Annecy", waypoints: [{ name: "Lausanne", stop_duration_min: 40 }] }, [/^Fixed fare Geneva Airport – Annecy applies only without stops, or with stops on its way; here it is the least that is charged/], [/^Fixed fare .* includes/]],
  ["waiting that was requested and is free", { destination: "Bern", waiting_minutes: 60 }, [/^As requested, the driver waits at the pickup, 60 min in all, which the times contain, at no charge\.$/], []],
  ["no waiting that nobody requested", { destination: "Bern" }, [], [/As requested/, /^Waiting at/]],
  ["a child without the number of passengers", { passengers: undefined, children: 1 }, [/^The number of passengers was not stated: the price is for 1\.$/], []],
  ["children who travel alone", { passengers: 2, adults: 0, children: 2 }, [/^By these numbers no adult travels\. Ask Example Transfers \(\+41 .*\) before booking whether children may travel alone\.$/], [/passengers are/]],
  ["passengers of whom all are children", { passengers: 2, children: 1, infants: 1 }, [/^By these numbers no adult travels\./], []],
  ["a child with an adult", { passengers: 2, children: 1 }, [], [/No adult/]],
  ["another UTC offset", { pickup_datetime: "2026-12-08T15:00:00+02:00" }, [/^The pickup is on 8 December 2026 at 14:00 local time; it was sent as 2026-12-08 15:00 \+02:00\.$/], [/:\d\d:\d\d/]],
  ["another UTC offset of an arrival", { pickup_datetime: undefined, arrive_by: "2026-12-08T18:00:00+02:00" }, [/^The latest arrival is on 8 December 2026 at 17:00 local time; it was sent as 2026-12-08 18:00 \+02:00\.$/], [/The pickup is on/]],
  ["the UTC offset of that day", { pickup_datetime: "2027-07-05T15:00:00+02:00" }, [], [/local time/]],
];

suite("what a traveler hears", () => {
  for (const [about, change, expected, wrong] of CASES) {
    test(about, async () => {
      const limitations = await said(change);
      for (const pattern of expected) {
        const matching = limitations.filter((each) => pattern.test(each));
        assert.equal(matching.length, 1, `${pattern}\n${limitations.join("\n")}`);
      }
      for (const pattern of wrong) assert.ok(!limitations.some((each) => pattern.test(each)), `${pattern}`);
    });
  }
});

test("quote and handoff name where the driver is met, and no sentence repeats it", async () => {
  const LATER = "Told after booking.";
  const ADDRESS = "The address given when booking.";
  for (const [origin, destination, outbound, back] of [
    ["Zurich Airport", "Zermatt", LATER, "Täsch, where the car stops."],
    ["Zermatt", "Bern", "Täsch, where the car stops.", ADDRESS],
    ["Bern", "Bern railway station", ADDRESS, LATER],
    ["Inselspital Bern", "46.948, 7.4474", "Inselspital, Bern.", "46.948, 7.4474."],
    ["Via Nessuna 12, Locarno", "Zermatt", "The address given.", "Täsch, where the car stops."],
    ["Inselspital Bern", "Bürgenstock", "Inselspital, Bern.", ADDRESS],
  ] as const) {
    const quote = await value("create_transfer_quote", aQuoteRequest({ origin, destination, ...RETURN }));
    const handoff = await value("create_checkout_handoff", {
      quote_id: quote.quote_id,
      fleet_id: quote.options[0].fleet_id,
      traveler_approval: true,
    });
    for (const { meeting_point, return_meeting_point, limitations } of [quote, handoff]) {
      assert.deepEqual([meeting_point, return_meeting_point], [outbound, back], `${origin} – ${destination}`);
      assert.doesNotMatch(limitations.join(), /[Mm]eeting point/);
    }
  }
});

test("a quote names what its ends and stops were read as, also where the texts were exact", async () => {
  const AIRPORT = { name: "Zurich Airport", country: "CH", kind: "airport" };
  for (const [text, place] of [
    ["Zermatt", { name: "Zermatt", country: "CH", kind: "resort" }],
    ["Tschuggen Grand Hotel", { name: "Tschuggen Grand Hotel, Arosa", town: "Arosa", country: "CH", kind: "site" }],
    ["Davos Platz", { name: "Davos Platz", town: "Davos", country: "CH", kind: "resort" }],
    ["Hotel Krone, Thun", { name: "Thun", country: "CH", kind: "town" }],
    ["47.1662, 9.4781", { name: "Buchs SG", country: "CH", kind: "position" }],
    ["Milan Malpensa", { name: "Milan Malpensa Airport", country: "IT", kind: "airport" }],
  ] as const) {
    const waypoints = [
      { name: text, stop_duration_min: 5 },
      { name: "Aunt", lat: 46.948, lng: 7.4474 },
    ];
    const quote = await value("create_transfer_quote", aQuoteRequest({ destination: text, waypoints }));
    const places = [quote.origin_place, quote.destination_place, ...quote.waypoints.map((stop: Fields) => stop.place)];
    assert.deepEqual(places, [AIRPORT, place, place, { name: "Bern", country: "CH", kind: "position" }]);
    assert.doesNotMatch(quote.limitations.join(), /placed|coordinates sent/);
  }
});

test("an estimate says which distance and time of the caller it rests on, and what is left out", async () => {
  const journey = { origin: "Davos", destination: "Scuol", pickup_datetime: "2026-12-10T10:00:00+01:00" };
  for (const [metrics, says] of [
    [
      { distance_km: 30, duration_min: 40 },
      /^The price rests on the 30 km and 40 min that were sent, not on a measured route: car trains, tolls, closed roads and detours are not included\.$/m,
    ],
    [
      { distance_km: 30 },
      /^The price rests on the 30 km that were sent; driving time, tolls and car trains are those of the measured route, which may be another\.$/m,
    ],
    [{ distance_km: 30 }, /^Includes the Vereina car train/m],
    [
      { duration_min: 90 },
      /^The times rest on the driving time of 1 h 30 min that was sent; the route was measured\.$/m,
    ],
    [{}, /^(?![\s\S]*rest on)/],
  ] as const) {
    const { limitations } = await value("estimate_transfer_quote", aQuoteRequest({ ...journey, ...metrics }));
    assert.match(limitations.join("\n"), says);
  }
});

test("notices and legs are beside the text that a model reads, on the resolved link, and in a replay", async () => {
  const args = { ...aQuoteRequest(TO_ZERMATT), idempotency_key: "notices-again" };
  const call = async () => (await client.callTool({ name: "create_transfer_quote", arguments: args })) as Fields;
  const [{ content, _meta }, again] = [await call(), await call()];
  assert.deepEqual([again.content, again._meta], [content, _meta]);
  assert.deepEqual(Object.keys(_meta), ["notices", "legs"]);
  const quote = JSON.parse(content[0].text);
  const notices = _meta.notices.filter(({ code }: Fields) => !["MEETING_POINT", "WAITING", "VIA"].includes(code));
  assert.deepEqual(
    notices.map(({ text }: Fields) => text),
    quote.limitations,
    "fields for agents say the others",
  );
  assert.deepEqual([quote.free_waiting_min, quote.waiting_step_min, quote.options[0].waiting_step_price], [15, 15, 15]);
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const handoff = await value("create_checkout_handoff", terms);
  assert.equal(handoff.notices, undefined);
  const { body } = await service.api(`/checkout-sessions/${quote.quote_id}${new URL(handoff.checkout_url).search}`);
  assert.deepEqual(
    body.notices.flatMap(({ code, text }: Fields) => (code === "VIA" ? [] : text)),
    handoff.limitations,
  );
  const rows = body.legs.map(({ action, place, at, means, included }: Fields) => [action, place, at, means, included]);
  assert.deepEqual(rows, [
    ["pickup", "Bern", quote.pickup_datetime, "car", true],
    ["drop_off", "Täsch", quote.arrival_datetime, "train", false],
    ["arrive", "Zermatt", null, null, false],
  ]);
});

test("what waiting costs at each pickup is in fields, and said where vehicles differ", async () => {
  const waitingOf = async (change: Fields) => {
    const quote = await value("create_transfer_quote", aQuoteRequest(change));
    assert.doesNotMatch(quote.limitations.join("\n"), /^Waiting is free|^Waiting at/m);
    return [quote.free_waiting_min, quote.return_free_waiting_min, quote.waiting_step_min];
  };
  assert.deepEqual(await waitingOf({ ...TO_ZERMATT, origin: "Zurich Airport", ...RETURN }), [60, 15, 15]);
  assert.deepEqual(await waitingOf({ origin: "Bern", destination: "Lucerne", ...RETURN }), [15, 15, 15]);
  assert.deepEqual(await waitingOf({ origin: "Bern", destination: "Lucerne" }), [15, undefined, 15]);
});

test("which vehicle has room for which special items can be worked out from the list", async () => {
  const { vehicle_classes, special_items } = await value("list_vehicle_classes", {});
  const { special_item_places: places } = special_items.find(({ kind }: Fields) => kind === "bicycle");
  const room = (vehicle: Fields) => Math.floor(vehicle.special_item_places / places);
  const van = vehicle_classes.find(({ vehicle_class }: Fields) => vehicle_class === "van");
  const offered = async (count: number) =>
    (await value("create_transfer_quote", aQuoteRequest({ special_items: [{ kind: "bicycle", count }] }))).options.some(
      ({ vehicle_class }: Fields) => vehicle_class === "van",
    );
  assert.deepEqual([room(van), await offered(room(van)), await offered(room(van) + 1)], [2, true, false]);
});

test("the operator is in every estimate, quote and policy, and the handoff has all of it", async () => {
  const quote = await value("create_transfer_quote", aQuoteRequest());
  const estimate = await value("estimate_transfer_quote", aQuoteRequest());
  assert.deepEqual(estimate.limitations, quote.limitations);
  const policy = await value("get_policy", { policy_key: "changes" });
  const contact = { name: "Example Transfers", phone: "+41 00 000 00 00", email: "bookings@transfers.example" };
  for (const { operator } of [quote, estimate]) assert.deepEqual(operator, contact);
  const { phone_hours, payment_methods, ...whom } = policy.operator;
  const hours = ["Example: daily from 07:00 to 22:00", "Example: credit card, TWINT, invoice"];
  assert.deepEqual([{ ...whom, ...contact }, phone_hours, payment_methods], [whom, ...hours]);
  assert.match(
    policy.policy_text,
    /the free waiting of 60 minutes at the airport starts only when it lands; .* flight number/,
  );
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const handoff = await value("create_checkout_handoff", terms);
  assert.equal(handoff.vat_included, true);
  assert.deepEqual(handoff.operator, {
    ...contact,
    website: "https://transfers.example",
    terms_url: "https://transfers.example/terms",
    vat_number: "CHE-000.000.000 MWST",
    phone_hours: "Example: daily from 07:00 to 22:00",
  });
});

test("the requirements name surcharges with their dates, classes to book earlier and what is not offered, as a price and a refusal do", async () => {
  const { booking_windows, not_offered, surcharges } = await value("get_quote_requirements");
  assert.deepEqual(
    not_offered.map(({ item }: Fields) => item),
    ["e-bike", "accessible vehicle", "pet without a carrier"],
  );
  for (const { next_action } of not_offered) assert.match(next_action, /asks Example Transfers \(\+41 .*@/);
  assert.deepEqual(booking_windows, [{ lead_time_hours: 72, vehicle_classes: ["coach"] }]);
  const soon = aQuoteRequest({ pickup_datetime: "2026-12-03T10:00:00+01:00", passengers: 30 });
  const { content } = await client.callTool({ name: "create_transfer_quote", arguments: soon });
  assert.match(JSON.stringify(content), /Pickups with Coach are accepted from 2026-12-04T10:00:00\+01:00 to /);

  const [night, holidays, back, congress] = surcharges;
  assert.deepEqual(night, { label: "Night surcharge", percent: 20, hours: "00:00 to 06:00" });
  assert.ok(holidays.percent === 10 && holidays.days.includes("Easter Monday"));
  const percent_of = "both fares, without surcharges";
  assert.deepEqual(back, { label: "Same-day return discount", percent: -5, percent_of, return_within_days: 0 });
  const routes = ["anywhere to davos-valley (7260, 7270), both ways"];
  assert.deepEqual(congress, { label: "Congress week surcharge", percent: 25, days: ["01-18 to 01-24"], routes });
  for (const [return_datetime, isCheaper] of [
    ["2026-12-08T19:00:00+01:00", true],
    ["2026-12-09T14:00:00+01:00", false],
  ] as const) {
    const { options } = await value("estimate_transfer_quote", aQuoteRequest({ return_datetime }));
    const lines = options[0].price_lines.map(({ label }: Fields) => label);
    assert.equal(lines.includes(back.label), isCheaper, lines.join());
  }
});
