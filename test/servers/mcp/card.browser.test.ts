import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { byPhone, example as service } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { until } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { HOSTS, type HostedCard, hostedCard } from "../../support/quote-card.ts";

const MINUTE = 60_000;

browserSuite("the quote card", (browser) => {
  const hosted = (t: TestContext, options?: Parameters<typeof hostedCard>[3]) =>
    hostedCard(t, browser(), service, options);
  const links: string[] = [];

  for (const host of Object.keys(HOSTS))
    test(`leads to an opened checkout after one explicit yes, the same in every card, with ${host}`, async (t) => {
      const { card, call, text, opened, of, complaints, requests } = await hosted(t, { host });
      const journey = {
        ...{ passengers: 4, adults: 2, children: 2, special_items: [{ kind: "child_seat", count: 2 }] },
        waypoints: [{ name: "Grandma", lat: 47.352, lng: 7.908, stop_duration_min: 20 }],
        idempotency_key: "two-cards",
      };
      const quote = await call("create_transfer_quote", aQuoteRequest(journey));
      assert.equal(await text("h1"), "Zurich Airport → Zermatt");
      assert.match(
        await text("#trip"),
        /, landing 14:00 · .* 4 passengers · 2 bags · 2 child seats · via Grandma near Olten Station \(20 min\) .*Free cancellation until /,
      );
      const [first] = [...quote.options].sort((a: Fields, b: Fields) => a.total_price - b.total_price);
      const shown = await text(".vehicle >> nth=0");
      const amount = `CHF ${first.total_price.toLocaleString("en-GB", { minimumFractionDigits: 2 })}`;
      for (const part of [amount, `${first.passenger_capacity} seats`, `${first.luggage_capacity} bags`])
        assert.ok(shown.includes(part), `${shown} lacks ${part}`);
      assert.equal(await card.locator(".vehicle").count(), quote.options.length);
      await card.locator("#conditions summary").click();
      assert.doesNotMatch(await text("#notes"), /The car stops at/, "the rows say so");

      await card.getByRole("button", { name: amount }).click();
      assert.equal(of("tools/call").length, 0, "nothing is created before the explicit yes");
      assert.match(
        await text("#approval"),
        new RegExp(
          `${first.vehicle_type.replace(", ", ".*")} 4 passengers · 2 bags · 2 child seats ${amount}.*Continuing opens the page of Example Transfers; nothing is`,
        ),
      );
      await card.getByRole("button", { name: `Continue with ${amount}` }).dblclick();
      await card.getByText("The checkout page opens").waitFor();
      const [{ params }, ...more] = of("tools/call");
      const { idempotency_key, ...terms } = params.arguments;
      assert.deepEqual(
        [terms, more],
        [{ quote_id: quote.quote_id, fleet_id: first.fleet_id, traveler_approval: true }, []],
      );
      assert.ok(idempotency_key.length > 10);
      assert.equal(opened.length, 1);
      links.push(String(opened[0]));
      assert.equal((await fetch(String(opened[0]))).status, 200);
      assert.match(
        of("ui/update-model-context")[0].params.content[0].text,
        new RegExp(`the traveler approved ${first.vehicle_type} .vehicle_class ${first.vehicle_class}, .* for CHF \\d`),
      );
      assert.deepEqual([complaints, requests, new Set(links).size], [[], [], 1]);
    });

  test("shows the link to copy where the host does not open it", async (t) => {
    const { card, call, bridge, text } = await hosted(t);
    bridge.onopenlink = async () => ({ isError: true });
    await call("create_transfer_quote", aQuoteRequest());
    await approve(card);
    await card.getByText("Your app did not open the link").waitFor();
    await card.getByRole("button", { name: "Copy" }).click();
    assert.match(await card.getByRole("textbox", { name: "Checkout link" }).inputValue(), /\/checkout\?quote_id=/);
    assert.equal(await text("#copy"), "Copied");
    await card.getByRole("button", { name: "Other vehicle" }).click();
    assert.equal(await card.locator("#offer").isVisible(), true);
  });

  test("opens no link that arrives after the traveler went back", async (t) => {
    const { card, call, bridge, client, opened } = await hosted(t);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    bridge.oncalltool = async (params: Fields) => {
      await held;
      return client.callTool(params);
    };
    await call("create_transfer_quote", aQuoteRequest());
    await approve(card);
    await card.getByRole("button", { name: "Back" }).click();
    answer();
    await call("create_transfer_quote", aQuoteRequest({ destination: "Davos" }));
    await card.locator(".vehicle button").first().click();
    await card.getByRole("button", { name: /^Continue with/ }).waitFor();
    assert.deepEqual([opened, await card.locator("#handoff").isVisible()], [[], false]);
  });

  test("shows what has expired, as the service says, whatever the device's clock shows", async (t) => {
    const { card, call, of } = await hosted(t);
    await call("create_transfer_quote", aQuoteRequest());
    service.clock.advance(31 * MINUTE);
    t.after(() => service.clock.advance(-31 * MINUTE));
    await approve(card);
    await card.getByText("This offer has expired").waitFor();
    assert.equal(of("ui/open-link").length, 0);
  });

  test("says in plain words why there is no link", async (t) => {
    const narrow = await hosted(t, { scopes: ["discovery", "quote:create", "quote:read-own"] });
    const withoutTools = await hosted(t, { capabilities: {} });
    for (const { call } of [narrow, withoutTools]) await call("create_transfer_quote", aQuoteRequest());
    await refused(narrow, "not signed in for checkouts");
    narrow.bridge.oncalltool = async () => {
      throw new Error("The user declined");
    };
    await refused(narrow, "Tell your assistant that you approve");
    await refused(withoutTools, "Tell your assistant that you approve");
  });

  async function refused({ card }: HostedCard, words: string): Promise<void> {
    await approve(card);
    await card.getByRole("alert").getByText(words).waitFor();
    assert.equal(await card.locator("#approve").isVisible(), false);
    await card.getByRole("button", { name: "Back" }).click();
    assert.equal(await card.locator("#offer").isVisible(), true);
  }

  test("tries again with the same key after a failure that passes, and its offer ends in time", async (t) => {
    const { page, card, call, bridge, client, of, text } = await hosted(t);
    const texts = ["UPSTREAM_UNAVAILABLE: down", JSON.stringify({ code: "UPSTREAM_UNAVAILABLE", detail: "down" })];
    bridge.oncalltool = async () => ({ isError: true, content: texts.map((text) => ({ type: "text", text })) });
    await call("create_transfer_quote", aQuoteRequest());
    await approve(card);
    await card.getByText("does not answer at the moment").waitFor();
    bridge.oncalltool = (params: Fields) => client.callTool(params);
    await card.getByRole("button", { name: "Try again" }).click();
    await card.getByText("The checkout page opens").waitFor();
    const keys = of("tools/call").map(({ params }) => params.arguments.idempotency_key);
    assert.deepEqual([keys.length, keys[0]], [2, keys[1]]);

    await call("create_transfer_quote", aQuoteRequest({ destination: "Davos" }));
    assert.match(await text("#left"), /^Price held for (30|29) min$/);
    await page.clock.fastForward(26 * MINUTE);
    assert.match(await text("#left"), /^Price held for [34] min \d+ s$/);
    await card.getByText("expires within 5 minutes").waitFor();
    await page.clock.fastForward(4 * MINUTE);
    await card.getByText("This offer has expired").waitFor();
    assert.equal(await card.getByRole("button").filter({ visible: true }).count(), 0);
  });

  test("has nothing to approve where the operator must confirm, and in an estimate", async (t) => {
    const { card, call, text } = await hosted(t);
    await call("create_transfer_quote", aQuoteRequest({ destination: "Sandbox: manual confirmation" }));
    assert.match(await text("#banner"), /^Rehearsal: .* No car will come\.$/);
    assert.match(await text("#reasons"), /nearest road.*\+41 00 000 00 00.* have to confirm this trip/);
    assert.equal(await card.locator(".vehicle button").count(), 0);
    await call("estimate_transfer_quote", aQuoteRequest());
    assert.match(await text("#left"), /^Estimate, not a fixed price/);
    assert.equal(await card.locator(".vehicle button").count(), 0);
  });

  test("says what a failed, a canceled and an unreadable request is, offers candidates, and reads a result from its text alone", async (t) => {
    const capabilities = { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} } };
    const { call, client, bridge, text, card, of } = await hosted(t, { capabilities });
    bridge.onmessage = async () => ({});
    await call("create_transfer_quote", aQuoteRequest({ destination: "Buchs" }));
    assert.match(await text("#problem"), /Which place do you mean by “Buchs”\?/);
    await card.getByRole("button", { name: "Buchs SG" }).click();
    await until(() => of("ui/message").length > 0, "the host has the message");
    for (const result of [{ content: [] }, { content: [{ type: "text", text: "soup" }] }]) {
      await bridge.sendToolResult(result);
      await card.getByText("There is no quote to show").waitFor();
    }
    await bridge.sendToolCancelled({ reason: "timeout" });
    await card.getByText("The request was canceled").waitFor();
    const { content } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    await bridge.sendToolResult({ content });
    await card.locator(".vehicle").first().waitFor();
    assert.match((await card.locator("#notes").textContent()) ?? "", /./, "the limitations stand in for the notices");
    assert.deepEqual(await bridge.teardownResource({}), {});
  });

  test("shows names as text, whatever they contain", async (t) => {
    const { client, bridge, card, text, complaints } = await hosted(t);
    const { structuredContent } = await client.callTool({ name: "create_transfer_quote", arguments: aQuoteRequest() });
    const name = "<img src=x onerror=alert(1)>\u202Egro.elpmaxe";
    await bridge.sendToolInput({ arguments: { origin: name, destination: name } });
    const vehicle_type = `${name}, ${name}`;
    const options = structuredContent.options.map((option: Fields) => ({ ...option, vehicle_type }));
    const changed = { ...structuredContent, origin: name, waypoints: [{ name }], options, limitations: [name] };
    await bridge.sendToolResult({ content: [], structuredContent: changed });
    await card.locator(".vehicle").first().waitFor();
    assert.equal(await card.locator("img[src=x]").count(), 0);
    assert.ok((await text("h1")).startsWith("<img"));
    for (const place of ["h1", "#trip"])
      assert.ok((await card.locator(`${place} bdi`).allInnerTexts()).includes(name), `${place} does not isolate names`);
    assert.deepEqual(complaints, []);
  });

  test("takes theme, variables, language and full screen of the host, and no logo where it shows no pictures", async (t) => {
    const variables = { "--color-background-primary": "rgb(1, 2, 3)", "--font-sans": "Host Sans" };
    const modes = { availableDisplayModes: ["inline", "fullscreen"] };
    const context = { theme: "dark", locale: "it-CH", styles: { variables }, ...modes };
    const { bridge, card, call, text, requests } = await hostedCard(t, browser(), byPhone, { context });
    bridge.onrequestdisplaymode = async () => ({ mode: "fullscreen" });
    await call("create_transfer_quote", aQuoteRequest({ origin: "GVA", destination: "Verbier" }));
    const style = await card.evaluate(() => {
      const { backgroundColor, fontFamily } = getComputedStyle(document.body);
      return [backgroundColor, fontFamily, getComputedStyle(document.documentElement).colorScheme];
    });
    assert.deepEqual(style, ["rgb(1, 2, 3)", '"Host Sans", sans-serif', "dark"]);
    assert.match(await text("#terms"), /^Léman Cars · IVA inclusa/);
    await card.locator("#terms img").waitFor({ state: "detached" });
    await bridge.sendHostContextChange({ theme: "light" });
    await card.locator(`html[style*="color-scheme: light"]`).waitFor();
    assert.equal(await card.locator("#journey").isVisible(), false);
    await card.locator("#full").click();
    await card.locator("#journey").waitFor();
    assert.equal(await card.locator("#full, #more").filter({ visible: true }).count(), 0);
    await card.locator(".vehicle button").first().click();
    const button = card.locator("#approve");
    assert.equal(await button.evaluate((each) => getComputedStyle(each).backgroundColor), "rgb(122, 31, 61)");
    assert.deepEqual(requests, []);
  });
});

async function approve(card: HostedCard["card"]): Promise<void> {
  await card.locator(".vehicle button").first().click();
  await card.locator("#approve").click();
}
