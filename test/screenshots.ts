import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { packageRoot } from "../src/ops/package-root.ts";
import { launchChromium } from "./support/chromium.ts";
import { aQuoteRequest } from "./support/journey-fixture.ts";
import { aQuoteCard } from "./support/quote-card.ts";
import { aService } from "./support/service.ts";
import { API, handoff } from "./support/traveler.ts";

/** `npm run screenshots`: takes the pictures of the README and the listing anew, from the service at its fixed clock. */
const FOLDER = join(packageRoot, "docs/images");
const PHONE: BrowserContextOptions = { viewport: { width: 420, height: 860 }, deviceScaleFactor: 2, locale: "en-GB" };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 800 } };
const JOURNEY = {
  destination: "Hotel Bahnhof, Zermatt",
  passengers: 4,
  luggage: 4,
  special_items: [{ kind: "skis", count: 4 }],
};

const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
const service = await aService(t);
const browser = await launchChromium();
mkdirSync(FOLDER, { recursive: true });
try {
  const [{ url }] = await handoff(service, JOURNEY);
  await take("traveler-page.png", PHONE, async (page) => {
    await page.route(API, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), date: service.clock.now().toUTCString() };
      await route.fulfill({ response, headers });
    });
    await page.goto(url);
    await page.locator("#offer").waitFor();
  });
  const site = { publicUrl: service.publicUrl, token: await service.token() };
  const card = { viewport: { width: 480, height: 500 }, deviceScaleFactor: 2, now: service.clock.now() };
  const { page, call } = await aQuoteCard(t, browser, site, card);
  await call("create_transfer_quote", aQuoteRequest(JOURNEY));
  await page.waitForTimeout(1_000);
  save("quote-card.png", await page.screenshot());
  await take("reference.png", DESKTOP, async (page) => {
    await page.goto(`${service.publicUrl}/docs#?route=post-/quotes`);
    await page.locator("text=pickup_datetime").filter({ visible: true }).first().waitFor();
  });
} finally {
  for (const clean of cleanUps) await clean();
  await browser.close();
}

async function take(name: string, options: BrowserContextOptions, show: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ colorScheme: "light", ...options });
  const page = await context.newPage();
  await show(page);
  save(name, await page.screenshot());
  await context.close();
}

function save(name: string, picture: Buffer): void {
  writeFileSync(join(FOLDER, name), picture);
  process.stdout.write(`docs/images/${name}\n`);
}
