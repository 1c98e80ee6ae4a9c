import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, suite, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { createDocsRouter } from "../../rest-shim/docs.ts";
import type { ApiSite } from "../../rest-shim/openapi.ts";
import { ERROR_CODES } from "../../src/contract/errors.ts";
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
/** Paths of pages that a script renders, and what has been rendered once they can be seen. */
const RENDERED = [
  ["/checkout", "#problem"],
  ["/docs", "text=Create a binding quote"],
  ["/docs#?route=post-/quotes", "text=pickup_datetime"],
  ["/docs#?route=auth", "text=HTTP Bearer"],
] as const;
/** An offer with everything that the traveler's page can show. */
const RICH = {
  ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 1, waiting_minutes: 75 },
  special_items: [{ kind: "skis", count: 2 }],
  return_datetime: "2026-12-12T10:00:00+01:00",
  waypoints: [{ name: "Bern", stop_duration_min: 75 }],
};

const service = await aService(wholeFile, { env: { TRANSFER_CHECKOUT_CONTINUE_URL: "https://book.example/" } });
const documents = await htmlPages(service.publicUrl);

suite("pages", { skip: whyNoChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const [index, { colorScheme, ...viewport }] of SCREENS.entries()) {
    test(`have no accessibility findings and load nothing from elsewhere at ${viewport.width} pixels, ${colorScheme}`, async (t) => {
      const offers = [(await handoff(service))[0].url, (await handoff(service, RICH))[0].url] as const;
      // The pages of error codes are made alike: each is seen on one screen.
      const seen = documents.filter((path, at) => !path.startsWith("/docs/errors/") || at % SCREENS.length === index);
      const pages = [...[...seen, "/nothing"].map((path) => [path, "h1"] as const), ...RENDERED];
      // axe runs inside the page, which allows no script but its own.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      t.after(() => context.close());
      const elsewhere: string[] = [];
      context.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== service.publicUrl && protocol !== "data:") elsewhere.push(request.url());
      });
      await inspect([...pages, ...offers.map((url) => [url, "#offer"] as const)]);
      service.clock.advance(31 * 60_000);
      t.after(() => service.clock.advance(-31 * 60_000));
      await inspect([[offers[0], "#problem"]]);
      assert.deepEqual(elsewhere, []);

      async function inspect(all: readonly (readonly [path: string, rendered: string])[]): Promise<void> {
        for (const [path, rendered] of all) {
          const page = await context.newPage();
          await page.goto(new URL(path, service.publicUrl).href);
          await page.locator(rendered).filter({ visible: true }).first().waitFor();
          assert.deepEqual(await findings(page), [], path);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${path} is too wide`,
          );
          await page.close();
        }
      }
    });
  }

  test("are all that the server has", () => {
    for (const path of ["/", "/privacy", "/support", "/docs/errors", "/docs/sandbox"]) {
      assert.ok(documents.includes(path), path);
    }
    assert.equal(documents.filter((path) => path.startsWith("/docs/errors/")).length, ERROR_CODES.length);
  });

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

/** Of the documents' router, those that are HTML; a script renders the reference. */
async function htmlPages(publicUrl: string): Promise<readonly string[]> {
  const { stack } = createDocsRouter({ sandbox: true } as ApiSite);
  const paths = stack.flatMap(({ route }) => (route && route.path !== "/docs" ? [route.path] : []));
  const types = await Promise.all(
    paths.map(async (path) => (await fetch(publicUrl + path, { method: "HEAD" })).headers.get("content-type")),
  );
  return paths.filter((_path, at) => types[at]?.startsWith("text/html"));
}

async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

interface Axe {
  run(): Promise<AxeResults>;
}
