import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { NOTICES, type NoticeCode } from "../../../src/contract/notice-codes.ts";
import type { Value } from "../../../src/contract/notices.ts";
import { translationsOf } from "../../../src/domain/quotes/translations-of.ts";
import { bookingMail, offerEvents } from "../../../src/service/checkout/view/mail.ts";
import { noticeText as sentenceOf } from "../../../src/service/checkout/view/notice-text.ts";
import type { Offer } from "../../../src/service/checkout/view/offer.ts";
import { timeLeft } from "../../../src/service/checkout/view/offer-view.ts";
import { type Language, plain } from "../../../src/service/checkout/view/words.ts";
import { pageNotice } from "../../../tools/wire/quote.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { pageTexts, viewIn } from "../../support/page-texts.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aService } from "../../support/service.ts";
import { resolvedOffer } from "../../support/traveler.ts";

const service = await aService(wholeFile);
const HIRE = { booking_type: "hourly", duration_hours: 9, origin: "Zurich", destination: undefined };
const PASS = { name: "Susten Pass", from: "11-01", to: "06-11" };
const CLOSED = { from: "2026-12-06T08:00:00+01:00", to: "2027-01-01T18:00:00+01:00", reason: "" };
const DAY_AFTER = "2026-12-09T00:20:00+01:00";

/** What travelers read of a notice; spaces where lines must not break are "_". */
const SENTENCES: readonly (readonly [Language, NoticeCode, Readonly<Record<string, Value>>, string])[] = [
  // Names that begin a sentence, and the days of a month.
  ["en", "PASS_AVOIDED", PASS, "Susten Pass is usually closed from 1 November to 11 June: the route avoids it."],
  [
    ...(["de", "PASS_AVOIDED", PASS] as const),
    "Sustenpass: in der Regel geschlossen vom 1. November bis zum 11. Juni; die Strecke führt nicht darüber.",
  ],
  [
    ...(["fr", "PASS_AVOIDED", PASS] as const),
    "Col du Susten_: fermeture habituelle du 1er novembre au 11 juin_; l’itinéraire l’évite.",
  ],
  [
    ...(["it", "PASS_AVOIDED", PASS] as const),
    "Passo del Susten: chiusura abituale 1º novembre – 11 giugno; il percorso passa altrove.",
  ],
  [
    ...(["fr", "PASS_AVOIDED", { ...PASS, leg: "return" }] as const),
    "Retour_: col du Susten_: fermeture habituelle du 1er novembre au 11 juin_; l’itinéraire l’évite.",
  ],
  // Of any gender: a pass, a road, a gallery.
  [
    ...(["it", "ROAD_CLOSED_UNTIL", { ...CLOSED, name: "Gletsch–Oberwald road" }] as const),
    "Strada Gletsch–Oberwald: chiusura da domenica 6 dicembre 2026, ore_08:00 a venerdì 1º gennaio 2027, ore_18:00; il percorso passa altrove. ",
  ],
  [
    ...(["de", "PASS_CLOSED", { ...PASS, name: "Gletsch–Oberwald road" }] as const),
    "Strasse Gletsch–Oberwald: geschlossen vom 1. November bis zum 11. Juni.",
  ],
  // No article before a number or a name that may want another one.
  ["it", "VAT", { percent: 8.1, amounts: "CHF 1105.27" }, "IVA compresa nel prezzo, 8.1_%: CHF_1’105.27."],
  ["it", "FREE_TRAIN_KM", { km: 8 }, "I chilometri sul trasporto auto (8_km) non sono addebitati."],
  [
    ...(["it", "REFUND", { until: CLOSED.from, percent: 80 }] as const),
    "Annullamento entro domenica 6 dicembre 2026, ore_08:00: rimborso del prezzo, 80_%.",
  ],
  [
    ...(["fr", "LONG_DETOUR", { from: "Geneva Airport", to: "Interlaken", times: 3 }] as const),
    "L’itinéraire aéroport de Genève – Interlaken est 3 fois plus long que la ligne droite.",
  ],
  [
    ...(["de", "FLIGHT_ELSEWHERE", { place: "Lucerne Station" }] as const),
    "Eine Flugnummer ist angegeben, aber die Abholung ist nicht an einem Flughafen (Bahnhof Luzern): Sie richtet sich nicht nach dem Flug.",
  ],
  // A moment may be of another day.
  [
    ...(["en", "LEAVE_PLACE_BY", { place: "Zermatt", time: "23:50", stop: "Täsch", at: DAY_AFTER }] as const),
    "Leave Zermatt by 23:50 to be at Täsch (Wednesday, 9 December 2026, 00:20).",
  ],
  [
    ...(["it", "LEAVE_BY_CLOSING", { time: DAY_AFTER }] as const),
    "Ultima partenza dell’auto: mercoledì 9 dicembre 2026, ore_00:20. Dopo, durante l’attesa gratuita, quel giorno nessuna strada per la destinazione è aperta.",
  ],
  [
    ...(["fr", "LEAVE_BY", { time: DAY_AFTER, prices: "CHF 500" }] as const),
    "Les heures et le prix valent si la voiture part à temps (au plus tard_: mercredi 9 décembre 2026 à 00:20). Après, pendant l’attente gratuite, la course coûte CHF_500.",
  ],
  [
    ...(["de", "LEAVE_BY", { time: "23:40", prices: "CHF 500" }] as const),
    "Zeiten und Preis gelten, wenn das Auto rechtzeitig abfährt (spätestens: 23:40). Später, innerhalb der kostenlosen Wartezeit, kostet die Fahrt CHF_500.",
  ],
  // An address of a pickup as well.
  [
    ...(["de", "ADDRESS_UNKNOWN", { text: "Seeweg 1", place: "Bern" }] as const),
    "Für «Seeweg 1» gilt der Preis der Ortsmitte (Bern); das Transportunternehmen bestätigt die Adresse bei der Buchung.",
  ],
  [
    ...(["fr", "CAR_TRAIN", { name: "Furka car train", wait_min: 20, ride_min: 75 }] as const),
    "Compris dans le prix_: train-auto de la Furka. Les horaires comprennent environ 20_minutes d’attente, selon le prochain train, et 1_heure 15_minutes de trajet.",
  ],
  [
    ...(["fr", "WAITING", { free_min: 15, prices: [{ text: "CHF 1015", classes: ["7"] }], step_min: 15 }] as const),
    "L’attente à la prise en charge est gratuite pendant 15_minutes_; ensuite, CHF_1’015 (7) par tranche entamée de 15_minutes.",
  ],
];

