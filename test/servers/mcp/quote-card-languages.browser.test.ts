import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { notice } from "../../../src/contract/notices.ts";
import { example as service } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { assertNoEnglish, englishWords, shownTexts } from "../../support/english-words.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { hostedCard } from "../../support/quote-card.ts";

const MINUTE = 60_000;
const SAID = {
  de: ["Limousine", "Luxuslimousine", "Paar Ski"],
  fr: ["Berline", "Berline haut de gamme", "paires de skis"],
  it: ["Berlina", "Berlina di lusso", "paia di sci"],
} as const;
/** Classes that the operator confirms, special items, a car-free destination, a stop, a return, a holiday. */
const RICH = {
  ...{ origin: "Zurich Airport", destination: "Zermatt", passengers: 3, adults: 2, children: 1, luggage: 3 },
  special_items: [{ kind: "skis", count: 2 }],
  pickup_datetime: "2026-12-26T23:05:00+01:00",
  return_datetime: "2027-01-01T10:00:00+01:00",
  waypoints: [{ name: "Bern", stop_duration_min: 75 }],
};
const PROBLEMS = [
  "QUOTE_NOT_FOUND",
  "FORBIDDEN",
  "MANUAL_CONFIRMATION_REQUIRED",
  "RATE_LIMITED",
  "UPSTREAM_UNAVAILABLE",
];

browserSuite("the quote card in the language that the host names", (browser) => {
  const hosted = (t: TestContext, options?: Parameters<typeof hostedCard>[3]) =>
    hostedCard(t, browser(), service, options);

  for (const language of ["de", "fr", "it"] as const) {
    test(`has no English word left in ${language}`, async (t) => {
      const english = englishWords(language);
      const { card, page, bridge, call, client } = await hosted(t, { context: { locale: `${language}-CH` } });
      const assertTranslated = async () => assertNoEnglish(await shownTexts(card), english);
      assertNoEnglish([await card.locator("#card").innerText()], english);
      await call("estimate_transfer_quote", RICH);
      await assertTranslated();
      await call("create_transfer_quote", RICH);
      await assertTranslated();
      await card.locator("#more").click();
      await card.locator("#conditions summary").click();
      const shown = (await card.locator("#card").innerText()).replace(/\s+/g, " ");
      for (const words of SAID[language]) assert.ok(shown.includes(words), `${shown} lacks ${words}`);
      assert.equal(await card.locator("[lang=en]").count(), 0);

      await card.locator(".vehicle button").first().click();
      await assertTranslated();
      for (const code of PROBLEMS) {
        const text = JSON.stringify({ code, detail: "For the assistant." });
        bridge.oncalltool = async () => ({ isError: true, content: [{ type: "text", text }] });
        await refused();
      }
      bridge.oncalltool = async () => {
        throw new Error("declined");
      };
      await refused();
      bridge.oncalltool = (params: Fields) => client.callTool(params);
      await card.locator("#back").click();
      await card.locator(".vehicle button").first().click();
      for (const isError of [true, false]) {
        bridge.onopenlink = async () => ({ isError });
        if (isError) await card.locator("#approve").click();
        else await card.locator("#open").click();
        await card.locator("#handoff").waitFor();
        await assertTranslated();
      }
      await page.clock.fastForward(26 * MINUTE);
      await assertTranslated();
      await page.clock.fastForward(4 * MINUTE);
      await card.locator("#problem").waitFor();
      await assertTranslated();
      await call("create_transfer_quote", { ...RICH, origin: "Qwxyz" });
      await assertTranslated();
      await bridge.sendToolResult({ content: [] });
      await assertTranslated();
      await bridge.sendToolCancelled({});
      await assertTranslated();

      async function refused(): Promise<void> {
        await card.locator("#back").click();
        await card.locator(".vehicle button").first().click();
        await card.locator("#approve").click();
        await card.locator("#refusal:not(:empty)").waitFor();
        await assertTranslated();
      }
    });
  }

  test("shows English marked as such where the operator translates nothing", async (t) => {
    const { call, client, bridge, card } = await hosted(t, { context: { locale: "de-CH" } });
    const { structuredContent } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    await call("create_transfer_quote", aQuoteRequest());
    const options = structuredContent.options.map((option: Fields) => ({
      ...option,
      vehicle_type: "Tram, e.g. yellow",
    }));
    await bridge.sendToolResult({ content: [], structuredContent: { ...structuredContent, options } });
    await card.getByText("Tram", { exact: true }).first().waitFor();
    // The name, and the example below it.
    assert.equal(await card.locator(".vehicle [lang=en]").count(), 2 * options.length);
  });

  test("names vehicle classes by their values, whatever the operator's labels contain", async (t) => {
    const prices = [
      { text: "CHF 15", classes: ["sedan", "estate"] },
      { text: "CHF 18", classes: ["van"] },
    ];
    const season = "Fair (van), sedan";
    const notices = [
      notice("WAITING", { prices, free_min: 15, step_min: 15 }),
      notice("SEASON", { season, classes: [{ classes: ["sedan"] }], percent: 10 }),
      notice("SPECIAL_ITEM", { items: [{ count: 2, text: "golf bags" }], text: "In a travel cover." }),
    ];
    for (const [locale, classes, fair, bags] of [
      [
        "en",
        /CHF 15 \(Sedan, Estate car\), CHF 18 \(Van\) for every/,
        /^Fair \(van\), sedan \(Sedan\): 10 % of/m,
        /^2 golf bags: /m,
      ],
      [
        "de",
        /CHF 15 \(Limousine, Kombi\), CHF 18 \(Van\)\./,
        /^Fair \(van\), sedan \(Limousine\): 10/m,
        /^2 Golftaschen: /m,
      ],
    ] as const) {
      const { call, client, bridge, card } = await hosted(t, { context: { locale } });
      const quoted = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
      await call("create_transfer_quote", aQuoteRequest());
      await bridge.sendToolResult({ ...quoted, _meta: { notices } });
      await card.locator("#conditions summary").click();
      await card.locator("#notes li").nth(2).waitFor();
      const notes = await card.locator("#notes").innerText();
      for (const said of [classes, fair, bags]) assert.match(notes, said);
    }
  });

  test("shows a name with signs of a replacement as it is", async (t) => {
    const { call, client, bridge, card } = await hosted(t);
    const { structuredContent } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    await call("create_transfer_quote", aQuoteRequest());
    const name = "Chez $& <b>Bond</b> $$";
    const notices = [{ code: "of_a_later_version", text: `Cars stop before ${name}.`, values: { name } }];
    await bridge.sendToolResult({ content: [], structuredContent, _meta: { notices } });
    await card.locator("#conditions summary").click();
    await card.locator("#notes li").first().waitFor();
    assert.equal(await card.locator("#notes").innerText(), `Cars stop before ${name}.`);
  });
});
