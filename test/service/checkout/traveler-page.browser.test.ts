import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { notice } from "../../../src/contract/notices.ts";
import { referenceOf } from "../../../src/operate/commands/find.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aService } from "../../support/service.ts";
import { handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

const DAY = 24 * 60 * 60 * 1000;

browserSuite("the traveler's page in a browser", (browser) => {
  test("shows of five options exactly the amount and the vehicle that the agent was shown", async (t) => {
    const { service, open, showInstead, text } = await aTravelerAndService(t, browser());
    const links = await handoff(service, {}, 5);
    for (const [at, { url, totalPrice, vehicleType, seats }] of links.entries()) {
      await (at === 0 ? open(url) : showInstead(url));
      const amount = await text("amount");
      assert.match(amount, /^CHF\s?\d{1,3}(\D\d{3})*\.\d\d$/);
      assert.equal(Number(amount.replace(/[^\d.]/g, "")), totalPrice);
      assert.equal(await text("vehicle"), vehicleType);
      assert.equal(await text("seats"), `Seats up to ${seats}`);
    }
  });

  test("shows the journey in Swiss time on a phone that is elsewhere", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service, {
      pickup_datetime: "2026-12-08T14:05:00+01:00",
      return_datetime: "2027-04-02T07:30:00Z",
      waypoints: [{ name: "Bern", stop_duration_min: 15 }],
      passengers: 3,
    });
    await open(url);
    const journey = (await page.locator("#timeline").innerText()).replace(/\s+/g, " ");
    assert.match(journey, /^Tuesday,? 8 December 2026, Swiss time 14:05 Zurich Airport Pickup Car, 1 h 2\d min /);
    assert.match(journey, /\d\d:\d\d – \d\d:\d\d Bern Stop, 15 min Exact address: .* Car, \d h \d+ min /);
    assert.match(
      journey,
      / \d\d:\d\d Täsch Arrival of the car Train, 12 min, every 20 min, not part of this price Zermatt /,
    );
    assert.match(
      journey,
      /Return: Friday,? 2 April 2027, Swiss time Zermatt Car-free: leave in time for the car at Täsch Train, .* 09:30 Täsch/,
    );
    assert.match(await text("details"), /^Passengers3Luggage/);
    assert.equal(await text("until"), "until 10:30");
  });

  test("shows the times of an operator in another time zone", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "tariff.json", (tariff) => {
      tariff.timeZone = "Europe/London";
    });
    const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder } });
    const { open, text } = await aTravelerAndService(t, browser(), { service });
    const journey = { destination: "Bern", pickup_datetime: "2026-12-08T00:30:00+01:00" };
    const [{ url }] = await handoff(service, journey);
    await open(url);
    assert.match(await text("timeline"), /^Monday,? 7 December 2026.*23:30 Zurich Airport.*Tue,? 8 Dec, 0\d:\d\d Bern/);
    assert.equal(await text("until"), "until 09:30");
  });

  test("shows the place beside the label of a stop, on the page and in the calendar", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser());
    const waypoints = [{ name: "Hotel Monte Rosa", lat: 47.4515, lng: 8.5846, stop_duration_min: 15 }];
    const [{ url }] = await handoff(service, { waypoints });
    await open(url);
    assert.match(await text("timeline"), /\d\d:\d\d – \d\d:\d\d Hotel Monte Rosa near Kloten Stop, 15 min/);
    assert.match(await text("notes"), /The stop “Hotel Monte Rosa” is near Kloten, at the position/);
    const download = page.waitForEvent("download");
    await page.locator("#calendar").click();
    const calendar = await readFile(await (await download).path(), "utf8");
    assert.match(calendar.replaceAll("\r\n ", ""), /Hotel Monte Rosa near Kloten\\, Stop\\, 15 min/);
  });

  test("shows what was agreed: party, luggage, items, times, price lines, cancellation and the operator", async (t) => {
    const { service, page, open, text, complaints } = await aTravelerAndService(t, browser());
    const [{ url, totalPrice }] = await handoff(service, {
      ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 1, waiting_minutes: 75 },
      special_items: [{ kind: "child_seat", count: 1 }],
      return_datetime: "2026-12-12T10:00:00+01:00",
    });
    await open(url);
    const details = await text("details");
    for (const said of [
      /Passengers3 \(2 adults, 1 child\)/,
      /Luggage3 pieces, 1 of them large/,
      /Special items1 child seat/,
      /Waiting at the pickup1 h 15 min/,
      /Drive\d+ km, \d h \d+ min without stops/,
      /ConditionsFree cancellation with a full refund/,
    ])
      assert.match(details, said);
    assert.match(
      await text("cancellation"),
      /^CancellationFree of charge until Monday, 7 December 2026, 14:00.*Cancellation of the returnFree of charge until Friday, 11 December 2026, 10:00/,
    );
    assert.equal(await text("price-note"), "both ways, VAT included");
    assert.match(
      await text("included"),
      /60 min are free, the next 15 min are in the price, then CHF 15 for every 15 min begun\..*at the return pickup is free for 15 min, then CHF 15 for every 15 min begun\./,
    );
    assert.match(await text("notes"), /1 child seat: Brought by the driver\./);
    await page.locator("#price-fold summary").click();
    const rows = await page.locator("#lines > div").allInnerTexts();
    assert.equal(rows.at(-1)?.replace(/\s+/g, " "), `Total price ${await text("amount")}`);
    const centsOf = (part: readonly string[]) =>
      part.reduce(
        (sum, row) => sum + Math.round(100 * Number(row.replace("−CHF", "CHF -").replace(/^.*CHF|[^\d.-]/gs, ""))),
        0,
      );
    const [outbound, back] = ["Total outbound", "Total return"].map((name) =>
      rows.findIndex((row) => row.startsWith(name)),
    );
    assert.ok(outbound && back && outbound < back);
    assert.equal(centsOf(rows.slice(0, outbound)), centsOf(rows.slice(outbound, outbound + 1)));
    assert.equal(centsOf(rows.slice(outbound + 1, back)), centsOf(rows.slice(back, back + 1)));
    const lines = rows.filter((row) => !row.startsWith("Total"));
    assert.equal(centsOf(lines), Math.round(totalPrice * 100));
    assert.match(await text("lines"), /Outbound: 1 child seat/);
    assert.equal(
      await text("operator"),
      [
        "Example Transfers, Example Street 1, 8000 Zurich, Switzerland, +41 00 000 00 00, bookings@transfers.example",
        "https://transfers.example, Register CHE-000.000.000, CHE-000.000.000 VAT",
        "Example license no. 000 of the Federal Office of Transport",
      ].join(", "),
    );
    assert.equal(
      await text("book-details"),
      "Phone hoursExample: daily from 07:00 to 22:00PaymentExample: credit card, TWINT, invoice",
    );
    const links = await page.locator("#operator a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    assert.deepEqual(links, ["tel:+41000000000", "mailto:bookings@transfers.example", "https://transfers.example"]);
    const terms = page.getByRole("link", { name: "Terms and conditions" });
    assert.equal(await terms.getAttribute("href"), "https://transfers.example/terms");
    assert.deepEqual(complaints, []);
  });

  test("sends requests to the service only, within its content security policy", async (t) => {
    const { service, open, complaints, requests } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    await open(url);
    assert.deepEqual([...new Set(requests.map(({ origin }) => origin))], [new URL(url).origin]);
    const paths = requests.map(({ pathname }) => pathname).filter((path) => path !== "/logo");
    assert.equal(new Set(paths).size, paths.length, "each is requested once");
    const id = new URL(url).searchParams.get("quote_id");
    const asked = paths.filter((path) => !/^\/(checkout|site\.css|brand\.css)\b/.test(path));
    assert.deepEqual(asked, [`/api/public/v1/checkout-sessions/${id}`]);
    assert.deepEqual(complaints, []);
  });

  test("renders markup in names as text", async (t) => {
    const { service, page, open, text, complaints, changeOffers } = await aTravelerAndService(t, browser());
    const name = "<img src=x onerror=alert(1)><b>Bern</b>";
    changeOffers((offer) => ({ ...offer, origin: name, vehicle_type: name }));
    await open((await handoff(service))[0].url);
    assert.equal(await text("vehicle"), name);
    assert.equal(await page.locator("#timeline bdi").first().textContent(), name);
    assert.equal(await page.locator("main img, main b").count(), 0);
    assert.deepEqual(complaints, []);
  });

  test("marks what the assistant wrote, also in the operator's sentences", async (t) => {
    const { service, page, open, changeOffers } = await aTravelerAndService(t, browser());
    const [origin, destination, stop] = ['The "Palace"', "שלום Hotel", "Pay at evil.example"];
    const waypoints = [{ name: stop, stop_duration_min: null }];
    const notices = [
      notice("ADDRESS_UNKNOWN", { text: origin, place: "Bern" }),
      { code: "NEWER", values: {}, text: "Winter tires are on every vehicle." },
    ];
    changeOffers((offer) => ({ ...offer, origin, destination, waypoints, notices }));
    await open((await handoff(service, { waypoints: [{ name: "Bern", stop_duration_min: 15 }] }))[0].url);
    const marked = page.locator("#timeline bdi.entered, #notes bdi.entered");
    assert.deepEqual(await marked.allTextContents(), [origin, stop, destination, origin]);
    const styles = await marked.evaluateAll((all) => all.map((each) => getComputedStyle(each).textDecorationLine));
    assert.deepEqual(new Set(styles), new Set(["underline"]));
    assert.equal(
      await page.locator("#notes").textContent(),
      `The price is for the center of Bern. Give the exact address of “${origin}” when you book.Winter tires are on every vehicle.`,
    );
    assert.match((await page.locator("#underlined").textContent()) ?? "", /Underlined words .* your assistant/s);
  });

  test("counts down by the service's clock, not the device's, and shows the offer as expired at its end", async (t) => {
    const traveler = await aTravelerAndService(t, browser(), { hasClock: true });
    const { service, page, open, text, sections, problem } = traveler;
    await page.clock.pauseAt(Date.now() + DAY);
    await open((await handoff(service))[0].url);
    assert.equal(await text("left"), "");
    await page.clock.runFor(2_000);
    assert.equal(await text("left"), "");
    await page.clock.runFor("25:30");
    assert.match(await text("left"), /^4 min 2[78] s$/);
    assert.equal(await text("status"), "This offer expires within 5 minutes.");
    await page.clock.runFor("04:26");
    assert.match(await text("left"), /^[12] s$/);
    assert.deepEqual(await sections(), ["journey", "offer", "particulars", "next"]);
    await page.clock.runFor(2_000);
    assert.match((await problem.textContent()) ?? "", /This offer has expired.*Ask your assistant for a new quote/s);
    assert.deepEqual(await sections(), ["problem", "journey"]);
    for (const hint of await page.locator(".hint").all()) assert.equal(await hint.isVisible(), false);
    assert.match(await text("expired-price"), /^Expired price: CHF/);
    assert.equal(await page.locator("#expired-price s").count(), 1);
    assert.match(await page.title(), /expired/);
  });

  test("shows the offer as expired on a phone that wakes later", async (t) => {
    const { service, page, open, problem } = await aTravelerAndService(t, browser(), { hasClock: true });
    await open((await handoff(service))[0].url);
    await page.clock.fastForward("40:00");
    await problem.getByText("This offer has expired").waitFor();
  });

  test("shows a hire without a distance, and a sandbox offer with a banner", async (t) => {
    const { service, page, open, text } = await aTravelerAndService(t, browser());
    const hire = { booking_type: "hourly", duration_hours: 4.5, destination: undefined, origin: "Geneva Airport" };
    await open((await handoff(service, hire))[0].url);
    assert.match(
      await text("timeline"),
      /14:00 Geneva Airport Pickup Car with driver, 5 h 19:00 Geneva Airport End of the hire$/,
    );
    assert.doesNotMatch(await text("main"), /\d km, /);
    assert.equal(await page.locator("#banner").isVisible(), false);
    await open((await handoff(service, { destination: "Sandbox: pass avoided" }))[0].url);
    assert.match(await text("banner"), /^Rehearsal: .* No car will come\.$/);
  });

  test("asks for an exact address once in a town, and not where the car only passes", async (t) => {
    const { service, page, open } = await aTravelerAndService(t, browser());
    const rowsWithHint = () =>
      page.locator(".leg:has(.hint)").evaluateAll((rows) => rows.map((row) => row.dataset.action));
    const hire = { booking_type: "hourly", duration_hours: 4, destination: undefined, origin: "Zurich" };
    const [{ url }] = await handoff(service, hire);
    await open(`${url}&lang=it`);
    assert.equal(await page.locator("#title").textContent(), "Zurigo");
    assert.deepEqual(await rowsWithHint(), ["pickup"]);
    const stops = { origin: "Bern", destination: "Lugano", waypoints: [{ name: "Altdorf" }] };
    await open((await handoff(service, stops))[0].url);
    assert.deepEqual(await rowsWithHint(), ["pickup", "drop_off"]);
  });

  test("says who sells and what happens next, asks for nothing, and switches the language", async (t) => {
    const { service, page, open, text, sections } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    await open(url);
    const id = new URL(url).searchParams.get("quote_id") ?? "";
    assert.match(await text("journey"), /^Journey /);
    assert.equal((await text("short-reference")).slice(-6), referenceOf(id), "which the find command takes");
    assert.equal(await text("brand"), "Example Transfers");
    assert.equal(await text("price-note"), "VAT included");
    assert.doesNotMatch(await text("offer"), /no payment/i);
    assert.deepEqual(await sections(), ["journey", "offer", "particulars", "next"]);
    assert.equal(await page.locator("#timeline ol").count(), 1);
    assert.match(
      await text("next"),
      /Opening this page books nothing.*write to Example Transfers to book\..*takes no payment/,
    );
    assert.equal(await page.locator("form, input, select, textarea, iframe, [contenteditable]").count(), 0);
    assert.equal(await page.getByRole("button").count(), 0);
    assert.equal(await page.getByRole("status").textContent(), "The offer your assistant showed you.");
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Fahrzeug und Preis" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
  });

  test("distinguishes an expired link from an invalid one", async (t) => {
    const { service, page, open, problem, sections, text } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    const expire = () => {
      service.clock.advance(30 * 60 * 1000);
      t.after(() => service.clock.advance(-30 * 60 * 1000));
    };
    expire();
    await open(url);
    assert.match((await problem.textContent()) ?? "", /This offer has expired.*Ask your assistant for a new quote/s);
    assert.deepEqual(await sections(), ["problem", "journey"]);
    assert.match(
      await text("journey"),
      /^Journey Tuesday,? 8 December 2026, .* Zurich Airport Pickup .* Täsch .* Train/,
    );
    assert.match(
      await text("again"),
      /new offer for this transfer: Zurich Airport – Zermatt, pickup on .* Luggage: 2 pieces of luggage\. .* price was CHF\s[\d,.]+\.$/,
    );
    assert.match(await text("contact"), /^Example Transfers \+41 00 000 00 00 bookings@transfers\.example/);
    assert.match(await text("short-reference"), /^Reference \w{6}$/);
    assert.equal(await text("reference"), "", "the reference is said once");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the text" }).click();
    await page.getByRole("status").getByText("The text is copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#again").textContent());

    const [hire] = await handoff(service, { booking_type: "hourly", duration_hours: 4.5, destination: undefined });
    expire();
    await open(hire.url);
    assert.match(
      await text("again"),
      /transfer: Zurich Airport, pickup on .*\. Hire: 4\.5 h\. .*Luggage: 2 pieces of luggage\./,
    );
  });

  test("reports a changed or incomplete link as invalid", async (t) => {
    const traveler = await aTravelerAndService(t, browser());
    const { service, page, open, showInstead, problem, sections, requests } = traveler;
    const [{ url }] = await handoff(service);
    const changed = (change: (link: URL) => void) => {
      const link = new URL(url);
      change(link);
      return link.href;
    };
    const incomplete = [
      ({ searchParams }: URL) => searchParams.set("quote_id", ".."),
      ...["quote_id", "fleet_id", "sig"].map((name) => (link: URL) => link.searchParams.delete(name)),
      (link: URL) => {
        link.search = "";
      },
    ];
    for (const change of incomplete) await assertWrong(open, changed(change));
    const values = { sig: "A".repeat(43), fleet_id: "2" };
    const wrong = Object.entries(values).map(([name, value]) => changed((link) => link.searchParams.set(name, value)));
    await assertWrong(open, wrong[0] ?? "");
    for (const link of [wrong[1] ?? "", url.slice(0, -5)]) await assertWrong(showInstead, link);

    async function assertWrong(show: (link: string) => Promise<void>, link: string): Promise<void> {
      await show(link);
      assert.match((await problem.textContent()) ?? "", /This link is wrong or incomplete.*exactly as you got it/s);
      assert.deepEqual(await sections(), ["problem"]);
      assert.equal(await page.getByRole("button").count(), 0);
    }
    const asked = requests.filter(({ pathname }) => pathname.startsWith("/api/"));
    assert.equal(asked.length, 4);
  });
});
