import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { anAxe, assertAccessible, type Findings } from "../../support/axe.ts";
import { byPhone, example, online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { JOURNEY_STATES, type JourneyState } from "../../support/journey-states.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { hostedCard } from "../../support/quote-card.ts";
import { API, handoff } from "../../support/traveler.ts";
import { settled, showInstead } from "../../support/traveler-page.ts";

const LANGUAGES = ["en", "de", "fr", "it"] as const;
const SCREEN = { width: 390, height: 844 };
const QUOTE_SECONDS = 30 * 60;
const PROBLEMS = {
  wrong: { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  busy: { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED" } },
  unavailable: { status: 503, json: { code: "UPSTREAM_UNAVAILABLE" } },
};
const STATES = Object.entries(JOURNEY_STATES);
/** The most that a chat shows of a card without scrolling. */
const HIGHEST = 480;

browserSuite("page and card in every state", (browser) => {
  let links: readonly string[] = [];
  /** One operator is paid online, the other one called. */
  const serviceAt = (at: number) => (at % 2 === 0 ? online : byPhone);

  before(async () => {
    links = await Promise.all(
      STATES.map(async ([, { journey }], at) => (await handoff(serviceAt(at), journey))[0].url),
    );
  });

  for (const [index, language] of LANGUAGES.entries())
    test(`the page has its button on the first screen and no finding of axe, in ${language}`, async (t) => {
      // axe runs inside the page, which allows no script but its own.
      const options = { viewport: SCREEN, isMobile: true, hasTouch: true, bypassCSP: true };
      const context = await browser().newContext({ ...options, colorScheme: index % 2 === 0 ? "light" : "dark" });
      t.after(() => context.close());
      const page = await context.newPage();
      let state: JourneyState | undefined;
      let origin = "";
      await page.route(API, async (route) => {
        const response = await route.fetch();
        const { change = (offer: Fields) => offer, secondsLeft = QUOTE_SECONDS } = state ?? {};
        const now = online.clock.now().getTime() + (QUOTE_SECONDS - secondsLeft) * 1000;
        const headers = { ...response.headers(), date: new Date(now).toUTCString() };
        const body = await response.json();
        await route.fulfill({ response, headers, json: response.ok() ? change(body) : body });
      });
      let findings: Findings | undefined;
      const open = async (url: string) => {
        const link = `${url}&lang=${language}`;
        if (origin === new URL(url).origin) return showInstead(page, link);
        origin = new URL(url).origin;
        findings = undefined;
        await page.goto(link);
        await settled(page);
      };
      const inspect = async (name: string) => {
        findings ??= await anAxe(page);
        await assertAccessible(page, findings, `${name}, ${language}`);
      };
      const order = [...STATES.keys()].sort((a, b) => (a % 2) - (b % 2));
      for (const at of order) {
        const [name, each] = STATES[at] ?? assert.fail();
        // Each language shows half of the states, so that all are shown in two.
        if ((at + index + (at >> 1)) % 2 === 1) continue;
        state = each;
        await open(links[at] ?? "");
        await assertButtonIsShown(page, `${name}, ${language}`);
        assert.equal(await page.locator("#timeline li .clock").count(), await rowsWithTime(page), name);
        if (isJudged(at, index)) await inspect(name);
      }
      state = undefined;
      for (const [at, [problem, answer]] of Object.entries(PROBLEMS).entries()) {
        if (at !== index) continue;
        await page.route(API, (route) => route.fulfill(answer), { times: 1 });
        await open(links[0] ?? "");
        assert.ok(await page.locator("#problem").isVisible(), problem);
        await inspect(problem);
      }
    });

  for (const [index, locale] of ["en-GB", "de-CH", "fr-CH", "it-CH"].entries())
    test(`the card fits, has large targets and no finding of axe, in ${locale}`, async (t) => {
      const options = { bypassCSP: true, context: { locale } };
      const { page, card, client, bridge } = await hostedCard(t, browser(), example, options);
      let findings: Findings | undefined;
      for (const [at, [name, { journey }]] of STATES.entries()) {
        if ((at + index + (at >> 1)) % 2 === 1) continue;
        const args = aQuoteRequest(journey);
        const result = await client.callTool({ name: "create_transfer_quote", arguments: args });
        const theme = at % 4 === index ? "dark" : "light";
        await page.setViewportSize({ width: at % 3 === 0 ? 320 : at % 3 === 1 ? 390 : 720, height: 700 });
        await bridge.sendHostContextChange({ theme });
        await card.locator(`html[style*="color-scheme: ${theme}"]`).waitFor();
        await bridge.sendToolInput({ arguments: args });
        await bridge.sendToolResult(result);
        await card.locator("#options .vehicle").first().waitFor();
        if (isJudged(at, index)) {
          findings ??= await anAxe(card);
          assert.deepEqual(await findings(), [], `${name}, ${theme}`);
        }
        // What has to be read before paying takes the room that it needs.
        const { height, isTooWide, small } = await card.evaluate(() => ({
          height: ["#card", "#decisive"]
            .map((id) => document.querySelector(id)?.getBoundingClientRect().height ?? 0)
            .reduce((all, own) => all - own),
          isTooWide: document.documentElement.scrollWidth > innerWidth,
          small: [...document.querySelectorAll("button, input, summary")].flatMap((target) => {
            const { width, height } = target.getBoundingClientRect();
            return width > 0 && (width < 44 || height < 44) ? [target.outerHTML] : [];
          }),
        }));
        assert.deepEqual(small, [], name);
        assert.equal(isTooWide, false, name);
        assert.ok(height > 0 && (at % 3 === 0 || height <= HIGHEST), `${name}: ${height} pixels`);
      }
    });
});

/** Of the two languages in which a state is shown, axe judges it in one: it reads the structure, which is the same. */
function isJudged(state: number, language: number): boolean {
  return (state >> 2) % 2 === language >> 1;
}

/** Rows where the car is: every one but those at a car-free place. */
function rowsWithTime(page: Page): Promise<number> {
  return page
    .locator("#timeline li")
    .evaluateAll(
      (rows) =>
        rows.filter((row) => !["leave", "visit", "arrive"].includes((row as HTMLElement).dataset.action ?? "")).length,
    );
}

async function assertButtonIsShown(page: Page, name: string): Promise<void> {
  const fault = await page.locator(".actions > :first-child").evaluate((button, { width, height }) => {
    if (document.documentElement.scrollWidth > innerWidth) return "too wide";
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const isInside = left >= 0 && right <= width && top >= 0 && bottom <= height && bottom - top >= 44;
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.2, 0.8].map((y) => [x, y] as const));
    const found = points.map(([x, y]) =>
      document.elementFromPoint(left + x * (right - left), top + y * (bottom - top)),
    );
    return isInside && found.every((each) => each && button.contains(each)) ? "" : `${top} to ${bottom}`;
  }, SCREEN);
  assert.equal(fault, "", name);
}
