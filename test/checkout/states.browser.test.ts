import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import ICAL from "ical.js";
import type { Page } from "playwright-core";
import { anAxe, hasSettled } from "../support/axe.ts";
import { browserSuite } from "../support/chromium.ts";
import { aCompanyCatalog } from "../support/company-catalog.ts";
import { JOURNEY_STATES, type JourneyState, timesIn, timesOfLeg } from "../support/journey-states.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { API, handoff } from "../support/traveler.ts";
import { until } from "../support/until.ts";
import { wholeFile } from "../support/whole-file.ts";

const LANGUAGES = ["en", "de", "fr", "it"] as const;
const SCREEN = { width: 390, height: 844 };
const QUOTE_SECONDS = 30 * 60;
const PROBLEMS = {
  wrong: { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  busy: { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED" } },
  unavailable: { status: 503, json: { code: "UPSTREAM_UNAVAILABLE" } },
};

const limiter = aRateLimiter();
const CONTINUE = { TRANSFER_CHECKOUT_CONTINUE_URL: "https://pay.example/start" };
/** One operator with a checkout of his own, and one whom the traveler calls. */
const online = await aService(wholeFile, { limiter, env: CONTINUE });
const byPhone = await aService(wholeFile, { limiter, env: { TRANSFER_CATALOG_DIR: aCompanyCatalog(wholeFile) } });

browserSuite("the traveler's page in every state", (browser) => {
  let page: Page;
  let state: JourneyState | undefined;
  let legs: readonly Fields[] = [];
  let service = online;

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
  });

  for (const [at, [name, each]] of Object.entries(JOURNEY_STATES).entries()) {
    test(`${name}: button on the first screen, times only where the car is, and no finding of axe`, async () => {
      state = each;
      const links = await Promise.all([online, byPhone].map((from) => handoff(from, each.journey)));
      for (const [index, language] of LANGUAGES.entries()) {
        // In turns: what is checked of a page with one kind of button is the same with the other.
        const operator = (at + index) % 2;
        service = operator === 0 ? online : byPhone;
        await open(`${links[operator]?.[0].url}&lang=${language}`);
        await assertButtonIsShown(`${name}, ${language}`);
        await assertTimes(`${name}, ${language}`, each.apart);
        if (service === byPhone) assertMail(name, (await page.locator("#write").getAttribute("href")) ?? "");
        if (index === 0) await assertCalendar(name);
        if (at % LANGUAGES.length === index) await assertAccessible(`${name}, ${language}`);
      }
    });
  }

  for (const [name, answer] of Object.entries(PROBLEMS)) {
    test(`${name}: no finding of axe where there is no offer to pay`, async () => {
      service = online;
      const [{ url }] = await handoff(service);
      for (const language of LANGUAGES) {
        await page.route(API, (route) => route.fulfill(answer), { times: 1 });
        await open(`${url}&lang=${language}`);
        assert.ok(await page.locator("#problem").isVisible(), name);
        await assertAccessible(`${name}, ${language}`);
      }
    });
  }

  test("expired: times only where the car is, and no finding of axe", async () => {
    state = undefined;
    service = online;
    const [{ url }] = await handoff(service, { origin: "Zermatt", destination: "Geneva Airport" });
    service.clock.advance(QUOTE_SECONDS * 1000);
    for (const language of LANGUAGES) {
      await open(`${url}&lang=${language}`);
      await assertTimes(`expired, ${language}`, 1);
      await assertAccessible(`expired, ${language}`);
    }
  });

  async function open(url: string): Promise<void> {
    await page.goto(url);
    await page.locator("#offer, #problem").filter({ visible: true }).first().waitFor();
  }

  /** In both color schemes. An offer is judged in one of the languages, in turns: all have the same elements. */
  async function assertAccessible(name: string): Promise<void> {
    const findings = await anAxe(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await until(() => hasSettled(page), "all colors have changed");
      assert.deepEqual(await findings(), [], `${name}, ${colorScheme}`);
    }
  }

  async function assertButtonIsShown(name: string): Promise<void> {
    const covered = await page.locator(".actions > :first-child").evaluate((button, { width, height }) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const isInside = left >= 0 && right <= width && top >= 0 && bottom <= height && bottom - top >= 44;
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.2, 0.8].map((y) => [x, y] as const));
      const found = points.map(([x, y]) =>
        document.elementFromPoint(left + x * (right - left), top + y * (bottom - top)),
      );
      return isInside && found.every((each) => each && button.contains(each)) ? "" : `${top} to ${bottom}`;
    }, SCREEN);
    assert.equal(covered, "", name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: too wide`);
  }

  /** On the page and on paper, which has the same rows. */
  async function assertTimes(name: string, apart: number): Promise<void> {
    assert.equal(legs.filter((leg) => timesOfLeg(leg).length === 0).length, apart, name);
    for (const media of ["screen", "print"] as const) {
      await page.emulateMedia({ media });
      const rows = await page.locator("#timeline li").allInnerTexts();
      assert.deepEqual(rows.map(timesIn), legs.map(timesOfLeg), `${name}, ${media}: ${rows.join(" | ")}`);
    }
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
