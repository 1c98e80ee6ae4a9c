import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, suite, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchChromium, whyNoChromium } from "../support/chromium.ts";
import { aService } from "../support/service.ts";
import { handoff } from "../support/traveler.ts";
import { wholeFile } from "../support/whole-file.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENS = [
  { width: 390, height: 844, colorScheme: "dark" },
  { width: 820, height: 1180, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
] as const;
/** Path of each page, and what has been rendered once it can be seen. */
const PAGES = [
  ["/", "h1"],
  ["/privacy", "table"],
  ["/support", "table"],
  ["/docs/errors", "table"],
  ["/docs/sandbox", "table"],
  ["/docs/errors/invalid_location", "pre"],
  ["/nothing", "h1"],
  ["/checkout", "#problem"],
  ["/docs", "text=Create a binding quote"],
  ["/docs#?route=post-/quotes", "text=pickup_datetime"],
  ["/docs#?route=auth", "text=HTTP Bearer"],
] as const;

const service = await aService(wholeFile);

suite("pages", { skip: whyNoChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const { colorScheme, ...viewport } of SCREENS) {
    test(`have no accessibility findings at ${viewport.width} pixels, ${colorScheme}`, async (t) => {
      const [{ url }] = await handoff(service);
      // axe runs inside the page, which allows no script but its own.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      t.after(() => context.close());
      for (const [path, rendered] of [...PAGES, [url, "#offer"] as const]) {
        const page = await context.newPage();
        await page.goto(new URL(path, service.publicUrl).href);
        await page.locator(rendered).filter({ visible: true }).first().waitFor();
        assert.deepEqual(await findings(page), [], path);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is too wide`);
        await page.close();
      }
    });
  }

  test("the reference calls this server with a pasted token, and nothing else, within its policy", async (t) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const origins = new Set<string>();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => origins.add(new URL(request.url()).origin));

    await page.goto(`${service.publicUrl}/docs#?route=auth`);
    await page
      .getByPlaceholder("JWT")
      .first()
      .fill(await service.token());
    await page.getByRole("button", { name: "SET" }).first().click();
    await page.getByText("Create a binding quote").first().click();
    const answered = page.waitForResponse((response) => response.url().endsWith("/quotes"));
    await page.getByRole("button", { name: "EXECUTE" }).filter({ visible: true }).first().click();
    const response = await answered;
    assert.deepEqual([response.request().method(), response.status()], ["POST", 201]);
    await page.getByRole("button", { name: "REQUEST" }).filter({ visible: true }).first().click();
    await page.getByText("curl", { exact: false }).filter({ visible: true }).first().waitFor();
    assert.deepEqual([...origins], [service.publicUrl]);
    assert.deepEqual(complaints, []);
  });
});

async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

interface Axe {
  run(): Promise<AxeResults>;
}
