import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ICAL from "ical.js";
import type { Locator, Page } from "playwright-core";
import { byPhone, CONTINUE_URL, online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

const JOURNEY = {
  ...{ pickup_datetime: "2026-12-08T14:05:00+01:00", return_datetime: "2027-04-02T07:30:00Z" },
  waypoints: [{ name: "Bern; Bahnhof, Süd\\Nord", stop_duration_min: 15, lat: 46.9489, lng: 7.4392 }],
};
/** That it is an offer, how to go on from the car stop, and the price of the direction. */
// biome-ignore format: a table reads by its columns
const SAID = {
  "en-GB": [/^Transfer Zurich Airport – Zermatt \(offer, not booked\)$/, /not a booking/, /Train, 12 min/, /^Outbound: CHF/m],
  "de-CH": [/^Transfer Zurich Airport – Zermatt \(Angebot, nicht gebucht\)$/, /keine Buchung/, /Zug, 12 min/, /^Hinfahrt: CHF/m],
  "fr-CH": [/^Transfert Zurich Airport – Zermatt \(offre, /, /non une réservation/, /Train, 12 min/, /^Aller\s: CHF.[\d.]+/m],
  "it-CH": [/^Transfer Zurich Airport – Zermatt \(offerta, /, /non una prenotazione/, /Treno, 12 min/, /^Andata: .*CHF/m],
} as const;

browserSuite("what the traveler's page offers to do", (browser) => {
  test("leads on to the operator's page with what the link holds", async (t) => {
    const { service, page, open, text, complaints } = await aTravelerAndService(t, browser(), { service: online });
    const [, { url } = assert.fail()] = await handoff(service, {}, 2);
    await open(url);
    assert.deepEqual(await links(page), ["continue", "calendar"]);
    assert.match(await text("next"), /Book and pay at Example Transfers\. The button leads to the operator’s page/);
    const visited = new Promise<{ url: string; referrer: string | undefined }>((resolve) => {
      page.route("https://pay.example/**", async (route) => {
        resolve({ url: route.request().url(), referrer: (await route.request().allHeaders()).referer });
        await route.fulfill({ contentType: "text/html", body: "<h1>Pay here</h1>" });
      });
    });
    await page.getByRole("link", { name: "Continue to booking and payment" }).click();
    const { searchParams } = new URL(url);
    assert.deepEqual(await visited, { url: `${CONTINUE_URL}&${searchParams}`, referrer: undefined });
    await page.getByRole("heading", { name: "Pay here" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  test("otherwise says how to reach the operator", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser(), { service: byPhone });
    const [{ url }] = await handoff(service, { origin: "Zürich HB" });
    await open(url);
    assert.deepEqual(await links(page), ["call", "write", "calendar"]);
    assert.match(await text("next"), /Call or write to Léman Cars to book/);
    assert.equal(await page.locator("#call").getAttribute("href"), "tel:+41227177111");
    const mail = new URL((await page.locator("#write").getAttribute("href")) ?? "");
    assert.equal(mail.pathname, "bookings@leman.test");
    const id = new URL(url).searchParams.get("quote_id");
    assert.equal(mail.searchParams.get("subject"), `Transfer Zürich HB – Zermatt, Tuesday, 8 December 2026 (${id})`);
    assert.match(
      mail.searchParams.get("body") ?? "",
      /^Hello.*Reference \w{6}\n.*Tuesday, 8 December 2026.*14:00, Zürich HB, .*Vehicle: .*Price: CHF.*, offered until .*Name:\nPhone:\n/s,
    );
  });

  test("offers nothing to call where the operator is the packaged example", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    await open((await handoff(service))[0].url);
    assert.deepEqual(await links(page), ["calendar"]);
    assert.equal(await page.locator("#example").innerText(), "Example operator: nothing can be booked");
    assert.equal(await page.locator("#book").isVisible(), false);
  });

  test("says in the calendar where the driver waits, and in the page's color who drives", async (t) => {
    const { service, page, open, text, complaints } = await aTravelerAndService(t, browser(), { service: byPhone });
    const [{ url }] = await handoff(service, { ...JOURNEY, waypoints: [], origin: "GVA", destination: "Verbier" });
    await open(url);
    const [outbound, back] = (await calendarOf(page)).events;
    assert.match(outbound?.description ?? "", /^Meeting point: Arrivals hall, at the exit of customs\.\nThe road has/m);
    assert.doesNotMatch(back?.description ?? "", /Arrivals hall/);
    assert.equal(await text("brand"), "Léman Cars");
    assert.match(await text("notes"), /Meeting point at Geneva Airport: Arrivals hall/);
    assert.equal(await colorOf(page.locator("#call")), "rgb(122, 31, 61)");
    await page.emulateMedia({ colorScheme: "dark" });
    assert.match(await colorOf(page.locator("#call")), /^oklch\(0\.5 /);
    assert.equal(await page.locator(".brand img").evaluate((img: HTMLImageElement) => img.naturalWidth > 0), true);
    assert.deepEqual(complaints, []);
  });

  for (const [locale, [title, note, onward, both]] of Object.entries(SAID)) {
    test(`offers the journey as a calendar file in ${locale}`, async (t) => {
      const { service, page, open, showInstead, complaints } = await aTravelerAndService(t, browser(), {
        phone: { locale },
      });
      const [{ url }] = await handoff(service, JOURNEY);
      await open(url);
      await page.context().setOffline(true);
      const { name, events } = await calendarOf(page);
      assert.equal(name, "transfer-2026-12-08.ics");
      const [outbound, back, ...others] = events;
      assert.ok(outbound && back);
      assert.deepEqual(others, []);
      assert.match(outbound.summary, title);
      assert.match(outbound.description, note);
      assert.match(outbound.description, onward);
      assert.ok(outbound.description.includes("Bern; Bahnhof, Süd\\Nord"));
      assert.match(back.description, onward);
      assert.deepEqual([outbound.location, back.location], ["Zurich Airport", "Täsch"], "where the car waits");
      assert.match(outbound.description, both);
      assert.match(back.description, /^[^:]*: .*CHF/m, "each has its own price");
      assert.equal(outbound.startDate.toString(), "2026-12-08T13:05:00Z");
      assert.equal(back.startDate.toString(), "2027-04-02T07:30:00Z");
      assert.ok(outbound.duration.toSeconds() > 3 * 3600 && back.duration.toSeconds() > 3 * 3600);
      assert.doesNotMatch(outbound.description + back.description, /sig=/);
      for (const { component } of [outbound, back]) {
        assert.equal(component.getFirstPropertyValue("url"), "https://transfers.example", "the link itself expires");
        assert.equal(component.getFirstPropertyValue("transp"), "TRANSPARENT", "nothing is booked");
        assert.equal(component.getFirstSubcomponent("valarm"), null);
      }

      await page.context().setOffline(false);
      await showInstead(url);
      const again = await calendarOf(page);
      assert.deepEqual(
        again.events.map(({ uid }) => uid),
        [outbound.uid, back.uid],
      );
      assert.deepEqual(complaints, []);
    });
  }

  test("names in the calendar the price of each direction, where they have their own", async (t) => {
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser());
    const price_lines = [
      { label: "Outbound: Fixed fare", name: "Fixed fare", direction: "outbound", amount: 300.1 },
      { label: "Outbound: Tolls", name: "Tolls", code: "tolls", direction: "outbound", amount: 20.2 },
      { label: "Return: Fixed fare", name: "Fixed fare", direction: "return", amount: 280 },
    ];
    changeOffers((offer) => ({ ...offer, price_lines }));
    await open((await handoff(service, JOURNEY))[0].url);
    const { events } = await calendarOf(page);
    const prices = events.map(({ description }) => /^.*CHF.*$/m.exec(description)?.[0].replace(/\s/g, " "));
    assert.deepEqual(prices, ["Outbound: CHF 320.30", "Return: CHF 280.00"]);
  });
});

function colorOf(element: Locator): Promise<string> {
  return element.evaluate((each) => getComputedStyle(each).backgroundColor);
}

function links(page: Page): Promise<string[]> {
  return page.locator("#actions a").evaluateAll((all) => all.map(({ id }) => id));
}

async function calendarOf(page: Page): Promise<{ readonly name: string; readonly events: readonly ICAL.Event[] }> {
  const started = page.waitForEvent("download");
  await page.locator("#calendar").click();
  const download = await started;
  const component = new ICAL.Component(ICAL.parse(readFileSync(await download.path(), "utf8")));
  const events = component.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
  return { name: download.suggestedFilename(), events };
}