suite("the sentences of notices", () => {
  for (const [language, code, values, sentence] of SENTENCES)
    test(`${code} in ${language}: ${sentence}`, () => {
      const { translations } = defaultCatalog.catalog;
      const own = Object.fromEntries(
        Object.entries(translations).map(([text, each]) => [text, each[language as "de"] ?? text]),
      );
      const offer = { origin: "Bern", destination: "Chur", passengers: 1, translations: { [language]: own } };
      const said = sentenceOf({ code, values, text: "" }, viewIn(language, offer).words, []);
      assert.equal(plain(said).replaceAll("\u00a0", "_"), sentence);
    });
});

test("the head names stops in the reader's language, and those that are no place as the assistant wrote them", async () => {
  const waypoints = [
    { name: "Lucerne", stop_duration_min: 30 },
    { name: "Grandma", lat: 47.3519, lng: 7.9077 },
  ];
  const offer = await resolvedOffer(service, { origin: "Zurich", destination: "Bern", waypoints });
  const { party } = viewIn("de", offer).view.head;
  assert.match(plain(party), /über Luzern \(30\u00a0min\), Grandma bei Bahnhof Olten$/);
  assert.deepEqual(
    party.filter((each) => typeof each !== "string"),
    [{ text: "Grandma", is: "entered" }],
  );
});

for (const language of ["de", "fr", "it"] as const)
  test(`has no English word left in ${language}, whatever the offer says`, async () => {
    const english = englishWords(language);
    const offers = await Promise.all(
      [{}, FULL_JOURNEY, HIRE, { destination: "Interlaken", flight_number: "LX 39" }].map((journey) =>
        resolvedOffer(service, journey),
      ),
    );
    for (const offer of [...offers, withEveryNotice(offers[0] ?? assert.fail())]) {
      const { view, words } = viewIn(language, { ...offer, waypoints: [] });
      const { subject, body } = bookingMail(offer, view, words);
      const [event] = offerEvents(offer, view, words, { stamp: new Date(0), host: "quotes.test" });
      const shown = [...textsIn(view), subject, event?.summary ?? "", timeLeft(200, words).held];
      assertNoEnglish([...shown, ...body.split("\n")], english);
    }
  });

