import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { NOTICES, SHOWN_BY_LEGS } from "../../../src/contract/notice-codes.ts";
import type { Value } from "../../../src/contract/notices.ts";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { translationsOf } from "../../../src/domain/quotes/translations-of.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { pageNotice } from "../../../tools/wire/quote.ts";
import { aCatalogFolder } from "../../support/catalog-folder.ts";
import { browserSuite } from "../../support/chromium.ts";
import { assertNoEnglish, englishWords, shownTexts } from "../../support/english-words.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aService } from "../../support/service.ts";
import { API, handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

/** What each language says of the same offer. */
// biome-ignore format: a table reads by its columns
const SAID = {
  "de-CH": [/Abholung/, /Dienstag, 8\. Dezember 2026, Schweizer Zeit 14:05 Flughafen Zürich/, /Täsch Ankunft des Autos Zug, 12 min, alle 20 min/, /CHF.\d+/, /1 Kind\b/],
  "fr-CH": [/Prise en charge/, /[Mm]ardi,? 8 décembre 2026/, /Täsch Arrivée de la voiture Train, 12 min, toutes les 20 min/, /CHF/, /1 enfant\b/],
  "it-CH": [/Prelievo/, /[Mm]artedì,? 8 dicembre 2026/, /Täsch Arrivo dell’auto Treno, 12 min, ogni 20 min/, /CHF/, /1 bambino\b/],
} as const;
const HIRE = { booking_type: "hourly", duration_hours: 4.5, destination: undefined, origin: "Geneva Airport" };
const FAULTS = [
  { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED", request_id: "req_1" } },
  { status: 409, json: { code: "QUOTE_EXPIRED", request_id: "req_1" } },
  { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  // While checkout is disabled too.
  { status: 503, json: { code: "UPSTREAM_UNAVAILABLE" } },
];

/** What values of notices look like; any other is a number. */
const VALUES: Readonly<Record<string, Value>> = {
  ...{ text: "In a travel cover.", place: "Zurich Airport", stop: "Saas-Fee Car Park", name: "Furka car train" },
  ...{
    onward: "Cable car Beckenried–Klewenalp, about 10 minutes.",
    items: [{ count: 2, text: "golf bags" }],
    kinds: "child_seat, pet",
  },
  ...{ reason: "On New Year's Eve first-class cars are assigned by phone.", season: "Congress week surcharge" },
  ...{
    holiday: [{ text: "Christmas Day" }, { text: "St. Stephen's Day" }],
    fare: "Fixed fare Geneva Airport – Annecy",
    limits: "2",
    stays: 1,
  },
  ...{ classes: "Van, e.g. Mercedes-Benz V-Class", vehicle: "Coach, on request", operator: "Example Transfers" },
  ...{
    phone: "+41 00 000 00 00",
    email: "bookings@transfers.example",
    includes: "train, tolls, place_fees, night, holidays, seasons",
  },
  ...{ prices: "CHF 15", hour_prices: "CHF 72", km_prices: "CHF 2.80", sent: "2026-12-08T07:05:00-06:00" },
  ...{ date: "2026-12-08", time: "14:05", arrival: "15:26", departure: "2026-12-08T16:26:00+01:00" },
  ...{ until: "2026-12-07T14:05:00+01:00", from: "11-05", to: "06-01" },
  places: [{ text: "Zurich Airport" }],
};

browserSuite("the traveler's page in the language of the browser", (browser) => {
  for (const [locale, said] of Object.entries(SAID)) {
    const language = locale.slice(0, 2) as "de" | "fr" | "it";

    test(`has no English word left in ${locale}`, async (t) => {
      const english = englishWords(language);
      const traveler = await aTravelerAndService(t, browser(), { phone: { locale } });
      const { service, page, open, showInstead, complaints, changeOffers } = traveler;
      const [{ url }] = await handoff(service, FULL_JOURNEY);
      await open(url);
      await unfold(page);
      const shown = await shownTexts(page);
      for (const words of said) assert.match(shown.join(" "), words);
      assertNoEnglish(shown, english);
      assert.equal(await page.locator("html").getAttribute("lang"), language);
      const [{ url: hire }] = await handoff(service, HIRE);
      await showInstead(hire);
      await unfold(page);
      assertNoEnglish(await shownTexts(page), english);

      changeOffers(withEveryNotice);
      await showInstead(url);
      await unfold(page);
      assert.equal(
        await page.locator("#banner li, #decisive li, #included li, #notes li").count(),
        Object.keys(NOTICES).length - SHOWN_BY_LEGS.length,
      );
      assert.match(await page.locator("#included").innerText(), /^(?:Rückfahrt|Retour|Ritorno)\s?: .*Furka/m);
      assertNoEnglish(await shownTexts(page), english);
      assert.deepEqual(complaints, []);

      for (const fault of FAULTS) {
        await page.route(API, (route) => route.fulfill(fault), { times: 1 });
        await showInstead(url);
        await page.getByRole("alert").waitFor();
        assertNoEnglish(await shownTexts(page), english);
      }
      await page.route(API, (route) => route.abort(), { times: 1 });
      await showInstead(url);
      assertNoEnglish(await shownTexts(page), english);
      service.clock.advance(30 * 60_000);
      t.after(() => service.clock.advance(-30 * 60_000));
      await showInstead(url);
      assertNoEnglish(await shownTexts(page), english);
    });
  }

  test("shows English marked as such where the operator translates nothing", async (t) => {
    const catalog = aCatalogFolder(t);
    rmSync(join(catalog, "translations.json"));
    const untranslated = await aService(t, { env: { TRANSFER_CATALOG_DIR: catalog } });
    const { service, page, open } = await aTravelerAndService(t, browser(), {
      service: untranslated,
      phone: { locale: "de-CH" },
    });
    const [{ url }] = await handoff(service, FULL_JOURNEY);
    await open(url);
    const prose = await page.locator("[lang=en]").allTextContents();
    assert.ok(prose.includes("Sedan, e.g. Mercedes-Benz E-Class"));
    assert.ok(prose.includes("Shuttle train Täsch–Zermatt, 12 minutes, every 20 minutes."));
    assert.ok(prose.some((text) => text.startsWith("Free cancellation")));
  });

  test("says a notice that it does not know in English, marked as such", async (t) => {
    const phone = { locale: "de-CH" };
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser(), { phone });
    const notices = [
      { code: "SOMETHING_NEW", values: {}, text: "Something new." },
      { code: "TOLL", values: {}, text: "Includes the toll of X.", included: true },
      {
        ...{ code: "PASS_CLOSED", values: { name: "Julier", from: "11-05", to: "06-01" }, text: "English." },
        decisive: true,
      },
    ];
    changeOffers((offer) => ({ ...offer, notices }));
    await open((await handoff(service))[0].url);
    assert.deepEqual(await page.locator("#included [lang=en], #notes [lang=en]").allTextContents(), [
      "Includes the toll of X.",
      "Something new.",
    ]);
    assert.equal(
      await page.locator("#decisive li").last().textContent(),
      "Julier ist vom 5. November bis zum 1. Juni geschlossen.",
    );
  });

  test("is English for a browser in none of its languages", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser(), { phone: { locale: "ja-JP" } });
    await open((await handoff(service))[0].url);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Zurich Airport → Zermatt");
  });
});

