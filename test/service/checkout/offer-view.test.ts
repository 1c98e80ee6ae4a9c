import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bookingMail, offerEvents, requestAgain } from "../../../src/service/checkout/view/mail.ts";
import type { Offer, ShownLeg } from "../../../src/service/checkout/view/offer.ts";
import { timeLeft } from "../../../src/service/checkout/view/offer-view.ts";
import { type Language, type Said, plain as textOf } from "../../../src/service/checkout/view/words.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { viewIn } from "../../support/page-texts.ts";
import { aService } from "../../support/service.ts";
import { resolvedOffer } from "../../support/traveler.ts";

const service = await aService(wholeFile);
const HIRE = { booking_type: "hourly", duration_hours: 9, origin: "Zurich", destination: undefined };

/** With spaces where lines must not break. */
function plain(said: Said): string {
  return textOf(said).replaceAll("\u00a0", " ");
}

async function viewOf(journey: Readonly<Record<string, unknown>> = {}, language: Language = "en") {
  return viewIn(language, await resolvedOffer(service, journey)).view;
}

function rowsOf({ directions }: Awaited<ReturnType<typeof viewOf>>, direction = 0): readonly string[] {
  return (directions[direction]?.rows ?? []).map(({ time, place, entered, what, way }) =>
    plain([[time, place || entered, what, way].filter(Boolean).join(" | ")]),
  );
}

function aLeg(own: Partial<ShownLeg>): ShownLeg {
  return {
    ...{ direction: "outbound", place: "Bern", action: "pass", at: null, departs_at: null, means: null },
    ...{ exact: true, landing: false, free_until: null, minutes: null, every_minutes: null, included: false },
    ...own,
  };
}

test("an offer is held for minutes, and seconds in the last five, never until a time of another zone", () => {
  const { words } = viewIn("en", { origin: "Bern", destination: "Chur", passengers: 1 });
  const texts = [1800, 1799, 301, 300, 65, 60, 59, 1].map((seconds) => plain([timeLeft(seconds, words).held]));
  assert.deepEqual(texts, [
    ...["Price held for 30 min", "Price held for 29 min", "Price held for 5 min", "Price held for 5 min 0 s"],
    ...["Price held for 1 min 5 s", "Price held for 1 min 0 s", "Price held for 59 s", "Price held for 1 s"],
  ]);
});

suite("a pickup after a flight", () => {
  const legs = (own: Partial<ShownLeg> = {}): readonly ShownLeg[] => {
    const pickup = { at: "2026-12-08T14:30:00+01:00", departs_at: "2026-12-08T14:30:00+01:00" };
    const free = { landing: true, free_until: "2026-12-08T15:30:00+01:00" };
    return [
      aLeg({ action: "pickup", place: "Zurich Airport", ...pickup, ...free, means: "car", minutes: 222, ...own }),
      aLeg({ action: "stop", at: "2026-12-08T16:00:00+01:00", departs_at: "2026-12-08T16:20:00+01:00", means: "car" }),
      aLeg({ action: "drop_off", place: "Täsch", at: "2026-12-08T18:12:00+01:00" }),
    ];
  };
  const offer = (own?: Partial<ShownLeg>): Offer => ({
    ...{ origin: "Zurich Airport", destination: "Täsch", waypoints: [{ name: "Bern", stop_duration_min: 20 }] },
    ...{ passengers: 2, pickup_datetime: "2026-12-08T14:30:00+01:00", legs: legs(own) },
  });

  test("is called landing, with the free waiting, after which the car arrives later", () => {
    const { view, words } = viewIn("en", offer());
    assert.deepEqual(rowsOf(view), [
      "14:30 | Zurich Airport | Landing, the driver waits free until 15:30 | Car, 3 h 42 min",
      "16:00 – 17:00 | Bern | Arrival, then a stop of 20 min | Car",
      "18:12 – 19:12 | Täsch | Arrival of the car",
    ]);
    assert.equal(plain([view.head.when]).replace(",", ""), "Tue 8 Dec landing 14:30 · arrival 18:12 – 19:12");
    assert.match(view.head.when, /^Tue,?\u00a08\u00a0Dec, /, "a day is not broken");
    const [event] = offerEvents(offer(), view, words, { stamp: new Date(0), host: "quotes.test" });
    assert.equal(event?.start.toISOString(), "2026-12-08T13:30:00.000Z");
    assert.equal(event?.end?.toISOString(), "2026-12-08T18:12:00.000Z", "the later end");
    assert.ok(view.promises.some(({ text }) => plain(text) === "60 minutes of free waiting after the landing"));
  });

  test("has one time of arrival where the waiting that was agreed is longer", () => {
    const { view } = viewIn("de", offer({ departs_at: "2026-12-08T16:00:00+01:00" }));
    const [first, , last] = rowsOf(view);
    assert.equal(first, "14:30 | Zurich Airport | Landung, der Fahrer wartet 1 h 30 min | Auto, 3 h 42 min");
    assert.equal(last, "18:12 | Täsch | Ankunft des Autos");
  });
});

