import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { anAxe } from "../../support/axe.ts";
import { byPhone, example as service } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { hostedCard } from "../../support/quote-card.ts";
import { until } from "../../support/until.ts";

const SCREENS = [
  { width: 320, theme: "light" },
  { width: 390, theme: "dark" },
  { width: 720, theme: "light" },
  { width: 720, theme: "dark" },
] as const;
const MINUTE = 60_000;
/** A chat shows this much without scrolling. */
const HIGHEST = 480;
/** Requests by what they show, with what must be said without opening anything. */
const STATES: Readonly<Record<string, { readonly journey: Fields; readonly says: readonly RegExp[] }>> = {
  "one way": {
    journey: { destination: "Interlaken" },
    says: [
      /8 Dec 14:00 – 15:\d\d/,
      /Free cancellation until .*7 Dec 14:00/,
      /CHF \d+\.\d\d ›?/,
      /Price held until 10:30/,
    ],
  },
  "both ways": {
    journey: {
      ...{ passengers: 3, adults: 2, children: 1, luggage: 3, return_datetime: "2026-12-12T10:00:00+01:00" },
      waypoints: [{ name: "Bern", stop_duration_min: 30 }],
    },
    says: [
      /⇄ Zermatt/,
      / – 18:\d\d Täsch · back Sat,? 12 Dec 10:00/,
      /via Bern \(30 min\)/,
      /Täsch – Zermatt: Train, 12 min/,
    ],
  },
  "from a car-free place": {
    journey: { origin: "Zermatt", destination: "Geneva Airport" },
    says: [/8 Dec 14:00 Täsch – 16:\d\d [^T]/, /Zermatt – Täsch: Train, 12 min, every 20 min, not part of this price/],
  },
  hire: {
    journey: { booking_type: "hourly", duration_hours: 8, destination: undefined, origin: "Zurich" },
    says: [/8 Dec 14:00 – 22:00/, /8 h with driver, 200 km/, /^(?!.*\b0 km)/],
  },
  rehearsal: { journey: { destination: "Sandbox: pass avoided" }, says: [/Rehearsal: .* No car will come/] },
  "manual confirmation": {
    journey: { destination: "Sandbox: manual confirmation" },
    says: [/Rehearsal: /, /have to confirm this trip/, /\+41 00 000 00 00/],
  },
  "an unknown place": { journey: { origin: "Qwxyz" }, says: [/We cannot price a journey from “Qwxyz”/] },
  "a place of several": {
    journey: { destination: "Buchs" },
    says: [/Which place do you mean by “Buchs”\?/, /Buchs SG/],
  },
};

