import assert from "node:assert/strict";
import { test } from "node:test";
import { anAxe, type Findings } from "../../support/axe.ts";
import { example as service } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { JOURNEY_STATES, timesIn, timesOfLeg } from "../../support/journey-states.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { hostedCard } from "../../support/quote-card.ts";

browserSuite("the quote card in every state", (browser) => {
  /** By state: the result has the texts of all languages. */
  const results = new Map<string, Fields>();

  for (const [index, locale] of ["en-GB", "de-CH", "fr-CH", "it-CH"].entries()) {
    test(`has times only where the car is, and no finding of axe, in ${locale}`, async (t) => {
      // axe runs inside the page, which allows no script but its own.
      const { card, client, bridge } = await hostedCard(t, browser(), service, {
        bypassCSP: true,
        context: { locale },
      });
      let findings: Findings | undefined;
      for (const [at, [name, { journey, apart }]] of Object.entries(JOURNEY_STATES).entries()) {
        const args = aQuoteRequest(journey);
        const result: Fields =
          results.get(name) ?? (await client.callTool({ name: "create_transfer_quote", arguments: args }));
        results.set(name, result);
        const theme = at % 4 === index ? "dark" : "light";
        await bridge.sendHostContextChange({ theme });
        await card.locator(`html[style*="color-scheme: ${theme}"]`).waitFor();
        await bridge.sendToolInput({ arguments: args });
        await bridge.sendToolResult(result);
        await card
          .locator("#journey li")
          .nth(result._meta.legs.length - 1)
          .waitFor({ state: "attached" });
        const legs: readonly Fields[] = result._meta.legs;
        const rows = await card.locator("#journey li").allTextContents();
        assert.deepEqual(rows.map(timesIn), legs.map(timesOfLeg), `${name}: ${rows.join(" | ")}`);
        assert.equal(rows.filter((row) => timesIn(row).length === 0).length, apart, name);
        assertHead(name, await card.locator("#trip .line").first().innerText(), legs);
        findings ??= await anAxe(card);
        assert.deepEqual(await findings(), [], `${name}, ${theme}`);
      }
    });
  }
});

/** In the head a time where the car waits elsewhere has the place beside it. */
function assertHead(name: string, line: string, legs: readonly Fields[]): void {
  for (const direction of ["outbound", "return"]) {
    const own = legs.filter((leg) => leg.direction === direction);
    const pickup = own.find(({ action }) => action === "pickup");
    const isElsewhere = pickup && pickup !== own[0];
    const [time] = pickup ? timesOfLeg(pickup) : [];
    if (isElsewhere) assert.match(line, new RegExp(`${time} (Täsch|Lauterbrunnen|.*Saas-Fee)`), name);
  }
}
