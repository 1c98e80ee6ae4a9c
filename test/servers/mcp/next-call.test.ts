import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aQuoteRequest, FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { aService } from "../../support/service.ts";

const service = await aService(wholeFile);
const { client, value, problem } = await anMcpClient(wholeFile, service.publicUrl, await service.token());

const THERE = { name: "At the lake", lat: 47.05, lng: 8.31 };
const HIRE = { origin: "Lucerne", destination: undefined, booking_type: "hourly", duration_hours: 5.5 };

const JOURNEYS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "a transfer": {},
  "luggage that was not stated": { luggage: undefined },
  "every detail": { destination: "Bern", ...FULL_JOURNEY },
  "a stop by its position, and one without a stay": {
    waypoints: [{ ...THERE, stop_duration_min: 0 }, { name: "Bern" }],
  },
  "a hire that ends where it starts": { ...HIRE, waypoints: [{ name: "Bürgenstock" }] },
  "a hire that ends elsewhere": { ...HIRE, destination: "Bern", waiting_minutes: 20 },
  "children whose adults were omitted": { passengers: 4, children: 1, infants: 1 },
  "adults and children that are not the passengers": { passengers: 4, adults: 4, children: 2 },
  "more children than passengers": { passengers: 1, children: 3 },
  "a latest arrival and a flight": {
    pickup_datetime: undefined,
    arrive_by: "2026-12-08T18:00:00+01:00",
    flight_number: "LX 39",
  },
};

test("an expired quote that is read again still has what the card shows of its journey", async (t) => {
  const { quote_id } = await value("create_transfer_quote", aQuoteRequest());
  const read = async () => (await client.callTool({ name: "get_transfer_quote", arguments: { quote_id } }))._meta;
  const open = await read();
  assert.ok(open?.legs && open.notices);
  service.clock.advance(31 * 60_000);
  t.after(() => service.clock.advance(-31 * 60_000));
  assert.deepEqual(await read(), open);
});

suite("an expired quote has the arguments to ask for it again", () => {
  for (const [about, change] of Object.entries(JOURNEYS))
    test(about, async () => {
      const quote = await value("create_transfer_quote", aQuoteRequest(change));
      assert.equal(quote.request, undefined);
      service.clock.advance(31 * 60_000);
      const { status, request, next_action } = await value("get_transfer_quote", { quote_id: quote.quote_id });
      assert.equal(status, "expired");
      assert.match(
        next_action,
        /^Call create_transfer_quote with the arguments in request .*, unless the traveler has paid: the booking is then unaffected\. /,
      );
      assert.equal(request.arrive_by, "arrive_by" in change ? change.arrive_by : undefined);
      assert.equal("pickup_datetime" in request, request.arrive_by === undefined);
      const again = await value("create_transfer_quote", request);
      assert.deepEqual(pricesOf(again), pricesOf(quote));
      const assumed = ({ limitations }: Fields) => limitations.filter((text: string) => /was not stated/.test(text));
      assert.deepEqual(assumed(again), assumed(quote));
      service.clock.advance(-31 * 60_000);
    });
});

/** What makes a quote the same journey at the same price. */
function pricesOf({ options, route_basis, waypoints, ...quote }: Fields) {
  const { pickup_datetime, return_datetime, passengers, adults, children, infants, luggage, large_luggage } = quote;
  return {
    ...{ options, waypoints, fingerprint: route_basis.route_fingerprint, pickup_datetime, return_datetime },
    ...{ passengers, adults, children, infants, luggage, large_luggage },
    ...{ special_items: quote.special_items, flight_number: quote.flight_number, arrival: quote.arrival_datetime },
  };
}

const paymentsOf = ({ name, phone, email }: Fields) =>
  `This service does not see payments: whether a journey is paid, ask ${name} (${phone}, ${email}).`;

test("a quote that is read and the payment policy say that payments are not seen here, and whom to ask", async () => {
  const quote = await value("create_transfer_quote", aQuoteRequest());
  const read = await value("get_transfer_quote", { quote_id: quote.quote_id });
  const payment = await value("get_policy", { policy_key: "payment" });
  for (const said of [read.next_action, payment.note]) assert.equal(said, paymentsOf(quote.operator));
  assert.equal(quote.next_action, undefined, "nothing was paid yet");
});

test("a handoff and the policy say how to cancel and how to pay, from the operator's files", async () => {
  const { quote_id, options } = await value("create_transfer_quote", aQuoteRequest());
  const terms = { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true };
  const handoff = await value("create_checkout_handoff", terms);
  const policy = await value("get_policy", { policy_key: "cancellation" });
  const how = "To cancel, the traveler calls +41 00 000 00 00 or writes to bookings@transfers.example.";
  assert.equal(handoff.cancellation, `${policy.policy_text} ${how}`);
  assert.equal(
    policy.note,
    `${how} Of a round trip either leg can be canceled alone, free until 24 h before its own pickup; Example Transfers tells what is refunded for one leg.`,
  );
  assert.match(handoff.cancellation, /up to 24 hours before the pickup\. Later cancellations .* charged in full\./);
  assert.equal(handoff.payment_methods, policy.operator.payment_methods);
});

test("an unknown policy, an estimate and a corridor that is not published say what to do", async () => {
  const unknown = await problem("get_policy", { policy_key: "child_seats" });
  assert.match(unknown.next_action, /For anything else the traveler asks Example Transfers \(\+41 00 000 00 00, /);
  const estimate = await value("estimate_transfer_quote", aQuoteRequest());
  assert.match(estimate.next_action, /^For a fixed price, call create_transfer_quote with the same arguments, /);
  const pair = { origin: "Thun", destination: "Zermatt" };
  const { services, note } = await value("list_transfer_services", pair);
  assert.deepEqual(services, []);
  assert.match(note, /^No corridor from Thun to Zermatt is published, but other journeys are quoted too: /);
  const call = `create_transfer_quote with ${JSON.stringify(pair)}, pickup time and party`;
  assert.ok(note.endsWith(`${call}.`), note);
  const half = await value("list_transfer_services", { origin: "Thun" });
  assert.match(half.note, /, the other end, pickup time and party\.$/);
  assert.equal((await value("list_transfer_services", { destination: "Zermatt" })).note, undefined);
  const { code, next_action } = await problem("get_transfer_route", pair);
  assert.equal(code, "UNSUPPORTED_ROUTE");
  assert.ok(next_action.startsWith(`Call ${call}: `), next_action);
});

test("a handoff says whom the traveler contacts once it is paid, and after a flight what applies if it is late", async () => {
  for (const [journey, lateFlight] of [
    [{}, " For a late flight, get_policy changes says what applies."],
    [{ origin: "Bern" }, ""],
  ] as const) {
    const { quote_id, options, operator } = await value("create_transfer_quote", aQuoteRequest(journey));
    const terms = { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true };
    assert.equal(
      (await value("create_checkout_handoff", terms)).next_action,
      "Give the traveler checkout_url unchanged; nothing is booked before its page is completed. Before payment, another vehicle that is not on request needs only a handoff of its fleet_id, and any other change a new quote; " +
        `once paid, only the operator changes it. ${paymentsOf(operator)}${lateFlight}`,
    );
  }
});
