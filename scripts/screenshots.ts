import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { packageRoot } from "../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog } from "../test/support/catalog-folder.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { aQuoteRequest } from "../test/support/journey-fixture.ts";
import { JOURNEY_STATES, type JourneyState } from "../test/support/journey-states.ts";
import { aQuoteCard } from "../test/support/quote-card.ts";
import { aRateLimiter } from "../test/support/rate-limiter.ts";
import { aService } from "../test/support/service.ts";
import { API, handoff } from "../test/support/traveler.ts";

/**
 * `npm run screenshots`: takes the pictures of the README and the listing anew, and in `screenshots`, which is not committed,
 * one of each state of page, card and documents to look at, from the service at its fixed clock.
 */
const FOLDER = join(packageRoot, "docs/images");
const STATES = join(packageRoot, "screenshots");
const LANGUAGES = ["en", "de", "fr", "it"];
const PHONE: BrowserContextOptions = { viewport: { width: 420, height: 860 }, deviceScaleFactor: 2, locale: "en-GB" };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 800 } };
const BOTH_WAYS = {
  ...{ passengers: 3, adults: 2, children: 1, luggage: 3, return_datetime: "2026-12-12T10:00:00+01:00" },
  waypoints: [{ name: "Bern", stop_duration_min: 30 }],
};
const SMALL: BrowserContextOptions = { viewport: { width: 390, height: 700 }, locale: "en-GB" };
const WIDE: BrowserContextOptions = { viewport: { width: 1920, height: 1080 } };
/** Answers of the service instead of an offer. */
const ANSWERS = {
  wrong: { status: 404, json: { code: "QUOTE_NOT_FOUND" } },
  busy: { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED" } },
  unavailable: { status: 503, json: { code: "UPSTREAM_UNAVAILABLE" } },
};
const JOURNEY = {
  destination: "Hotel Bahnhof, Zermatt",
  passengers: 4,
  luggage: 4,
  special_items: [{ kind: "skis", count: 4 }],
};

const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
/** An operator with a name and a checkout, instead of the packaged example, where nothing can be booked. */
const catalog = aCatalogFolder(t);
changeCatalog(catalog, "operator.json", (operator) => {
  operator.name = "Alpenblick Transfers";
});
const env = { TRANSFER_CATALOG_DIR: catalog, TRANSFER_CHECKOUT_CONTINUE_URL: "https://alpenblick.example/book" };
const service = await aService(t, { limiter: aRateLimiter(), env });
const browser = await launchChromium();
mkdirSync(STATES, { recursive: true });
try {
  const [{ url }] = await handoff(service, JOURNEY);
  for (const colorScheme of ["light", "dark"] as const) {
    const end = colorScheme === "dark" ? "-dark.png" : ".png";
    await take(`traveler-page${end}`, { ...PHONE, colorScheme }, (page) => openOffer(page, url));
    await takeCard(`quote-card${end}`, colorScheme);
  }
  // With the argument "readme", its pictures alone.
  if (!process.argv.includes("readme")) await takeStates(url);
} finally {
  for (const clean of cleanUps) await clean();
  await browser.close();
}

async function takeStates(url: string): Promise<void> {
  const icon = `${service.publicUrl}/favicon.svg`;
  const square = `<body style="margin:0"><img src="${icon}" width="512" height="512" style="display:block">`;
  await take("icon.png", { viewport: { width: 512, height: 512 } }, (page) => page.setContent(square));
  for (const [at, [name, { journey, ...seen }]] of Object.entries(JOURNEY_STATES).entries()) {
    const [offer] = await handoff(service, journey);
    for (const [turn, language] of LANGUAGES.entries()) {
      const colorScheme = (at + turn) % 2 === 0 ? "light" : "dark";
      const screen = { ...(turn === at % 4 ? DESKTOP : SMALL), colorScheme } as const;
      const link = `${offer.url}&lang=${language}`;
      const file = `states/page-${name.replaceAll(" ", "-")}-${language}.png`;
      await take(file, screen, (page) => openOffer(page, link, seen), true);
    }
  }
  await take("states/page-print.png", { viewport: { width: 733, height: 1062 } }, async (page) => {
    await openOffer(page, (await handoff(service, BOTH_WAYS))[0].url);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
  });
  for (const [name, answer] of Object.entries(ANSWERS)) {
    await take(`states/page-${name}.png`, SMALL, async (page) => {
      await page.route(API, (route) => route.fulfill(answer));
      await page.goto(url);
      await page.locator("#problem").waitFor();
    });
  }
  await takeCards();
  const [expired] = await handoff(service, BOTH_WAYS);
  service.clock.advance(31 * 60_000);
  await take("states/page-expired.png", SMALL, (page) => openOffer(page, expired.url), true);
  const dark = { ...DESKTOP, colorScheme: "dark", locale: "de-CH" } as const;
  await take("states/page-expired-desktop-de-dark.png", dark, (page) => openOffer(page, expired.url), true);
  for (const [name, path] of [
    ["front", "/"],
    ["error-codes", "/docs/errors"],
    ["error-code", "/docs/errors/invalid_location"],
    ["rehearsals", "/docs/sandbox"],
    ["privacy", "/privacy"],
    ["support", "/support"],
    ["not-found", "/nothing"],
  ] as const) {
    await take(`states/document-${name}.png`, SMALL, async (page) => void (await page.goto(service.publicUrl + path)));
  }
  const reference = async (page: Page) => void (await page.goto(`${service.publicUrl}/docs#createQuote`));
  await take("reference.png", DESKTOP, reference);
  await take("states/reference-wide.png", WIDE, reference);
  await take("states/reference-dark.png", { ...SMALL, colorScheme: "dark" }, reference);
  await take("states/reference-contents.png", SMALL, async (page) => {
    await reference(page);
    await page.getByRole("button", { name: "Contents and search" }).click();
  });
}

/** With the date of the fixed clock, so that the offer is open. */
async function openOffer(page: Page, url: string, { change, secondsLeft = 1800 }: Partial<JourneyState> = {}) {
  await page.route(API, async (route) => {
    const response = await route.fetch();
    const now = service.clock.now().getTime() + (1800 - secondsLeft) * 1000;
    const headers = { ...response.headers(), date: new Date(now).toUTCString() };
    const body = await response.json();
    await route.fulfill({ response, headers, json: change && response.ok() ? change(body) : body });
  });
  await page.goto(url);
  await page.locator("#offer, #problem").filter({ visible: true }).first().waitFor();
}

async function takeCard(name: string, theme: "light" | "dark"): Promise<void> {
  const site = { publicUrl: service.publicUrl, token: await service.token() };
  const context = { theme, availableDisplayModes: ["inline", "fullscreen"] };
  const screen = { viewport: { width: 480, height: 480 }, deviceScaleFactor: 2, now: service.clock.now() };
  const { page, card, call } = await aQuoteCard(t, browser, site, { ...screen, isSized: true, context });
  await call("create_transfer_quote", aQuoteRequest(JOURNEY));
  await page.waitForTimeout(500);
  const height = await card.evaluate(() => document.querySelector("#card")?.getBoundingClientRect().height ?? 480);
  await page.setViewportSize({ width: 480, height: Math.ceil(height) });
  await page.waitForTimeout(500);
  save(name, await page.screenshot());
}

async function takeCards(): Promise<void> {
  const site = { publicUrl: service.publicUrl, token: await service.token() };
  const wide = { viewport: { width: 720, height: 600 }, context: { theme: "dark", locale: "de-CH" } };
  for (const [name, journey, screen] of [
    ["offer", BOTH_WAYS, {}],
    ["offer-wide-de-dark", {}, wide],
    ["manual-confirmation", { destination: "Sandbox: manual confirmation" }, {}],
    ["error", { origin: "Qwxyz" }, {}],
    ["candidates", { destination: "St Moriz" }, { capabilities: { message: { text: {} } } }],
    ["approval", BOTH_WAYS, {}],
    ["handoff", {}, {}],
  ] as const) {
    const shown = { ...SMALL, now: service.clock.now(), isSized: true, ...screen };
    const { page, card, call } = await aQuoteCard(t, browser, site, shown);
    await call("create_transfer_quote", aQuoteRequest(journey));
    if (name === "approval" || name === "handoff") await card.locator(".vehicle button").first().click();
    if (name === "handoff") await card.locator("#approve").click();
    await page.waitForTimeout(1_000);
    // What a frame shows below the window is not painted.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
    await page.waitForTimeout(500);
    save(`states/card-${name}.png`, await page.screenshot({ fullPage: true }));
  }
}

async function take(
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
  fullPage = false,
): Promise<void> {
  const context = await browser.newContext({ colorScheme: "light", ...options });
  const page = await context.newPage();
  await show(page);
  save(name, await page.screenshot({ fullPage, omitBackground: true }));
  await context.close();
}

function save(name: string, picture: Buffer): void {
  const file = name.startsWith("states/") ? join(STATES, basename(name)) : join(FOLDER, name);
  writeFileSync(file, picture);
  process.stdout.write(`${relative(packageRoot, file)}\n`);
}
