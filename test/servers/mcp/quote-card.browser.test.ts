import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { example as service } from "../../support/browser-services.ts";
import { startBuiltServer } from "../../support/built-process.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest, aRealJourney } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aQuoteCard, HOSTS, type HostedCard, hostedCard } from "../../support/quote-card.ts";
import { wholeFile } from "../../support/whole-file.ts";

const MINUTE = 60_000;
const server = await startBuiltServer(wholeFile);

browserSuite("approving in the quote card", (browser) => {
  const hosted = (t: TestContext, options?: Parameters<typeof hostedCard>[3]) =>
    hostedCard(t, browser(), service, options);

  for (const host of Object.keys(HOSTS)) {
    test(`leads from a quote of the built server to an opened checkout, with ${host}`, async (t) => {
      const { card, call, text, opened, of, complaints, requests } = await aQuoteCard(t, browser(), server, { host });
      const waypoints = [{ name: "Grandma", lat: 47.352, lng: 7.908, stop_duration_min: 20 }];
      const quote = await call("create_transfer_quote", aRealJourney({ waypoints }));
      assert.equal(await text("h1"), "Zurich Airport → Bern");
      assert.match(
        await text("#trip"),
        / 12:00 – \d\d:\d\d 2 passengers · 2 bags · via Grandma near Olten Station \(20 min\) Free cancellation until /,
      );
      assert.match(await text("#left"), /^Price held until \d\d:\d\d · Swiss times$/);
      const [first] = [...quote.options].sort((a: Fields, b: Fields) => a.total_price - b.total_price);
      const shown = await text(".vehicle >> nth=0");
      const amount = `CHF ${first.total_price.toLocaleString("en-GB", { minimumFractionDigits: 2 })}`;
      const room = [`${first.passenger_capacity} seats`, `${first.luggage_capacity} bags`];
      for (const part of [amount, ...room]) assert.ok(shown.includes(part), `${shown} lacks ${part}`);
      assert.equal(await card.locator(".vehicle").count(), quote.options.length);
      assert.ok((await card.locator("#notes li").count()) > 3);
      assert.match(quote.limitations.join(" "), /\(First-class sedan\)/);
      await card.locator("#conditions summary").click();
      assert.match(await text("#notes"), /\(First-class sedan\)/, "travelers read names of classes, not their ids");

      await card.getByRole("button", { name: amount }).click();
      assert.equal(of("tools/call").length, 0, "nothing is created before the explicit yes");
      assert.match(
        await text("#approval"),
        new RegExp(
          `${first.vehicle_type.replace(", ", ".*")}.*${amount}.*Continuing opens the page of Example Transfers; nothing is`,
        ),
      );
      await card.getByRole("button", { name: `Continue with ${amount}` }).dblclick();
      await card.getByText("The checkout page opens").waitFor();
      const [{ params }, ...more] = of("tools/call");
      assert.deepEqual(more, []);
      const { idempotency_key, ...terms } = params.arguments;
      assert.deepEqual(terms, { quote_id: quote.quote_id, fleet_id: first.fleet_id, traveler_approval: true });
      assert.ok(idempotency_key.length > 10);
      assert.equal(opened.length, 1);
      assert.equal((await fetch(String(opened[0]))).status, 200);
      assert.equal(new URL(String(opened[0])).searchParams.get("fleet_id"), String(first.fleet_id));
      assert.match(
        of("ui/update-model-context")[0].params.content[0].text,
        new RegExp(`the traveler approved ${first.vehicle_type} .vehicle_class ${first.vehicle_class}, .* for CHF \\d`),
      );
      assert.deepEqual([complaints, requests], [[], []]);
    });
  }

  test("two cards of a quote get the same link", async (t) => {
    const links = [];
    const args = aQuoteRequest({ idempotency_key: "two-cards" });
    for (const host of Object.keys(HOSTS)) {
      const { card, call } = await hosted(t, { host });
      await call("create_transfer_quote", args);
      await approve(card);
      await card.locator("#handoff").waitFor();
      links.push(await card.locator("#link").inputValue());
    }
    assert.equal(new Set(links).size, 1);
    assert.match(String(links[0]), /^http/);
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

  test("shows what has expired, as the service says, whatever the device's clock shows", async (t) => {
    const { card, call, of } = await hosted(t);
    const quote = await call("create_transfer_quote", aQuoteRequest());
    service.clock.advance(31 * MINUTE);
    t.after(() => service.clock.advance(-31 * MINUTE));
    await approve(card);
    await card.getByText("This offer has expired").waitFor();
    assert.equal(of("ui/open-link").length, 0);
    const again = await hosted(t, { now: new Date(Date.parse(quote.expires_at) - 20 * MINUTE) });
    await again.call("get_transfer_quote", { quote_id: quote.quote_id });
    assert.match(await again.text("#problem"), /has expired/);
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

  test("tries again with the same key after a failure that passes", async (t) => {
    const { card, call, bridge, client, of } = await hosted(t);
    const texts = ["UPSTREAM_UNAVAILABLE: down", JSON.stringify({ code: "UPSTREAM_UNAVAILABLE", detail: "down" })];
    bridge.oncalltool = async () => ({ isError: true, content: texts.map((text) => ({ type: "text", text })) });
    await call("create_transfer_quote", aQuoteRequest());
    await approve(card);
    await card.getByText("does not answer at the moment").waitFor();
    bridge.oncalltool = (params: Fields) => client.callTool(params);
    await card.getByRole("button", { name: "Try again" }).click();
    await card.getByText("The checkout page opens").waitFor();
    const keys = of("tools/call").map(({ params }) => params.arguments.idempotency_key);
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
  });
});

async function approve(card: HostedCard["card"]): Promise<void> {
  await card.locator(".vehicle button").first().click();
  await card.locator("#approve").click();
}
