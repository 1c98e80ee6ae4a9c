import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { anAxe } from "../support/axe.ts";
import { browserSuite } from "../support/chromium.ts";
import { API, aTravelerAndService, handoff } from "../support/traveler.ts";

/** WCAG 2.2 AA, for text of normal size. */
const LEAST_CONTRAST = 4.5;

browserSuite("the traveler's page on every screen", (browser) => {
  test("fits a phone of 320 pixels and a wide screen, however long the names are", async (t) => {
    for (const viewport of [
      { width: 320, height: 568 },
      { width: 1280, height: 800 },
    ]) {
      const { service, page, open } = await aTravelerAndService(t, browser(), { phone: { viewport, isMobile: false } });
      const [{ url }] = await handoff(service);
      const name = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(2);
      await page.route(API, async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), date: service.clock.now().toUTCString() };
        const terms = { origin: name, vehicle_type: name, total_price: 123456.5 };
        await route.fulfill({ response, headers, json: { ...(await response.json()), ...terms } });
      });
      await open(url);
      await page.locator("#offer").waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, viewport.width);
    }
  });

  test("shows the amount on a phone without scrolling", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    await open((await handoff(service))[0].url);
    const box = await page.locator("#amount").boundingBox();
    assert.ok(box && box.y + box.height < 740);
  });

  test("has headings in order and a name for the page and its language", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    await open((await handoff(service))[0].url);
    const headings = page.locator("h1, h2").filter({ visible: true });
    assert.deepEqual(await headings.allTextContents(), [
      "Your transfer",
      "Journey",
      "Vehicle and price",
      "Details",
      "What happens next",
    ]);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.notEqual(await page.title(), "");
    assert.match((await page.getByRole("timer").textContent()) ?? "", /^\d+ min \d\d s$/);
  });

  test("prints a full offer on one page of A4, without what moves", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser(), { phone: { locale: "de-CH" } });
    const [{ url }] = await handoff(service, {
      ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 1, waiting_minutes: 75 },
      special_items: [{ kind: "skis", count: 2 }],
      return_datetime: "2026-12-12T10:00:00+01:00",
      waypoints: [{ name: "Bern", stop_duration_min: 75 }],
    });
    await open(url);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#amount").isVisible(), true);
    assert.equal(await page.getByRole("timer").isVisible(), false);
  });

  test("has no accessibility findings, with and without an offer", async (t) => {
    for (const phone of [
      { colorScheme: "light" },
      { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    ] as const) {
      // axe runs inside the page, which allows no script but its own.
      const traveler = await aTravelerAndService(t, browser(), { phone: { ...phone, bypassCSP: true } });
      const { service, page, open } = traveler;
      const [{ url }] = await handoff(service, { return_datetime: "2026-12-12T10:00:00+01:00" });
      await open(url);
      assert.deepEqual(await (await anAxe(page))(), []);
      service.clock.advance(31 * 60 * 1000);
      await open(url);
      assert.deepEqual(await (await anAxe(page))(), []);
    }
  });

  test("can be read in light and in dark", async (t) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { service, page, open } = await aTravelerAndService(t, browser(), { phone: { colorScheme } });
      const [{ url }] = await handoff(service);
      service.clock.advance(26 * 60 * 1000);
      await open(url);
      await page.locator("#left.soon").waitFor();
      await assertReadable(page, colorScheme);
      await page.route(API, (route) =>
        route.fulfill({ status: 429, headers: { "Retry-After": "600" }, json: { code: "RATE_LIMITED" } }),
      );
      await open(url);
      await page.getByRole("button", { disabled: true }).waitFor();
      await assertReadable(page, colorScheme);
    }
  });
});

async function assertReadable(page: Page, scheme: string): Promise<void> {
  const texts = await page
    .locator("body *")
    .filter({ visible: true })
    .evaluateAll((all) =>
      all
        .filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()))
        .map((element) => {
          let behind: Element | null = element;
          while (behind && getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") {
            behind = behind.parentElement;
          }
          const background = behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)";
          return { text: element.textContent ?? "", color: getComputedStyle(element).color, background };
        }),
    );
  assert.ok(texts.length > 5);
  for (const { text, color, background } of texts) {
    const ratio = contrast(color, background);
    assert.ok(ratio >= LEAST_CONTRAST, `${scheme}: "${text.trim()}" has ${ratio.toFixed(2)}`);
  }
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: string): number {
  const [r = 0, g = 0, b = 0] = (rgb.match(/[\d.]+/g) ?? []).map((channel) => {
    const share = Number(channel) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
