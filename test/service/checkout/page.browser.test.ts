import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ICAL from "ical.js";
import { byPhone, CONTINUE_URL, online } from "../../support/browser-services.ts";
import { aCatalogWithBudgets } from "../../support/catalog-folder.ts";
import { browserSuite } from "../../support/chromium.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { aService } from "../../support/service.ts";
import { API, handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

const DAY = 24 * 60 * 60 * 1000;
const OFFER = ["offer", "journey", "particulars", "next"];

browserSuite("the traveler's page", (browser) => {
  test("shows abroad what was agreed, by whom to book it, and takes it into the calendar, in the traveler's language", async (t) => {
    const traveler = await aTravelerAndService(t, browser(), { service: byPhone });
    const { service, page, open, text, sections, complaints, requests } = traveler;
    const [{ url, totalPrice, vehicleType }] = await handoff(service, {
      ...{ origin: "GVA", destination: "Verbier", return_datetime: "2026-12-12T10:00:00+01:00" },
    });
    await open(url);
    assert.deepEqual(await sections(), OFFER);
    assert.equal(await text("title"), "Geneva Airport ⇄ Verbier");
    assert.match(
      await text("when"),
      /^Tue,? 8 Dec, landing 14:00 · arrival \d\d:\d\d – \d\d:\d\d · back Sat,? 12 Dec 10:00$/,
    );
    assert.equal(Number((await text("amount")).replace(/[^\d.]/g, "")), totalPrice);
    assert.equal(await text("vehicle"), vehicleType);
    // The browser is in New York, and the service's clock years from the machine's.
    assert.match(await text("left"), /^Price held for (30|29) min$/);
    assert.match(await text("promises"), /Meeting point: Arrivals hall, at the exit of customs\./);
    assert.match(await text("timeline"), /14:00 Geneva Airport Landing, the driver waits free until 15:00 GVA Car, /);
    assert.equal(await page.locator("#call").getAttribute("href"), "tel:+41227177111");
    assert.equal(await page.locator("#call").innerText(), "Call");
    const mail = new URL((await page.locator("#write").getAttribute("href")) ?? "");
    assert.equal(mail.pathname, "bookings@leman.test");
    assert.match(mail.searchParams.get("body") ?? "", /^Hello.*Reference \w{6}\n/s);
    assert.equal(await page.locator("form, input, select, textarea, iframe, [contenteditable]").count(), 0);

    const started = page.waitForEvent("download");
    await page.locator("#calendar").click();
    const download = await started;
    assert.equal(download.suggestedFilename(), "transfer-2026-12-08.ics");
    const calendar = new ICAL.Component(ICAL.parse(readFileSync(await download.path(), "utf8")));
    const events = calendar.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
    assert.deepEqual(
      events.map(({ summary }) => summary),
      [
        "Transfer Geneva Airport – Verbier (offer, not booked)",
        "Transfer Verbier – Geneva Airport (offer, not booked)",
      ],
    );
    assert.doesNotMatch(events.map(({ description }) => description).join(), /sig=/);

    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Flughafen Genf ⇄ Verbier" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(await page.locator("[aria-current]").innerText(), "DE");
    assert.deepEqual([...new Set(requests.map(({ origin }) => origin))], [new URL(url).origin]);
    assert.deepEqual(complaints, []);
  });

  test("leads on to the operator's page with what the link holds", async (t) => {
    const { service, page, open, complaints } = await aTravelerAndService(t, browser(), { service: online });
    const [, { url } = assert.fail()] = await handoff(service, {}, 2);
    await open(url);
    assert.equal(await page.locator("#actions a").count(), 1);
    const visited = new Promise<{ url: string; referrer: string | undefined }>((resolve) => {
      page.route("https://pay.example/**", async (route) => {
        resolve({ url: route.request().url(), referrer: (await route.request().allHeaders()).referer });
        await route.fulfill({ contentType: "text/html", body: "<h1>Pay here</h1>" });
      });
    });
    await page.getByRole("link", { name: "Continue to booking" }).click();
    const { searchParams } = new URL(url);
    assert.deepEqual(await visited, { url: `${CONTINUE_URL}&${searchParams}`, referrer: undefined });
    assert.deepEqual(complaints, []);
  });

  test("shows the button of the packaged example disabled, as a demo", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    await open((await handoff(service))[0].url);
    const demo = page.getByRole("link", { name: "Book with Example Transfers – demo" });
    assert.equal(await demo.getAttribute("aria-disabled"), "true");
    assert.equal(await demo.getAttribute("href"), null);
    for (const id of ["book-step", "available"]) assert.equal(await page.locator(`#${id}`).isVisible(), false);
  });

  test("counts down by the service's clock, and ends with what the assistant needs to ask again", async (t) => {
    const traveler = await aTravelerAndService(t, browser(), { hasClock: true });
    const { service, page, open, text, sections, problem } = traveler;
    await page.clock.pauseAt(Date.now() + DAY);
    await open((await handoff(service, FULL_JOURNEY))[0].url);
    await page.clock.runFor("26:00");
    assert.match(await text("left"), /^Price held for 3 min 5\d s$/);
    assert.equal(await text("status"), "This offer expires within 5 minutes.");
    await page.clock.runFor("04:00");
    assert.match((await problem.textContent()) ?? "", /This offer has expired.*Ask your assistant for a new quote/s);
    assert.deepEqual(await sections(), ["problem", "journey"]);
    assert.match(await text("expired-price"), /^Expired price CHF/);
    assert.match(await text("again"), /new offer for this transfer: .* price was CHF\s[\d,.]+\.$/);
    assert.match(await page.title(), /expired/);
  });

  test("shows the offer as expired on a phone that wakes later", async (t) => {
    const { service, page, open, problem } = await aTravelerAndService(t, browser(), { hasClock: true });
    await open((await handoff(service))[0].url);
    await page.clock.fastForward("40:00");
    await problem.getByText("This offer has expired").waitFor();
  });

  test("distinguishes an expired link from an invalid or incomplete one", async (t) => {
    const traveler = await aTravelerAndService(t, browser());
    const { service, page, open, showInstead, problem, sections, requests, text } = traveler;
    const [{ url }] = await handoff(service);
    const changed = (change: (link: URL) => void) => {
      const link = new URL(url);
      change(link);
      return link.href;
    };
    for (const name of ["quote_id", "fleet_id", "sig"])
      await assertWrong(
        open,
        changed(({ searchParams }) => searchParams.delete(name)),
      );
    assert.equal(requests.filter(({ pathname }) => pathname.startsWith("/api/")).length, 0, "nothing is asked");
    await assertWrong(
      open,
      changed(({ searchParams }) => searchParams.set("sig", "A".repeat(43))),
    );
    for (const link of [changed(({ searchParams }) => searchParams.set("fleet_id", "2")), url.slice(0, -5)])
      await assertWrong(showInstead, link);

    service.clock.advance(30 * 60 * 1000);
    t.after(() => service.clock.advance(-30 * 60 * 1000));
    await showInstead(url);
    assert.deepEqual(await sections(), ["problem", "journey"]);
    assert.equal(await text("reference"), "");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the text" }).click();
    await page.getByRole("status").getByText("The text is copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#again").textContent());

    async function assertWrong(show: (link: string) => Promise<void>, link: string): Promise<void> {
      await show(link);
      assert.match((await problem.textContent()) ?? "", /This link is wrong or incomplete.*exactly as you got it/s);
      assert.deepEqual(await sections(), ["problem"]);
      assert.equal(await page.getByRole("button").count(), 0);
    }
  });

  test("shows the offer once a retry succeeds", async (t) => {
    const { service, page, open, showInstead, problem, sections } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    await open(url);
    const faults = [
      { status: 503, contentType: "application/problem+json", body: '{"code":"UPSTREAM_UNAVAILABLE"}' },
      { status: 200, contentType: "text/html", body: "<h1>Welcome to the hotel's network</h1>" },
      { status: 200, contentType: "application/json", body: "{}" },
    ];
    for (const fault of faults) {
      await page.route(API, (route) => route.fulfill(fault), { times: 1 });
      await showInstead(url);
      assert.match((await problem.textContent()) ?? "", /does not answer at the moment/);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator("#offer").waitFor();
      assert.deepEqual(await sections(), OFFER);
    }
    await page.unrouteAll();
    await page.context().setOffline(true);
    await showInstead(url);
    await problem.getByText("Check your internet connection").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("#problem").waitFor({ state: "hidden" });
  });

  test("waits for Retry-After before a retry", async (t) => {
    const catalog = aCatalogWithBudgets(t, { quote_read: { points: 1, seconds: 600 } });
    const limited = await aService(t, { env: { TRANSFER_CATALOG_DIR: catalog } });
    const traveler = await aTravelerAndService(t, browser(), { service: limited, hasClock: true });
    const { service, page, open, problem, requests } = traveler;
    const [{ url }] = await handoff(service);
    await page.clock.pauseAt(Date.now() + DAY);
    await open(url);
    await page.locator("#offer").waitFor();
    const refused = page.waitForResponse(API);
    await open(url);
    const seconds = Number((await refused).headers()["retry-after"]);
    assert.ok(seconds > 60);
    assert.match((await problem.textContent()) ?? "", /Your link is still valid/);
    const button = page.getByRole("button");
    await page.clock.runFor(seconds * 1000 - 1);
    assert.equal(await button.textContent(), "Try again in 1 s");
    assert.equal(await button.isEnabled(), false);
    await page.clock.runFor(2);
    const before = requests.length;
    const again = page.waitForResponse(API);
    await button.click();
    assert.equal((await again).status(), 429);
    assert.equal(requests.length, before + 1);
  });

  test("renders markup in names as text, and explains that it needs JavaScript", async (t) => {
    const { service, page, open, text, complaints, changeOffers } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    const name = "<img src=x onerror=alert(1)><b>Bern</b>";
    changeOffers((offer) => ({ ...offer, origin: name, vehicle_type: name }));
    await open(url);
    assert.equal(await text("vehicle"), name);
    assert.equal(await page.locator("#timeline bdi").first().textContent(), name);
    assert.equal(await page.locator("main img, main b").count(), 0);
    assert.deepEqual(complaints, []);
    const plain = await aTravelerAndService(t, browser(), { phone: { javaScriptEnabled: false } });
    await plain.page.goto(url);
    assert.match((await plain.page.locator("noscript p").first().textContent()) ?? "", /This page needs JavaScript/);
  });

  test("fits a phone of 320 pixels with text twice as large and a wide screen, and moves nothing that it shows", async (t) => {
    const phone = { viewport: { width: 320, height: 568 }, isMobile: false };
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser(), { phone });
    const [{ url }] = await handoff(service);
    await open(url);
    assert.equal(await page.evaluate(shiftOf), 0);
    const name = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(2);
    changeOffers(({ operator, ...offer }) => ({
      ...{ ...offer, origin: name, vehicle_type: name, total_price: 123456.5 },
      // No example, so that it can be called.
      operator: { ...operator, email: "offers@alpine.test" },
    }));
    await open(url);
    for (const [width, fontSize] of [
      [320, "100%"],
      [320, "200%"],
      [1280, "100%"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, fontSize);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, fontSize);
    }
  });

  test("prints every offer on one sheet of A4, unfolded, without its link", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser(), { phone: { locale: "de-CH" } });
    for (const journey of [{}, { return_datetime: "2026-12-12T10:00:00+01:00" }, FULL_JOURNEY]) {
      await open((await handoff(service, journey))[0].url);
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, JSON.stringify(journey));
    }
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    for (const id of ["amount", "notes", "lines"]) assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
    for (const id of ["left", "actions", "calendar"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
    assert.equal(
      await text("print-head"),
      "Angebot, keine Buchung – gültig bis Dienstag, 1. Dezember 2026, 10:30 Uhr (Schweizer Zeit)",
    );
    assert.doesNotMatch(await page.locator("body").innerText(), /sig=/);
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
