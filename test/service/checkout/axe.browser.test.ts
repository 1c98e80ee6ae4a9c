import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Site } from "../../../rest-shim/site/about-pages.ts";
import { createSiteRouter } from "../../../rest-shim/site/site-router.ts";
import { anAxe, type Findings, hasSettled } from "../../support/axe.ts";
import { byPhone, example, online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { JOURNEY_STATES, type JourneyState } from "../../support/journey-states.ts";
import { until } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { LANGUAGES } from "../../support/page-texts.ts";
import { hostedCard } from "../../support/quote-card.ts";
import { API, handoff } from "../../support/traveler.ts";
import { settled, showInstead } from "../../support/traveler-page.ts";

const PHONE = { width: 390, height: 844 };
const SCREENS = [
  { ...PHONE, colorScheme: "dark" },
  { width: 1440, height: 900, colorScheme: "light" },
] as const;
const QUOTE_SECONDS = 30 * 60;
const PROBLEMS = {
  wrong: { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  busy: { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED" } },
  unavailable: { status: 503, json: { code: "UPSTREAM_UNAVAILABLE" } },
};
const STATES = Object.entries(JOURNEY_STATES);
/** The most that a chat shows of a card without scrolling. */
const HIGHEST = 480;
/** One operator is paid online, the other one called. */
const links = await Promise.all(
  STATES.map(async ([, { journey }], at) => (await handoff(at % 2 === 0 ? online : byPhone, journey))[0].url),
);
const documents = await htmlPages(online.publicUrl);
const [ofCode = ""] = documents.filter((path) => path.startsWith("/docs/errors/"));
/** The pages of error codes are made alike; a script renders the reference. */
const PAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(documents.filter((path) => !path.startsWith("/docs/errors/")).map((path) => [path, "h1"])),
  ...{ [ofCode]: "h1", "/nothing": "h1", "/docs": "text=curl", "/privacy?lang=fr": "html[lang=fr] h1" },
};

browserSuite("axe over every page and state", (browser) => {
  let page: Page;
  const elsewhere: string[] = [];
  before(async () => {
    // axe runs inside the page, which allows no script but its own.
    page = await browser().newPage({ viewport: PHONE, bypassCSP: true });
    page.on("request", (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (hostname !== "127.0.0.1" && protocol !== "data:") elsewhere.push(request.url());
    });
  });

  for (const [path, rendered] of Object.entries(PAGES))
    test(`${path} is no wider than a screen, loads nothing from elsewhere, and has no finding`, async () => {
      await page.goto(new URL(path, online.publicUrl).href);
      await page.locator(rendered).filter({ visible: true }).first().waitFor();
      const findings = await anAxe(page);
      for (const { colorScheme, ...viewport } of SCREENS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.locator("main > section").evaluateAll(hideRepeated);
        assert.deepEqual([await isTooWide(page), elsewhere], [false, []], colorScheme);
        await assertNoFinding(page, findings, colorScheme);
      }
    });

  test("the traveler's page has its button on the first screen in every state, and no finding", async () => {
    let state: JourneyState | undefined;
    await page.setViewportSize(PHONE);
    await page.route(API, async (route) => {
      const response = await route.fetch();
      const { change = (offer: Fields) => offer, secondsLeft = QUOTE_SECONDS } = state ?? {};
      const now = online.clock.now().getTime() + (QUOTE_SECONDS - secondsLeft) * 1000;
      const headers = { ...response.headers(), date: new Date(now).toUTCString() };
      await route.fulfill({ response, headers, json: change(await response.json()) });
    });
    let shown = "";
    let findings: Findings = async () => [];
    /** A document is only loaded for another language or service. */
    const open = async (url: string, language: string) => {
      const document = `${new URL(url).origin} ${language}`;
      if (document === shown) return showInstead(page, url);
      shown = document;
      await page.goto(`${url}&lang=${language}`);
      await settled(page);
      findings = await anAxe(page);
    };
    const order = [...STATES.keys()].sort((a, b) => (a % 4) - (b % 4));
    for (const at of order) {
      const [name, each] = STATES[at] ?? assert.fail();
      state = each;
      await page.emulateMedia({ colorScheme: at % 8 < 4 ? "light" : "dark" });
      await open(links[at] ?? "", LANGUAGES[at % 4] ?? "en");
      await assertButtonIsShown(page, name);
      await assertNoFinding(page, findings, name);
    }
    state = undefined;
    for (const [problem, answer] of Object.entries(PROBLEMS)) {
      await page.route(API, (route) => route.fulfill(answer), { times: 1 });
      await open(links[0] ?? "", "en");
      assert.ok(await page.locator("#problem").isVisible(), problem);
      await assertNoFinding(page, findings, problem);
    }
    assert.deepEqual(elsewhere, []);
  });

  test("the card fits in every state, has large targets and no finding", async (t) => {
    const options = { bypassCSP: true, context: { locale: "fr-CH" } };
    const { page, card, client, bridge } = await hostedCard(t, browser(), example, options);
    const findings = await anAxe(card);
    for (const [at, [name, { journey }]] of STATES.entries()) {
      const args = aQuoteRequest(journey);
      const result = await client.callTool({ name: "create_transfer_quote", arguments: args });
      const theme = at % 2 === 0 ? "dark" : "light";
      await page.setViewportSize({ width: at % 3 === 0 ? 320 : at % 3 === 1 ? 390 : 720, height: 700 });
      await bridge.sendHostContextChange({ theme });
      await card.locator(`html[style*="color-scheme: ${theme}"]`).waitFor();
      await bridge.sendToolInput({ arguments: args });
      await bridge.sendToolResult(result);
      await card.locator("#options .vehicle").first().waitFor();
      assert.deepEqual(await findings(), [], `${name}, ${theme}`);
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
      assert.deepEqual([small, isTooWide], [[], false], name);
      assert.ok(height > 0 && (at % 3 === 0 || height <= HIGHEST), `${name}: ${height} pixels`);
    }
  });
});

async function assertNoFinding(page: Page, findings: Findings, name: string): Promise<void> {
  await until(() => hasSettled(page), "all colors have changed");
  assert.deepEqual(await findings(), [], name);
}

function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}

/** Hides sections whose elements have the classes and tags of those in a section before it, as in the reference. */
function hideRepeated(sections: readonly Element[]): void {
  const shown = new Set<string>();
  for (const section of sections as readonly HTMLElement[]) {
    const kinds = [...section.querySelectorAll("*")].map((each) => {
      const parent = each.parentElement === section ? "" : `${each.parentElement?.localName}`;
      return `${parent} ${each.localName}.${each.className}[${each.getAttributeNames().sort()}]`;
    });
    section.hidden = kinds.every((kind) => shown.has(kind));
    for (const kind of kinds) shown.add(kind);
  }
}

async function assertButtonIsShown(page: Page, name: string): Promise<void> {
  const fault = await page.locator(".actions > :first-child").evaluate((button, { width, height }) => {
    if (document.documentElement.scrollWidth > innerWidth) return "too wide";
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const isInside = left >= 0 && right <= width && top >= 0 && bottom <= height && bottom - top >= 44;
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return isInside && found && button.contains(found) ? "" : `${top} to ${bottom}`;
  }, PHONE);
  assert.equal(fault, "", name);
}

/** Of the documents' router, those that are HTML and need no script. */
async function htmlPages(publicUrl: string): Promise<readonly string[]> {
  const { stack } = createSiteRouter({ sandbox: true, operator: { languages: ["en"] } } as unknown as Site);
  const paths = stack.flatMap(({ route }) => (route && route.path !== "/docs" ? [route.path] : []));
  const types = await Promise.all(
    paths.map(async (path) => (await fetch(publicUrl + path, { method: "HEAD" })).headers.get("content-type")),
  );
  return paths.filter((_path, at) => types[at]?.startsWith("text/html"));
}
