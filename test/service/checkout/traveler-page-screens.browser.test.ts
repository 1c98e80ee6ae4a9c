import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite } from "../../support/chromium.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

browserSuite("the traveler's page on every screen", (browser) => {
  test("fits a phone of 320 pixels and a wide screen, however long the names are", async (t) => {
    const phone = { viewport: { width: 320, height: 568 }, isMobile: false };
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser(), { phone });
    const [{ url }] = await handoff(service);
    const name = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(2);
    changeOffers((offer) => ({ ...offer, origin: name, vehicle_type: name, total_price: 123456.5 }));
    await open(url);
    await page.locator("#offer").waitFor();
    for (const viewport of [phone.viewport, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, viewport.width);
    }
  });

  test("shows the amount on a phone without scrolling, under headings in order", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    await open((await handoff(service))[0].url);
    const box = await page.locator("#amount").boundingBox();
    assert.ok(box && box.y + box.height < 740);
    assert.deepEqual(await page.locator("h1, h2").filter({ visible: true }).allTextContents(), [
      ...["Zurich Airport → Zermatt", "Journey", "Vehicle and price", "Details", "Price in detail"],
      ...["Good to know", "What happens next"],
    ]);
    assert.equal(await page.title(), "Zurich Airport → Zermatt – Example Transfers");
    assert.equal(await page.evaluate(shiftOf), 0, "what is shown does not move");
    const button = await page.locator(".actions > :first-child").boundingBox();
    assert.ok(button && button.y + button.height <= 844 + 1, "the first button is on the first screen");
    assert.equal(await page.getByRole("timer").textContent(), "", "no clock before the last five minutes");
  });

  test("prints an offer on one page of A4 and the fullest on two, in 10 points, unfolded, without what moves", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser(), { phone: { locale: "de-CH" } });
    for (const [journey, most] of [
      [{}, 1],
      [FULL_JOURNEY, 2],
    ] as const) {
      await open((await handoff(service, journey))[0].url);
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      assert.ok((pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0) <= most, JSON.stringify(journey));
    }
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#amount").isVisible(), true);
    assert.equal(await page.getByRole("timer").isVisible(), false);
    assert.equal(await page.locator("#until").isVisible(), false, "a time without its day");
    assert.equal(await page.locator("#notes li").first().isVisible(), true);
    assert.match(
      await text("print-head"),
      /^Angebot, keine Buchung – gültig bis Dienstag, 1\. Dezember 2026, 10:30 Uhr$/,
    );
    assert.match(await text("print-foot"), /^Gedruckt: .* Link: http:.*sig=/);
    const size = await page
      .locator("#amount + .note")
      .evaluate((note) => getComputedStyle(note.parentElement ?? note).fontSize);
    assert.ok(Number.parseFloat(size) >= 13.3, size);
  });
});

/** How far the page has moved what it had shown: Chromium's layout shift, which other browsers do not report. */
function shiftOf(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as readonly (PerformanceEntry & { readonly value?: number })[];
      resolve(shifts.reduce((sum, { value = 0 }) => sum + value, 0));
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(resolve, 500, 0);
  });
}