suite("the view of an offer", () => {
  test("says the hours of a hire once, in its head, and of each leg its own minutes", async () => {
    const waypoints = [{ name: "Lucerne", stop_duration_min: 60 }, { name: "Engelberg" }];
    const view = await viewOf({ ...HIRE, waypoints });
    assert.match(plain([view.head.hire]), /^Car with driver, 9 h, \d+ km$/);
    assert.deepEqual(view.head.ends, ["Zürich"]);
    const rows = rowsOf(view);
    assert.equal(rows.length, 4);
    for (const row of rows) assert.doesNotMatch(row, /9 h/);
    assert.match(rows[1] ?? "", /^\d\d:\d\d – \d\d:\d\d \| Lucerne \| Stop, 60 min \| Car, \d+ min$/);
  });

  test("draws a stop in a car-free place like an end there, and says where the stay is too short", async () => {
    const stay = (minutes: number) => ({
      ...{ origin: "Bern", destination: "Lugano" },
      waypoints: [{ name: "Wengen", stop_duration_min: minutes }],
    });
    const view = await viewOf(stay(30));
    const rows = rowsOf(view);
    assert.match(
      rows[1] ?? "",
      /^\d\d:\d\d – \d\d:\d\d \| Lauterbrunnen \| Stop, 30 min \| Train, 14 min, every 30 min, not part/,
    );
    assert.match(rows[2] ?? "", /^Wengen \| Car-free \| Train, 14 min, every 30 min, not part of this price$/);
    assert.match(rows[3] ?? "", /^\d\d:\d\d \| Lauterbrunnen \| The car goes on \| Car, /);
    assert.match(
      view.decisive.map(plain).join(),
      /stay of 30 minutes at Lauterbrunnen is too short to visit Wengen: .* 28 minutes, with a connection every 30 minutes\./,
    );
    assert.doesNotMatch((await viewOf(stay(90))).decisive.map(plain).join(), /too short/);
  });

  test("names what is paid for in its head, and how a wheelchair travels among its promises", async () => {
    const special_items = ["child_seat", "skis"].map((kind, n) => ({ kind, count: 2 - n }));
    const family = await viewOf({ passengers: 4, adults: 2, children: 2, special_items });
    assert.equal(plain(family.head.party), "4 passengers · 2 bags · 2 child seats · 1 pair of skis");
    const chair = { origin: "Bern", destination: "Chur", special_items: [{ kind: "wheelchair", count: 1 }] };
    const wheelchair = await viewOf(chair);
    assert.match(plain(wheelchair.head.party), / · 1 folding wheelchair$/);
    assert.ok(wheelchair.promises.some(({ icon }) => icon === "wheelchair"));
    assert.ok(!wheelchair.notes.some((said) => /wheelchair/.test(plain(said))));
  });

  test("asks for no address that was given, and once for the others", async () => {
    const given = await viewOf({ origin: "Bahnhofstrasse 1, 8001 Zürich", destination: "Geneva Airport" });
    assert.equal(given.addresses, "");
    assert.ok(!given.notes.some((said) => /Give the exact address/.test(plain(said))));
    const waypoints = [{ name: "Chur", stop_duration_min: 30 }];
    const towns = await viewOf({ origin: "Bern", destination: "Lugano", waypoints });
    assert.equal(
      towns.addresses,
      "Exact address (Bern, Chur, Lugano): you agree it with Example Transfers when booking",
    );
  });

  test("is the same in the reader's names of places, in mail, calendar and the text for the assistant", async () => {
    const offer = await resolvedOffer(service, { return_datetime: "2026-12-12T10:00:00+01:00" });
    const { view, words } = viewIn("de", offer);
    const { subject, body } = bookingMail(offer, view, words);
    assert.match(subject, /^Transfer Flughafen Zürich – Zermatt, Di.* \(Referenz \w{6}\)$/);
    assert.match(body, /Flughafen Zürich/);
    const [outbound, back] = offerEvents(offer, view, words, { stamp: new Date(0), host: "quotes.test" });
    assert.equal(outbound?.summary, "Transfer Flughafen Zürich – Zermatt (Angebot, nicht gebucht)");
    assert.equal(back?.summary, "Transfer Zermatt – Flughafen Zürich (Angebot, nicht gebucht)");
    assert.deepEqual([outbound?.location, back?.location], ["Flughafen Zürich", "Täsch"]);
    for (const text of [subject, body, outbound?.description, requestAgain(offer, view, words)])
      assert.doesNotMatch(text ?? "", /Zurich Airport/);
    const hire = await resolvedOffer(service, HIRE);
    const hired = viewIn("en", hire);
    assert.match(
      plain([bookingMail(hire, hired.view, hired.words).subject]),
      /^Car with driver, 9 h, \d+ km, Zürich, /,
    );
  });

  test("asks in a mail for the flight after a landing alone, and for each address that is not known", async () => {
    const asked = async (journey: object) => {
      const offer = await resolvedOffer(service, { ...journey });
      const { view, words } = viewIn("en", offer);
      const { body } = bookingMail(offer, view, words);
      return body.split("\n").filter((line) => line.endsWith(":"));
    };
    const between = await asked({ origin: "Bern", destination: "Lugano" });
    assert.deepEqual(between.slice(-4), ["Name:", "Phone:", "Exact address, Bern:", "Exact address, Lugano:"]);
    assert.deepEqual((await asked({})).slice(-3), ["Name:", "Phone:", "Flight:"], "the car stops at a car park");
  });

  test("has price lines that add up to the total, and a total for each direction", async () => {
    const { view } = viewIn("en", await resolvedOffer(service, { ...FULL_JOURNEY }));
    const francs = (text: string) => Number(text.replace("−CHF", "-").replace(/[^\d.-]/g, ""));
    const { lines, total } = view.price;
    const sum = lines
      .filter(({ isTotal }) => !isTotal)
      .reduce((all, { item }) => all + francs(plain(item[1])) * 100, 0);
    assert.equal(Math.round(sum), Math.round(francs(total) * 100));
    assert.equal(plain(lines.at(-1)?.item[1] ?? []), plain([total]));
    assert.ok(lines.filter(({ isTotal }) => isTotal).length === 3);
  });

  test("marks what the assistant wrote, and what the operator has not translated", () => {
    const offer: Offer = {
      ...{ origin: 'The "Palace"', destination: "Chur", passengers: 1, vehicle_type: "Tram, e.g. yellow" },
      legs: [
        aLeg({ action: "pickup", at: "2026-12-08T14:30:00+01:00", departs_at: "2026-12-08T14:30:00+01:00" }),
        aLeg({ action: "drop_off", place: "Chur", at: "2026-12-08T18:12:00+01:00" }),
      ],
      notices: [
        { code: "ADDRESS_UNKNOWN", values: { text: 'The "Palace"', place: "Bern" }, text: "English." },
        { code: "OF_A_LATER_VERSION", values: {}, text: "Cars stop before $& <b>." },
      ],
    };
    const { view } = viewIn("de", offer);
    assert.equal(view.directions[0]?.rows[0]?.entered, 'The "Palace"');
    assert.deepEqual(view.vehicle.name, [{ text: "Tram, e.g. yellow", is: "english" }]);
    assert.ok(view.notes[0]?.some((piece) => typeof piece === "object" && piece.is === "entered"));
    assert.deepEqual(view.notes[1], [{ text: "Cars stop before $& <b>.", is: "english" }]);
  });

  test("says what a cancellation costs, now and later", async () => {
    const texts = async (journey: object) =>
      (await viewOf({ ...journey })).promises.flatMap(({ icon, text, isPromise }) =>
        icon === "cancel" ? [(isPromise ? "✓ " : "") + plain(text)] : [],
      );
    assert.deepEqual(
      (await texts({ destination: "Interlaken" })).map((text) => text.replace(",", "")),
      ["✓ Free cancellation until Mon 7 Dec 14:00; after that the full price is due"],
    );
    const soon = { destination: "Interlaken", pickup_datetime: "2026-12-02T08:00:00+01:00" };
    assert.deepEqual(await texts(soon), ["If you cancel, the full price is due"]);
  });

  test("promises to wait for a flight whose number it has, and asks for the others", async () => {
    for (const flight of [{}, { flight_number: "LX 39" }])
      assert.deepEqual(
        (await viewOf(flight)).promises.flatMap(({ icon, text, isPromise }) =>
          icon === "flight" ? [[plain(text), isPromise]] : [],
        ),
        [
          "flight_number" in flight
            ? ["Flight LX 39: the waiting begins when it lands", true]
            : ["Give your flight number when you book: the waiting begins when it lands", false],
        ],
      );
  });

  test("shows times only where the car is", async () => {
    const between = { origin: "Zermatt", destination: "Wengen", return_datetime: "2026-12-12T10:00:00+01:00" };
    for (const { rows } of (await viewOf(between)).directions) {
      const apart = rows.filter(({ action }) => action === "leave" || action === "arrive");
      assert.deepEqual(
        apart.map(({ time }) => time),
        ["", ""],
      );
      assert.equal(rows.filter(({ time }) => time !== "").length, 2);
    }
  });
});