browserSuite("the quote card", (browser) => {
  const hosted = (t: TestContext, options?: Parameters<typeof hostedCard>[3]) =>
    hostedCard(t, browser(), service, options);

  test("counts down, warns, and ends with the offer", async (t) => {
    const { page, card, call, text } = await hosted(t);
    await call("create_transfer_quote", aQuoteRequest());
    assert.match(await text("#left"), /^Price held until \d\d:\d\d · Swiss times$/);
    await card.locator(".vehicle button").first().click();
    await page.clock.fastForward(26 * MINUTE);
    await card.locator("#back").click();
    assert.match(await text("#left"), /^Price held for [34] min \d+ s · Swiss times$/);
    await card.getByText("expires within 5 minutes").waitFor();
    await page.clock.fastForward(4 * MINUTE);
    await card.getByText("This offer has expired").waitFor();
    assert.equal(await card.getByRole("button").filter({ visible: true }).count(), 0);
    assert.equal(await card.locator("#terms").isVisible(), false);
  });

  test("shows the operator's logo, color and meeting point", async (t) => {
    const { card, call, text, complaints } = await hostedCard(t, browser(), byPhone, { showsPictures: true });
    await call("create_transfer_quote", aQuoteRequest({ origin: "GVA", destination: "Verbier" }));
    assert.match(await text("#terms"), /^Léman Cars · /);
    await card.locator("#terms img").evaluate((img: HTMLImageElement) => img.decode());
    assert.deepEqual(complaints, []);
    await card.locator("#conditions summary").click();
    assert.match(await text("#notes"), /Meeting point at Geneva Airport: Arrivals hall, at the exit of customs\./);
    await card.locator(".vehicle button").first().click();
    const button = card.locator("#approve");
    assert.deepEqual(
      await button.evaluate((each) => [getComputedStyle(each).backgroundColor, getComputedStyle(each).color]),
      ["rgb(122, 31, 61)", "rgb(255, 255, 255)"],
    );
  });

  test("shows an estimate without anything to approve", async (t) => {
    const { card, call, text, of } = await hosted(t);
    await call("estimate_transfer_quote", aQuoteRequest());
    assert.match(await text("#left"), /^Estimate, not a fixed price/);
    assert.ok((await card.locator(".vehicle").count()) > 3);
    assert.equal(await card.locator(".vehicle button").count(), 0);
    assert.equal(of("resources/read").length, 0);
  });

  test("marks what the operator must confirm, last and without a button", async (t) => {
    const { card, call } = await hosted(t);
    const quote = await call("create_transfer_quote", aQuoteRequest({ passengers: 14, luggage: 4 }));
    const manual = quote.options.filter((option: Fields) => option.requires_manual_confirmation);
    assert.ok(manual.length > 0 && manual.length < quote.options.length);
    const marked = card.locator(".vehicle", { hasText: "On request" });
    assert.equal(await marked.count(), manual.length);
    assert.equal(await marked.getByRole("button").count(), 0);
    assert.match(await card.locator(".vehicle").last().innerText(), /On request/);
  });

  test("says what a failed, a canceled and an unreadable request is, and reads a result from its text alone", async (t) => {
    const { call, client, bridge, text, card } = await hosted(t);
    await call("create_transfer_quote", aQuoteRequest({ origin: "Qwxyz" }));
    assert.equal(
      await text("#problem"),
      "No price for this request We cannot price a journey from “Qwxyz”. Name its town, resort, airport or station.",
    );
    for (const result of [
      { content: [] },
      { content: [{ type: "text", text: "soup" }] },
      { content: [], structuredContent: {} },
    ]) {
      await bridge.sendToolResult(result);
      await card.getByText("There is no quote to show").waitFor();
    }
    await bridge.sendToolCancelled({ reason: "timeout" });
    await card.getByText("The request was canceled").waitFor();
    // Some hosts leave out the structured content.
    const { content } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    await bridge.sendToolResult({ content });
    await card.locator(".vehicle").first().waitFor();
    assert.deepEqual(await bridge.teardownResource({}), {});
  });

  test("shows names as text, whatever they contain", async (t) => {
    const { client, bridge, card, text, complaints } = await hosted(t);
    const { structuredContent } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    const name = "<img src=x onerror=alert(1)>\u202Egro.elpmaxe";
    await bridge.sendToolInput({ arguments: { origin: name, destination: name } });
    const vehicle_type = `${name}, ${name}`;
    const options = structuredContent.options.map((option: Fields) => ({ ...option, vehicle_type }));
    const changed = {
      ...structuredContent,
      origin: name,
      waypoints: [{ name }],
      options,
      notices: [],
      limitations: [name],
    };
    await bridge.sendToolResult({ content: [], structuredContent: changed });
    await card.locator(".vehicle").first().waitFor();
    assert.equal(await card.locator("img[src=x]").count(), 0);
    assert.ok((await text("h1")).startsWith("<img"));
    assert.equal(await card.locator("h1 bdi").count(), 2);
    for (const place of ["h1", "#trip"]) {
      const isolated = (await card.locator(`${place} bdi`).allInnerTexts()).filter((text) => text === name);
      assert.ok(isolated.length > 0, `${place} does not isolate names`);
    }
    assert.deepEqual(complaints, []);
  });

  test("takes theme and variables of the host, now and when they change", async (t) => {
    const variables = { "--color-background-primary": "rgb(1, 2, 3)", "--font-sans": "Host Sans" };
    const context = {
      theme: "dark",
      styles: { variables, css: { fonts: "@import url(https://fonts.example/x.css)" } },
    };
    const { bridge, card, call, requests } = await hosted(t, { context });
    await call("create_transfer_quote", aQuoteRequest());
    const style = () =>
      card.evaluate(() => {
        const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
        return { backgroundColor, color, fontFamily, scheme: getComputedStyle(document.documentElement).colorScheme };
      });
    const dark = await style();
    assert.deepEqual([dark.backgroundColor, dark.fontFamily, dark.scheme], ["rgb(1, 2, 3)", '"Host Sans"', "dark"]);
    await bridge.sendHostContextChange({
      theme: "light",
      styles: { variables: { "--color-background-primary": "#fff" } },
    });
    await card.locator(`html[style*="color-scheme: light"]`).waitFor();
    const light = await style();
    assert.equal(light.backgroundColor, "rgb(255, 255, 255)");
    assert.notEqual(light.color, dark.color);
    assert.deepEqual(requests, []);
  });

  test("speaks the browser's language where the host names none that it has", async (t) => {
    const { card, call } = await hosted(t, { locale: "it-IT", context: { locale: "xx" } });
    await call("create_transfer_quote", aQuoteRequest());
    assert.equal(await card.locator("#conditions-title").innerText(), "Viaggio e condizioni (6)");
  });

  test("fits each screen, has large targets and no accessibility findings, in light and in dark", async (t) => {
    // axe runs inside the page, which allows no script but its own.
    const { page, card, call, of, bridge, client } = await hosted(t, { bypassCSP: true });
    const findings = await anAxe(card);
    await inspect("waiting", SCREENS.slice(0, 1));
    await call("create_transfer_quote", aQuoteRequest());
    await inspect("offer");
    await card.locator(".vehicle button").first().click();
    await inspect("approval");
    const busy = JSON.stringify({ code: "RATE_LIMITED" });
    bridge.oncalltool = async () => ({ isError: true, content: [{ type: "text", text: busy }] });
    await card.locator("#approve").click();
    await card.locator("#refusal:not(:empty)").waitFor();
    await inspect("refusal", SCREENS.slice(0, 2));
    bridge.oncalltool = (params: Fields) => client.callTool(params);
    await card.locator("#approve").click();
    await card.getByText("The checkout page opens").waitFor();
    await inspect("handoff");
    await bridge.sendToolCancelled({});
    await card.locator("#problem").waitFor();
    await inspect("problem", SCREENS.slice(1, 2));
    assert.ok(of("ui/notifications/size-changed").length > 5);

    async function inspect(what: string, screens: readonly (typeof SCREENS)[number][] = SCREENS) {
      for (const { width, theme } of screens) {
        const where = `${what} at ${width} pixels, ${theme}`;
        await page.setViewportSize({ width, height: 700 });
        await bridge.sendHostContextChange({ theme });
        await card.locator(`html[style*="color-scheme: ${theme}"]`).waitFor();
        assert.deepEqual(await findings(), [], where);
        const small = await card.evaluate(() =>
          [...document.querySelectorAll("button, input")].flatMap((target) => {
            const { width, height } = target.getBoundingClientRect();
            return width > 0 && (width < 44 || height < 44) ? [target.outerHTML] : [];
          }),
        );
        assert.deepEqual(small, [], where);
        assert.ok(await card.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: too wide`);
      }
    }
  });

  test("shows three vehicles, then all of them, and nothing scrolls inside", async (t) => {
    const { card, call, text } = await hosted(t);
    const quote = await call("create_transfer_quote", aQuoteRequest({ return_datetime: "2026-12-12T10:00:00+01:00" }));
    assert.equal(
      await text("#terms"),
      "Example Transfers · both ways, VAT included Price held until 10:30 · Swiss times",
    );
    const shown = card.locator(".vehicle").filter({ visible: true });
    assert.equal(await shown.count(), 3);
    await card.getByRole("button", { name: `${quote.options.length - 3} more vehicles` }).click();
    assert.equal(await shown.count(), quote.options.length);
    const scrolling = await card.evaluate(
      () =>
        [...document.querySelectorAll("#card, #card *")].filter(
          (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
        ).length,
    );
    assert.equal(scrolling, 0);
    await card.locator("#conditions summary").click();
    assert.match(await text("#cancellation"), /^Cancellation Free of charge until .* Cancellation of the return Free/);
    await card.locator(".vehicle button").first().click();
    assert.match(await text("#journey"), /14:00 Zurich Airport Pickup .* Return: /);
  });

  test("shows phone and reason first where the operator must confirm, without a countdown", async (t) => {
    const { card, call, text } = await hosted(t);
    await call("create_transfer_quote", aQuoteRequest({ destination: "Sandbox: manual confirmation" }));
    assert.equal(await text("#left"), "Swiss times");
    assert.equal(await card.getByRole("timer").count(), 0);
    assert.equal(await card.locator(".vehicle button").count(), 0);
    assert.match(await text("#banner"), /^Rehearsal: .* No car will come\.$/);
    const [first, second, ...more] = await card.locator("#reasons li").allTextContents();
    assert.match(first ?? "", /nearest road/);
    assert.match(second ?? "", /\+41 00 000 00 00.* have to confirm this trip/);
    assert.deepEqual(more, []);
    const [reasons, options] = await Promise.all(["#reasons", "#options"].map((id) => card.locator(id).boundingBox()));
    assert.ok(reasons && options && reasons.y < options.y, "the reason stands before the prices");
  });

  test("offers candidates as buttons and full screen where the host has them", async (t) => {
    const capabilities = { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} } };
    const context = { availableDisplayModes: ["inline", "fullscreen"] };
    const { card, bridge, of, call } = await hosted(t, { capabilities, context });
    bridge.onmessage = async () => ({});
    bridge.onrequestdisplaymode = async () => ({ mode: "fullscreen" });
    await call("create_transfer_quote", aQuoteRequest());
    assert.equal(await card.locator("#journey").isVisible(), false);
    await card.getByRole("button", { name: "Full screen" }).click();
    await card.locator("#journey").waitFor();
    assert.equal(await card.locator("#full, #more").filter({ visible: true }).count(), 0, "all of it is shown");
    await bridge.sendHostContextChange({ displayMode: "inline" });
    await card.getByRole("button", { name: "Full screen" }).waitFor();
    assert.equal(await card.locator("#journey").isVisible(), false);
    const field_errors = [{ field: "origin", message: "Which one?", candidates: ["Buchs SG", "Buchs AG"] }];
    const problem = { code: "INVALID_LOCATION", detail: "origin is ambiguous.", field_errors };
    await bridge.sendToolResult({ isError: true, content: [{ type: "text", text: JSON.stringify(problem) }] });
    await card.getByText("Which place do you mean by “Zurich Airport”?").waitFor();
    await card.getByRole("button", { name: "Buchs AG" }).click();
    await until(() => of("ui/message").length > 0, "the host has the message");
    assert.deepEqual(
      of("ui/request-display-mode").map(({ params }) => params),
      [{ mode: "fullscreen" }],
    );
    assert.deepEqual(
      of("ui/message").map(({ params }) => params.content[0].text),
      ["Buchs AG"],
    );
  });

  test(`is at most ${HIGHEST} pixels high between messages, with price, times and cancellation, on each width`, async (t) => {
    const capabilities = { openLinks: {}, serverTools: {}, message: { text: {} } };
    const context = { availableDisplayModes: ["inline", "fullscreen"] };
    const { page, card, call } = await hosted(t, { capabilities, context });
    for (const [what, { journey, says }] of Object.entries(STATES)) {
      await call("create_transfer_quote", aQuoteRequest(journey));
      await assertLow(what, says);
      const button = card.locator(".vehicle button").first();
      if ((await button.count()) === 0) continue;
      await button.click();
      await assertLow(`${what}, approval`);
      if (what !== "both ways") continue;
      await card.locator("#approve").click();
      await card.locator("#handoff").waitFor();
      await assertLow(`${what}, link`);
    }

    async function assertLow(what: string, says: readonly RegExp[] = []) {
      for (const width of [400, 560, 720]) {
        await page.setViewportSize({ width, height: 700 });
        // The frame has a process of its own, which is told its width later.
        await until(() => card.evaluate((wanted) => innerWidth === wanted, width), `the frame is ${width} pixels wide`);
        const [height, isTooWide, text] = await card.evaluate(() => {
          const shown = document.querySelector<HTMLElement>("#card");
          const { scrollWidth } = document.documentElement;
          return [
            shown?.getBoundingClientRect().height ?? 0,
            scrollWidth > innerWidth,
            shown?.innerText ?? "",
          ] as const;
        });
        assert.ok(height > 0 && height <= HIGHEST, `${what} at ${width} pixels: ${height} pixels`);
        assert.ok(!isTooWide, `${what} at ${width} pixels: too wide`);
        for (const said of says) assert.match(text.replace(/\s+/g, " "), said, `${what} at ${width} pixels`);
      }
    }
  });
});