/** Every text of a view but the assistant's. */
function textsIn(view: unknown): readonly string[] {
  if (typeof view === "string") return [view];
  if (typeof view !== "object" || view === null) return [];
  if ("is" in view && view.is === "entered") return [];
  assert.ok(!("is" in view), JSON.stringify(view));
  return Object.entries(view).flatMap(([name, value]) =>
    ["icon", "action", "direction", "entered"].includes(name) ? [] : textsIn(value),
  );
}

/** What values of notices look like; any other is a number. */
const VALUES: Readonly<Record<string, Value>> = {
  ...{ text: "In a travel cover.", place: "Zurich Airport", stop: "Saas-Fee Car Park", name: "Furka car train" },
  ...{ onward: "Cable car Beckenried–Klewenalp, about 10 minutes.", items: [{ count: 2, text: "golf bags" }] },
  ...{
    reason: "On New Year's Eve from 18:00 first-class cars are assigned by phone.",
    season: "Congress week surcharge",
  },
  ...{ holiday: [{ text: "Christmas Day" }], fare: "Fixed fare Geneva Airport – Annecy", limits: "2", stays: 1 },
  ...{ classes: "Van, e.g. Mercedes-Benz V-Class", vehicle: "Coach, on request", operator: "Example Transfers" },
  ...{ phone: "+41 00 000 00 00", email: "bookings@transfers.example", prices: "CHF 15", hour_prices: "CHF 72" },
  ...{ includes: "train, tolls, place_fees, night, holidays, seasons", km_prices: "CHF 2.80" },
  ...{ date: "2026-12-08", time: "14:05", arrival: "15:26", departure: "2026-12-08T16:26:00+01:00" },
  ...{ until: "2026-12-07T14:05:00+01:00", from: "11-05", to: "06-01", sent: "2026-12-08 07:05 -06:00" },
  places: [{ text: "Zurich Airport" }],
};

/** The same offer with one notice of each code. */
function withEveryNotice(offer: Offer): Offer {
  const codes = Object.keys(NOTICES) as NoticeCode[];
  const catalog = defaultCatalog.catalog;
  const notices = codes.map((code) => {
    const text = NOTICES[code];
    const names = [...text.matchAll(/\{(\w+)(?: (\w+)|\|[^}]*)?\}/g)];
    const values = names.map(([, name = "", format]): [string, Value] => {
      if (format === "day") return [name, "11-05"];
      if (format === "instant") return [name, "2026-12-08T14:05:00+01:00"];
      if (/^(from|to)$/.test(name)) return [name, code.includes("NIGHT") ? "22:00" : "Lucerne Station"];
      return [name, VALUES[name] ?? 3];
    });
    return { code, values: Object.fromEntries(values), text };
  });
  const own = translationsOf(
    catalog,
    notices.flatMap(({ values }) => Object.values(values)),
  );
  const { translations: given = {} } = offer as { translations?: Record<string, object> };
  const merged = Object.entries(own).map(([language, texts]) => [language, { ...given[language], ...texts }]);
  return { ...offer, translations: Object.fromEntries(merged), notices: notices.map(pageNotice) } as Offer;
}

const catalog = defaultCatalog.catalog;

/** English words of page, card, notices and catalog that the language does not contain as well. */
function englishWords(language: "de" | "fr" | "it"): ReadonlySet<string> {
  const { translations, operator, places } = catalog;
  const own = pageTexts(language);
  const { notices: _, ...texts } = pageTexts("en");
  const english = [texts, NOTICES, Object.keys(translations)].flatMap(wordsIn);
  const translated = Object.values(translations).map((each) => each[language] ?? "");
  // Names are the same in all languages, unless they have a translation.
  const names = [operator, ...places.filter(({ name }) => !Object.hasOwn(translations, name)).map(({ name }) => name)];
  // Minutes have one sign in all languages.
  const known = new Set(["min", own, translated, names].flatMap(wordsIn));
  return new Set(english.filter((word) => !known.has(word)));
}

/** The words of at least two letters, in lower case, without placeholders. */
/** Letters among digits are no word: a reference such as C7L1IF. */
function wordsIn(content: unknown): readonly string[] {
  if (typeof content === "string")
    return (content.replace(/\{[^}]*\}/g, " ").match(/(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []).map((word) =>
      word.toLowerCase(),
    );
  return Object.values(content as object).flatMap(wordsIn);
}

function assertNoEnglish(shown: readonly string[], english: ReadonlySet<string>): void {
  for (const text of shown) {
    // An id may have an English word among its digits.
    const left = wordsIn(text.replace(/\breq_\S+/g, "")).filter((word) => english.has(word));
    assert.deepEqual(left, [], text);
  }
}
