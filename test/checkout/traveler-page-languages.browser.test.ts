import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchChromium, whyNoChromium } from "../support/chromium.ts";
import { pageTexts } from "../support/page-texts.ts";
import { API, aTravelerAndService, handoff } from "../support/traveler.ts";

/** What each language says of the same offer. */
const SAID = {
  "de-CH": [
    /Abholung/,
    /Dienstag, 8\. Dezember 2026, 14:05 Uhr Schweizer Zeit \(MEZ\)/,
    /autofrei/,
    /CHF.\d+/,
    /1 Kind\b/,
  ],
  "fr-CH": [/Prise en charge/, /mardi,? 8 décembre 2026/, /sans voitures/, /CHF/, /1 enfant\b/],
  "it-CH": [/Partenza/, /martedì,? 8 dicembre 2026/, /senza auto/, /CHF/, /1 bambino\b/],
} as const;
const ENGLISH =
  /\b(the|and|with|for|your|this|until|pickup|outbound|return|free|waiting|children|luggage|surcharge|not|try|again|price|time)\b/i;
const FAULTS = [
  { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED", request_id: "req_1" } },
  { status: 410, json: { code: "QUOTE_EXPIRED" } },
  { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  { status: 503, json: { code: "UNKNOWN" } },
];

suite("the traveler's page in the language of the browser", { skip: whyNoChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const [locale, said] of Object.entries(SAID)) {
    test(`has no English word left in ${locale}`, async (t) => {
      const english = Object.values((await pageTexts("en")).texts).filter((text) => typeof text === "string");
      const own = Object.values((await pageTexts(locale.slice(0, 2))).texts);
      const foreign = new Set(english.filter((text) => !own.includes(text)));
      const { service, page, open, complaints } = await aTravelerAndService(t, browser, { phone: { locale } });
      const [{ url }] = await handoff(service, {
        ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 1, waiting_minutes: 75 },
        special_items: [{ kind: "skis", count: 2 }],
        pickup_datetime: "2026-12-08T14:05:00+01:00",
        return_datetime: "2026-12-12T10:00:00+01:00",
        waypoints: [{ name: "Bern", stop_duration_min: 75 }],
      });
      await open(url);
      const shown = await translatedTexts(page);
      for (const words of said) assert.match(shown.join(" "), words);
      assertNoEnglish(shown, foreign);
      assert.equal(await page.locator("html").getAttribute("lang"), locale.slice(0, 2));
      assert.ok(!foreign.has(await page.title()));
      const map = (await page.locator("#map svg").getAttribute("aria-label")) ?? "";
      assert.doesNotMatch(map, /^Map:/);
      assert.deepEqual(complaints, []);

      for (const fault of FAULTS) {
        await page.route(API, (route) => route.fulfill(fault), { times: 1 });
        await open(url);
        await page.getByRole("alert").waitFor();
        assertNoEnglish(await translatedTexts(page), foreign);
      }
    });
  }

  test("says a notice that it does not know in English, marked as such", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser, { phone: { locale: "de-CH" } });
    const [{ url }] = await handoff(service);
    await page.route(API, async (route) => {
      const response = await route.fetch();
      const notices = [
        { code: "SOMETHING_NEW", values: {}, text: "Something new." },
        { code: "TOLL", values: {}, text: "Includes the toll of X." },
        { code: "PASS_CLOSED", values: { name: "Julier", from: "11-05", to: "06-01" }, text: "English." },
      ];
      await route.fulfill({ response, json: { ...(await response.json()), notices } });
    });
    await open(url);
    assert.deepEqual(await page.locator("#notes [lang=en]").allTextContents(), [
      "Something new.",
      "Includes the toll of X.",
    ]);
    assert.equal(
      await page.locator("#notes li").last().textContent(),
      "Julier ist vom 5. November bis zum 1. Juni geschlossen.",
    );
  });

  test("is English for a browser in none of its languages", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser, { phone: { locale: "ja-JP" } });
    await open((await handoff(service))[0].url);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Your transfer");
  });
});

/** Visible text without what is marked as English, names, and the name of the vehicle class. */
function translatedTexts(page: Page): Promise<string[]> {
  return page
    .locator("body *")
    .filter({ visible: true })
    .evaluateAll((all) =>
      all
        .filter((element) => !element.closest("[lang=en], bdi.entered, #vehicle, svg, #operator"))
        .flatMap(({ childNodes }) => [...childNodes])
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ nodeValue }) => (nodeValue ?? "").replace(/\s+/g, " ").trim())
        .filter((text) => text !== ""),
    );
}

function assertNoEnglish(shown: readonly string[], foreign: ReadonlySet<string>): void {
  assert.ok(shown.length > 3);
  for (const text of shown) {
    assert.ok(!foreign.has(text), text);
    assert.doesNotMatch(text, ENGLISH);
  }
}
