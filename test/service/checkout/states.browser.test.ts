import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import ICAL from "ical.js";
import type { Page } from "playwright-core";
import { anAxe, assertAccessible, type Findings } from "../../support/axe.ts";
import { byPhone, online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { JOURNEY_STATES, type JourneyState, timesIn, timesOfLeg } from "../../support/journey-states.ts";
import type { Fields } from "../../support/mcp-client.ts";
import type { TestService } from "../../support/service.ts";
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

/** One operator with a checkout of its own, and one whom the traveler calls. */
const OPERATORS = [
  ["paid online", online],
  ["by phone", byPhone],
] as const;
const STATES = Object.entries(JOURNEY_STATES);

/** In turns: what is checked of a page with one kind of button is the same with the other. */
function operatorAt(state: number, language: number): number {
  return (state + language + Math.floor(language / 2)) % OPERATORS.length;
}

browserSuite("the traveler's page in every state", (browser) => {
  let page: Page;
  let state: JourneyState | undefined;
  let legs: readonly Fields[] = [];
  let service: TestService = online;
  /** By operator, then by state. */
  let links: readonly (readonly string[])[] = [];

  before(async () => {
    // axe runs inside the page, which allows no script but its own.
    const context = await browser().newContext({ viewport: SCREEN, isMobile: true, hasTouch: true, bypassCSP: true });
    page = await context.newPage();
    await page.route(API, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const { change = (offer: Fields) => offer, secondsLeft = QUOTE_SECONDS } = state ?? {};
      legs = (body.expired_offer ?? body).legs ?? legs;
      const now = service.clock.now().getTime() + (QUOTE_SECONDS - secondsLeft) * 1000;
      const headers = { ...response.headers(), date: new Date(now).toUTCString() };
      await route.fulfill({ response, headers, json: response.ok() ? change(body) : body });
    });
    const linksOf = (from: TestService) => STATES.map(async ([, { journey }]) => (await handoff(from, journey))[0].url);
    links = await Promise.all(OPERATORS.map(([, from]) => Promise.all(linksOf(from))));
  });

  for (const [index, language] of LANGUAGES.entries()) {
    for (const [kind, [name, operator]] of OPERATORS.entries()) {
      test(`${language}, ${name}: button on the first screen, times only where the car is, no finding of axe`, async () => {
        service = operator;
        const shown = aDocument(language);
        for (const [at, [journey, each]] of STATES.entries()) {
          if (operatorAt(at, index) !== kind) continue;
          const where = `${journey}, ${language}`;
          state = each;
          await shown.open(links[kind]?.[at] ?? "");
          await assertButtonIsShown(where);
          await assertTimes(where, each.apart);
          if (operator === byPhone) assertMail(where, (await page.locator("#write").getAttribute("href")) ?? "");
          if (index === 0) await assertCalendar(where);
          await shown.assertAccessible(where);
          await assertTimesOnPaper(where, each.apart);
        }
        await assertExpired(language, shown);
        await shown.assertAccessible(`expired, ${language}`);
        for (const [problem, answer] of Object.entries(PROBLEMS)) {
          await page.route(API, (route) => route.fulfill(answer), { times: 1 });
          await shown.open(links[kind]?.[0] ?? "");
          assert.ok(await page.locator("#problem").isVisible(), problem);
          await shown.assertAccessible(`${problem}, ${language}`);
        }
      });
    }
  }

  async function assertExpired(language: string, { open }: ReturnType<typeof aDocument>): Promise<void> {
    state = undefined;
    const [{ url }] = await handoff(service, { origin: "Zermatt", destination: "Geneva Airport" });
    service.clock.advance(QUOTE_SECONDS * 1000);
    await open(url);
    service.clock.advance(-QUOTE_SECONDS * 1000);
    await assertTimes(`expired, ${language}`, 1);
    await assertTimesOnPaper(`expired, ${language}`, 1);
  }

  /** A document of one language, loaded once, in which one link after the other is shown. */
  function aDocument(language: string) {
    let isOpen = false;
    let findings: Findings | undefined;
    return {
      async open(url: string): Promise<void> {
        const link = `${url}&lang=${language}`;
        if (isOpen) return showInstead(page, link);
        isOpen = true;
        await page.goto(link);
        await settled(page);
      },
      async assertAccessible(name: string): Promise<void> {
        findings ??= await anAxe(page);
        await assertAccessible(page, findings, name);
      },
    };
  }

  async function assertButtonIsShown(name: string): Promise<void> {
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

  async function assertTimes(name: string, apart: number): Promise<void> {
    assert.equal(legs.filter((leg) => timesOfLeg(leg).length === 0).length, apart, name);
    const rows = await page.locator("#timeline li").allInnerTexts();
    assert.deepEqual(rows.map(timesIn), legs.map(timesOfLeg), `${name}: ${rows.join(" | ")}`);
  }

  async function assertTimesOnPaper(name: string, apart: number): Promise<void> {
    await page.emulateMedia({ media: "print" });
    await assertTimes(`${name}, on paper`, apart);
    await page.emulateMedia({ media: "screen" });
  }

  function assertMail(name: string, href: string): void {
    const [, ...blocks] = (new URL(href).searchParams.get("body") ?? "").split("\n\n");
    for (const [at, direction] of ["outbound", "return"].entries()) {
      const own = legs.filter((leg) => leg.direction === direction);
      if (own.length > 0) assertLines(`${name}, mail`, (blocks[at] ?? "").split("\n").slice(1), own);
    }
  }

  async function assertCalendar(name: string): Promise<void> {
    const started = page.waitForEvent("download");
    await page.locator("#calendar").click();
    const text = readFileSync(await (await started).path(), "utf8");
    const events = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents("vevent")
      .map((each) => new ICAL.Event(each));
    for (const [at, direction] of ["outbound", "return"].entries()) {
      const own = legs.filter((leg) => leg.direction === direction);
      if (own.length === 0) continue;
      const event = events[at];
      assert.ok(event, `${name}: no ${direction} in the calendar`);
      const lines = event.description.split("\n").filter((line) => !line.startsWith("– "));
      assertLines(`${name}, calendar`, lines.slice(-1 - own.length, -1), own);
      const pickup = own.find(({ action }) => action === "pickup");
      assert.equal(event.startDate.toJSDate().getTime(), Date.parse(pickup?.at), name);
    }
  }

  function assertLines(name: string, lines: readonly string[], own: readonly Fields[]): void {
    const rows = lines.filter((line) => !line.startsWith("– "));
    assert.deepEqual(rows.map(timesIn), own.map(timesOfLeg), `${name}: ${rows.join(" | ")}`);
  }
});