/** Opens everything that is folded. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator("details:not([open]) > summary").filter({ visible: true });
  while ((await folded.count()) > 0) await folded.first().click();
}

/** The same offer with one notice of each code. */
function withEveryNotice(offer: Fields): object {
  const notices = Object.entries(NOTICES).map(([code, text]) => ({
    code,
    values: { ...valuesIn(code, text), ...(code === "CAR_TRAIN" && { leg: "return" }) },
    text,
  }));
  const { translations } = loadCatalog(packagedCatalog);
  const own = translationsOf(
    translations,
    notices.flatMap(({ values }) => Object.values(values)),
  );
  for (const [language, texts] of Object.entries(own)) Object.assign(offer.translations[language], texts);
  return { ...offer, notices: notices.map(pageNotice) };
}

function valuesIn(code: string, template: string): Readonly<Record<string, Value>> {
  const placeholders = [...template.matchAll(/\{(\w+)(?: (\w+)|\|[^}]*)?\}/g)];
  return Object.fromEntries(
    placeholders.map(([, name = "", format]) => {
      if (format === "day") return [name, "11-05"];
      if (code === "CLASS_BOOKABLE" && name !== "vehicle") return [name, "2026-12-08T14:05:00+01:00"];
      if (["TOWN_STRAIGHT_LINE", "TOWN_EXTENT", "LONG_DETOUR"].includes(code) && /^(from|to)$/.test(name))
        return [name, "Lucerne Station"];
      return [name, VALUES[name] ?? 3];
    }),
  );
}
