import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ICAL from "ical.js";
import { byPhone, CONTINUE_URL, online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
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
    assert.match(await text("when"), /^Tue,? 8 Dec, landing 14:00 · arrival .* · back Sat,? 12 Dec 10:00$/);
    assert.equal(Number((await text("amount")).replace(/[^\d.]/g, "")), totalPrice);
    assert.equal(await text("vehicle"), vehicleType);
    // The browser is in New York, and the service's clock years from the machine's.
    assert.match(await text("left"), /^Price held for (30|29) min$/);
    assert.match(await text("timeline"), /14:00 Geneva Airport Landing, the driver waits free until 15:00 GVA Car, /);
    assert.equal(await page.locator("#call").getAttribute("href"), "tel:+41227177111");
    const mail = new URL((await page.locator("#write").getAttribute("href")) ?? "");
    assert.match(mail.pathname + mail.search, /^bookings@leman\.test\?.*body=Hello/);
    assert.equal(await page.locator("form, input, select, textarea, iframe, [contenteditable]").count(), 0);

    const started = page.waitForEvent("download");
    await page.locator("#calendar").click();
    const download = await started;
    assert.equal(download.suggestedFilename(), "transfer-2026-12-08.ics");
    const calendar = new ICAL.Component(ICAL.parse(readFileSync(await download.path(), "utf8")));
    assert.equal(calendar.getAllSubcomponents("vevent").length, 2);
    assert.doesNotMatch(calendar.toString(), /sig=/);

    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Flughafen Genf ⇄ Verbier" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
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
  });

  test("counts down by the service's clock, and ends with what the assistant needs to ask again", async (t) => {
    const traveler = await aTravelerAndService(t, browser(), { hasClock: true });
    const { service, page, open, text, sections, problem } = traveler;
    await page.clock.pauseAt(Date.now() + DAY);
    await open((await handoff(service, FULL_JOURNEY))[0].url);
    await page.clock.runFor("26:00");
    assert.match(await text("left"), /^Price held for 3 min 5\d s$/);
    assert.equal(await text("status"), "This offer expires within 5 minutes.");
    const colors = ["status", "left"].map((id) =>
      page.locator(`#${id}`).evaluate((each) => getComputedStyle(each).color),
    );
    assert.equal(...((await Promise.all(colors)) as [string, string]), "both warn");
    // As a phone that wakes later.
    await page.clock.fastForward("14:00");
    await problem.getByText("This offer has expired").waitFor();
    assert.deepEqual(await sections(), ["problem", "journey"]);
    assert.match(await text("expired-price"), /^Expired price CHF/);
    assert.match(await text("again"), /new offer for this transfer: .* price was CHF\s[\d,.]+\.$/);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the text" }).click();
    await page.getByRole("status").getByText("The text is copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#again").textContent());
  });

  test("distinguishes an expired link from an invalid or incomplete one", async (t) => {
    const traveler = await aTravelerAndService(t, browser());
    const { service, page, open, showInstead, problem, sections, requests, text } = traveler;
    const [{ url }] = await handoff(service);
    const changed = (name: string, value?: string) => {
      const link = new URL(url);
      link.searchParams.delete(name);
      if (value !== undefined) link.searchParams.set(name, value);
      return link.href;
    };
    for (const link of [changed("sig"), changed("sig", "A".repeat(43)), changed("fleet_id", "2"), url.slice(0, -5)]) {
      await open(link);
      assert.match((await problem.textContent()) ?? "", /This link is wrong or incomplete.*exactly as you got it/s);
      assert.deepEqual(await sections(), ["problem"]);
      assert.equal(await page.getByRole("button").count(), 0);
      const asked = requests.filter(({ pathname }) => pathname.startsWith("/api/")).length;
      assert.equal(asked > 0, link !== changed("sig"), "nothing is asked without a signature");
    }
    service.clock.advance(30 * 60 * 1000);
    t.after(() => service.clock.advance(-30 * 60 * 1000));
    await showInstead(url);
    assert.deepEqual([await sections(), await text("reference")], [["problem", "journey"], ""]);
  });

  test("shows the offer once a retry succeeds, and waits for Retry-After before it", async (t) => {
    const traveler = await aTravelerAndService(t, browser(), { hasClock: true });
    const { service, page, open, showInstead, problem, sections } = traveler;
    const [{ url }] = await handoff(service);
    await page.clock.pauseAt(Date.now() + DAY);
    await open(url);
    const faults = [
      { status: 503, contentType: "application/problem+json", body: '{"code":"UPSTREAM_UNAVAILABLE"}' },
      { status: 200, contentType: "text/html", body: "<h1>Welcome to the hotel's network</h1>" },
      { status: 200, contentType: "application/json", body: "{}" },
    ];
    const retry = page.getByRole("button", { name: "Try again" });
    for (const fault of faults) {
      await page.route(API, (route) => route.fulfill(fault), { times: 1 });
      await showInstead(url);
      assert.match((await problem.textContent()) ?? "", /does not answer at the moment/);
      await retry.click();
      await page.locator("#offer").waitFor();
      assert.deepEqual(await sections(), OFFER);
    }
    const busy = { status: 429, headers: { "Retry-After": "60" }, json: { code: "RATE_LIMITED" } };
    await page.route(API, (route) => route.fulfill(busy), { times: 1 });
    await showInstead(url);
    assert.match((await problem.textContent()) ?? "", /Your link is still valid/);
    await page.clock.runFor(59_999);
    assert.deepEqual([await retry.textContent(), await retry.isEnabled()], ["Try again in 1\u00a0s", false]);
    await page.clock.runFor(2);
    await retry.click();
    await page.locator("#offer").waitFor();
    await page.unrouteAll();
    await page.context().setOffline(true);
    await showInstead(url);
    await problem.getByText("Check your internet connection").waitFor();
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

  test("has price and button side by side on a phone, and room between the parts of cards and folds", async (t) => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: false };
    const { service, page, open } = await aTravelerAndService(t, browser(), { service: online, phone });
    await open((await handoff(service, FULL_JOURNEY))[0].url);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    assert.equal(await top(".brand"), await top(".languages"), "the header has one row");
    const bar = (await page.locator(".bar").boundingBox())?.height ?? 0;
    assert.ok(bar < 125, `the bar has ${bar} pixels`);
    const gaps = await page.evaluate(() =>
      [...document.querySelectorAll("#timeline > h3, details > *")].flatMap(({ clientHeight, nextElementSibling }) => {
        if (!nextElementSibling?.clientHeight || !clientHeight) return [];
        const { marginTop, paddingTop } = getComputedStyle(nextElementSibling);
        return Number.parseFloat(marginTop) + Number.parseFloat(paddingTop);
      }),
    );
    assert.ok(gaps.length > 4 && Math.min(...gaps) >= 8, `${gaps}`);
  });

  test("fits a phone of 320 pixels with long names and text twice as large", async (t) => {
    const phone = { viewport: { width: 320, height: 568 }, isMobile: false };
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser(), { phone });
    const name = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(2);
    changeOffers((offer) => ({ ...offer, origin: name, vehicle_type: name, total_price: 123456.5 }));
    await open((await handoff(service))[0].url);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.ok(await page.locator("#price-note").isVisible(), "what the price is for and includes");
    const button = page.locator("#actions .button").first();
    const style = await button.evaluate((each) => getComputedStyle(each).overflowWrap);
    const [needed, given] = await button.evaluate((each) => [each.scrollWidth, each.clientWidth]);
    assert.ok(style === "normal" && (needed ?? 0) <= (given ?? 0), `${style}: ${needed} of ${given} pixels`);
  });

  test("prints every offer on one sheet of A4, unfolded, without its link", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser(), { phone: { locale: "de-CH" } });
    await open((await handoff(service, FULL_JOURNEY))[0].url);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    for (const id of ["amount", "notes", "lines"]) assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
    for (const id of ["left", "actions", "calendar"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
    assert.match(await text("print-head"), /^Angebot, keine Buchung – gültig bis .* 10:30 Uhr \(Schweizer Zeit\)$/);
    assert.doesNotMatch(await page.locator("body").innerText(), /sig=/);
  });
});
