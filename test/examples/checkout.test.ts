import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import { anAxe } from "../support/axe.ts";
import { cleanEnvironment, startProgram } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { browserSuite } from "../support/chromium.ts";
import { aClock } from "../support/fake-clock.ts";
import {
  aFakeStripe,
  type FakeStripe,
  type SignedEvent,
  signatureOf,
  TEST_KEY,
  WEBHOOK_SECRET,
} from "../support/fake-stripe.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { until, wholeFile } from "../support/lifetime.ts";
import { aLoopbackServer } from "../support/loopback-server.ts";
import { aFreePort } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aService } from "../support/service.ts";
import { handoff } from "../support/traveler.ts";

const SERVER = join(packageRoot, "examples", "checkout", "server.js");
const MINUTE = 60_000;

/** The example as an operator starts it. */
async function anExample(
  t: Pick<TestContext, "after">,
  serviceUrl: string,
  stripe: FakeStripe,
  port = 0,
  more: Readonly<Record<string, string>> = {},
) {
  const env = {
    SERVICE_URL: serviceUrl,
    STRIPE_API_URL: stripe.url,
    STRIPE_SECRET_KEY: TEST_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_SUPPRESS_NOTICES: "true",
    PORT: String(port || (await aFreePort())),
    ...more,
  };
  const program = startProgram([process.execPath, SERVER], { env: cleanEnvironment(env) });
  t.after(() => program.kill());
  await program.says(/checkout on http/);
  const url = `http://127.0.0.1:${env.PORT}`;
  return {
    url,
    /** All that it logged so far. */
    said: () => program.stdout() + program.stderr(),
    book: ({ search }: URL) => openedPatiently(`${url}/book${search}`),
    /** The form of the page, sent with these fields. */
    pay: (body: URLSearchParams, language = "en") =>
      openedPatiently(`${url}/pay?lang=${language}`, { method: "POST", body }),
    async webhook({ body, signature }: SignedEvent): Promise<number> {
      const headers = { "Stripe-Signature": signature };
      return (await fetch(`${url}/webhook`, { method: "POST", body, headers })).status;
    },
  };
}

/** As a traveler who tries again while the service rejects calls, because a busy machine makes it late. */
async function openedPatiently(url: string, options: RequestInit = {}) {
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const page = await opened(url, options);
    if (page.status !== 503 || performance.now() > deadline) return page;
  }
}

async function opened(url: string, options: RequestInit = {}) {
  const response = await fetch(url, { redirect: "manual", ...options });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const stripe = await aFakeStripe(wholeFile);
const port = await aFreePort();
/** With a color of the operator's own, which the example has to show too. */
const catalogDir = aCatalogFolder(wholeFile);
changeCatalog(catalogDir, "operator.json", (operator) => (operator.color = "#8a1538"));
const service = await aService(wholeFile, {
  clock: aClock(new Date()),
  env: { TRANSFER_CHECKOUT_CONTINUE_URL: `http://127.0.0.1:${port}/book`, TRANSFER_CATALOG_DIR: catalogDir },
});
const { publicUrl } = service;
/** The operator's own system: what it was told, and what it answers. */
const told: { readonly headers: IncomingHttpHeaders; readonly booking: Fields }[] = [];
const answers: number[] = [];
const bookings = await aLoopbackServer(wholeFile, async (incoming, response) => {
  told.push({ headers: incoming.headers, booking: JSON.parse((await incoming.toArray()).join("")) });
  response.writeHead(answers.shift() ?? 204).end();
});
const example = await anExample(wholeFile, publicUrl, stripe, port, {
  BOOKINGS_URL: `${bookings}/bookings`,
  BOOKINGS_TOKEN: "of-the-operator",
});

/** A quote of the service, handed over: its link on to the example, as the traveler's page has it. */
async function aLink(party: object = {}): Promise<{ readonly link: URL; readonly price: number }> {
  const waypoints = [{ name: "<b>Aarau</b>", lat: 47.3914, lng: 8.0513 }];
  const [{ url, totalPrice }] = await handoff(service, aRealJourney({ waypoints, ...party }));
  const { pathname, search } = new URL(url);
  assert.equal(pathname, "/checkout");
  return { link: new URL(`/book${search}`, example.url), price: totalPrice };
}

const ENTERED: Readonly<Record<string, string>> = {
  ...{ traveler_name: "Ada Muster", phone: "+41 44 000 00 00", email: "ada@muster.example" },
  ...{ address_1: "Bundesplatz 3", flight_number: "LX 39" },
};

function inTwoWeeks(): string {
  const noon = new Date(Date.now() + 14 * 24 * 60 * MINUTE);
  noon.setUTCHours(12, 0, 0, 0);
  return noon.toISOString();
}

/** As a traveler sends it. */
function formOf({ text }: { readonly text: string }): URLSearchParams {
  const hidden = [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  const asked = [...text.matchAll(/name="(\w+)" required/g)];
  return new URLSearchParams([
    ...hidden.map(([, name = "", value = ""]) => [name, value]),
    ...asked.map(([, name = ""]) => [name, ENTERED[name] ?? "7"]),
  ]);
}

test("shows what is bought and opens a payment of exactly the resolved amount", async () => {
  const { link, price } = await aLink();
  const page = await example.book(link);
  assert.equal(page.status, 200);
  assert.ok(page.text.includes("&#60;b&#62;Aarau") && !page.text.includes("<b>Aarau"));
  assert.ok(page.text.replaceAll(/[^\d.]/g, "").includes(price.toFixed(2)));
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  const form = formOf(page);
  assert.deepEqual([...form.keys()].sort(), ["fleet_id", "quote_id", "sig", ...Object.keys(ENTERED)].sort());
  // An amount that a browser sends is not looked at.
  for (const name of ["amount", "unit_amount", "total_price"]) form.set(name, "5");
  const paying = await example.pay(form);
  const session = stripe.sessions.at(-1);
  assert.deepEqual([paying.status, paying.headers.get("location")], [303, session?.url]);
  const sent = Object.fromEntries(session?.parameters ?? []);
  assert.equal(sent["line_items[0][price_data][unit_amount]"], String(Math.round(price * 100)));
  assert.equal(sent["line_items[0][price_data][currency]"], "chf");
  assert.equal(sent.mode, "payment");
  assert.match(
    sent["line_items[0][price_data][product_data][name]"] ?? "",
    /^Zurich Airport – Bern, \w{3},? \d+ \w+ \d{4}, 12:00$/,
  );
  assert.equal(sent.cancel_url, `${link.href}&lang=en`);
  assert.equal(sent.success_url, `${example.url}/paid?lang=en&session_id={CHECKOUT_SESSION_ID}`);
});

test("asks for what the agent could not know, and sells nothing without it", async () => {
  const party = { adults: 1, children: 1, infants: 1, passengers: 3, flight_number: "LX 39" };
  const unordered = await example.book((await aLink(party)).link);
  assert.doesNotMatch(unordered.text, /name="(child_age|flight_number)/);
  const { link } = await aLink({ ...party, special_items: [{ kind: "child_seat", count: 2 }] });
  const form = formOf(await example.book(link));
  const seats = ["child_age_1", "child_age_2", "child_height_1", "child_height_2"];
  const asked = ["address_1", ...seats, "email", "phone", "traveler_name"];
  assert.deepEqual([...form.keys()].filter((name) => !["fleet_id", "quote_id", "sig"].includes(name)).sort(), asked);
  const before = stripe.sessions.length;
  for (const name of asked) {
    const incomplete = new URLSearchParams(form);
    incomplete.set(name, " ");
    const { status, text } = await example.pay(incomplete);
    assert.equal(status, 422, name);
    assert.match(text, /Fill in every field/);
  }
  assert.equal(stripe.sessions.length, before);
});

test("a double click, a return from the payment page and a lost answer lead to one session", async () => {
  const { link } = await aLink();
  const before = stripe.sessions.length;
  const form = formOf(await example.book(link));
  stripe.failNext(1, 500);
  const clicks = await Promise.all([example.pay(form), example.pay(form)]);
  // Who changes the language in between still has one session.
  const again = await example.pay(formOf(await example.book(link)), "de");
  assert.equal(stripe.sessions.length, before + 1);
  const places = [...clicks, again].map(({ headers }) => headers.get("location"));
  assert.deepEqual(places, Array(3).fill(stripe.sessions.at(-1)?.url));
});

test("keeps the details that were sent first, whoever has the link", async () => {
  const { link } = await aLink();
  const form = formOf(await example.book(link));
  const paying = await example.pay(form);
  assert.equal(paying.status, 303);
  const session = stripe.sessions.at(-1);
  assert.ok(session);
  const changed = new URLSearchParams(form);
  changed.set("traveler_name", "Someone Else");
  const refused = await example.pay(changed);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /Your details were sent before/);
  assert.doesNotMatch(refused.text, /Ada Muster|Someone Else/, "whoever has the link reads no name");
  // The same again is a double click; the page no longer asks, and still leads to the payment.
  const again = formOf(await example.book(link));
  assert.deepEqual([...again.keys()].sort(), ["fleet_id", "quote_id", "sig"]);
  for (const each of [form, again])
    assert.equal((await example.pay(each)).headers.get("location"), paying.headers.get("location"));
  assert.equal(await example.webhook(stripe.eventOf(session)), 204);
  assert.deepEqual(told.at(-1)?.booking.traveler, ENTERED);
});

test("ignores the payment of another product in the same account", async () => {
  const { link } = await aLink();
  await example.pay(formOf(await example.book(link)));
  const session = stripe.sessions.at(-1);
  assert.ok(session);
  const before = told.length;
  for (const metadata of [{}, null, { order: "7" }]) {
    const object = { id: "cs_test_of_a_shop", payment_status: "paid", amount_total: 500, currency: "chf", metadata };
    assert.equal(await example.webhook(stripe.eventOf(session, { data: { object } })), 204);
  }
  assert.equal(told.length, before);
  assert.doesNotMatch(example.said(), /cs_test_of_a_shop/);
});

test("only a signed event of a payment makes a booking, and makes it once", async () => {
  const { link, price } = await aLink();
  await example.pay(formOf(await example.book(link)));
  const session = stripe.sessions.at(-1);
  assert.ok(session);
  const before = told.length;
  const paid = async () => (await opened(`${example.url}/paid?session_id=${session.id}`)).text;
  const event = stripe.eventOf(session);
  const seconds = Math.floor(Date.now() / 1000);
  const refused = [
    { ...event, signature: "" },
    { ...event, signature: signatureOf(event.body, seconds, "whsec_of_somebody") },
    { ...event, signature: signatureOf(event.body, seconds - 3600) },
    { ...event, body: event.body.replace('"paid"', '"paid" ') },
  ];
  for (const each of refused) assert.equal(await example.webhook(each), 400);
  assert.equal(await example.webhook(stripe.eventOf(session, { type: "checkout.session.expired" })), 204);
  const unpaid = { object: { id: session.id, payment_status: "unpaid", metadata: {} } };
  assert.equal(await example.webhook(stripe.eventOf(session, { data: unpaid })), 204);
  assert.match(await paid(), /being confirmed/);

  // Stripe sends an event again that was not answered with 2xx.
  answers.push(500);
  assert.equal(await example.webhook(event), 503);
  assert.match(await paid(), /being confirmed/);
  for (const each of [event, event, stripe.eventOf(session)]) assert.equal(await example.webhook(each), 204);
  assert.equal(told.length - before, 2);
  const [{ headers, booking }] = told.slice(-1) as [(typeof told)[number]];
  assert.deepEqual([headers.authorization, headers["idempotency-key"]], ["Bearer of-the-operator", session.id]);
  assert.deepEqual(
    [booking.amount_rappen, booking.currency, booking.quote_id, booking.traveler],
    [Math.round(price * 100), "chf", link.searchParams.get("quote_id"), ENTERED],
  );
  assert.match(
    await paid(),
    new RegExp(`is booked[\\s\\S]*${booking.reference}[\\s\\S]*Ada Muster[\\s\\S]*Zurich Airport`),
  );
  const quoteId = link.searchParams.get("quote_id");
  const booked = example.said().match(new RegExp(`^BOOKED quote ${quoteId}.*`, "gm")) ?? [];
  assert.equal(booked.length, 1);
  assert.match(booked[0], new RegExp(` ${Math.round(price * 100)} Rappen`));
});

test("a booking has the whole journey for dispatch and accounting, and nothing that opens its link", async () => {
  const special_items = [{ kind: "skis", count: 2 }];
  const party = { passengers: 3, adults: 2, children: 1, luggage: 3, special_items, flight_number: "LX 39" };
  const { link } = await aLink({ ...party, waypoints: [{ name: "Olten", stop_duration_min: 30 }] });
  await example.pay(formOf(await example.book(link)));
  assert.equal(await example.webhook(stripe.eventOf(stripe.sessions.at(-1) ?? assert.fail())), 204);
  const { journey } = told.at(-1)?.booking ?? assert.fail();
  const path = `/api/public/v1/checkout-sessions/${link.searchParams.get("quote_id")}`;
  const resolved = JSON.parse((await opened(`${publicUrl}${path}${link.search}`)).text);
  const { checkout_url, continue_url, request_id, route_map, translations, ...shown } = resolved;
  assert.deepEqual(journey, shown);
  for (const [name, value] of Object.entries(party)) assert.deepEqual(journey[name], value, name);
  assert.ok(!JSON.stringify(journey).includes(link.searchParams.get("sig") ?? ""));
});

test("a changed link, an unknown page and a service that is down sell nothing", async (t) => {
  const { link } = await aLink();
  const before = stripe.sessions.length;
  const form = formOf(await example.book(link));
  for (const [name, value] of [
    ["sig", "A".repeat(43)],
    ["fleet_id", "2"],
    ["quote_id", ".."],
    ["quote_id", "q/../x"],
    ["sig", ""],
  ] as const) {
    const changed = new URLSearchParams(form);
    changed.set(name, value);
    const pages = [await example.pay(changed), await example.book(new URL(`?${changed}`, link))];
    for (const { status, text } of pages) {
      assert.equal(status, 404, `${name}=${value}`);
      assert.match(text, /This link is wrong or incomplete/);
    }
  }
  for (const path of ["/other", "//"]) assert.equal((await opened(`${example.url}${path}`)).status, 404);
  const lonely = await anExample(t, `http://127.0.0.1:${await aFreePort()}`, stripe);
  const { status, text } = await opened(`${lonely.url}/pay`, { method: "POST", body: form });
  assert.equal(status, 503);
  assert.match(text, /Nothing was charged/);
  assert.equal(stripe.sessions.length, before);
});

test("an expired quote sells nothing, and its open session ends with it", async (t) => {
  const clock = aClock(new Date(Date.now() - 30 * MINUTE + 2500));
  const service = await aService(t, { clock });
  const expiring = await anExample(t, service.publicUrl, stripe);
  const pickup_datetime = new Date(Date.now() + 7 * 24 * 60 * MINUTE).toISOString();
  const [{ url }] = await handoff(service, { destination: "Bern", pickup_datetime });
  // The service's clock stands still, so its quote stays open while its time passes here.
  assert.equal((await expiring.pay(formOf(await expiring.book(new URL(url))))).status, 303);
  const session = stripe.sessions.at(-1);
  const ends = Number(session?.parameters.get("expires_at")) * 1000 - Date.now();
  assert.ok(ends > 30 * MINUTE && ends < 32 * MINUTE, `${ends / MINUTE} minutes`);
  await until(() => session?.status === "expired", "the session ends");
  assert.ok(session);
  await until(() => expiring.said().includes(`session ${session.id} ended with its quote`), "it is logged");
  assert.equal(await expiring.webhook(stripe.eventOf(session)), 204);
  assert.match(expiring.said(), /PAID LATE, confirm the vehicle or refund: quote q_/);

  clock.advance(30 * MINUTE);
  const before = stripe.sessions.length;
  for (const { status, text } of [await expiring.book(new URL(url)), await expiring.pay(new URL(url).searchParams)]) {
    assert.equal(status, 409);
    assert.match(text, /This offer has expired/);
  }
  assert.equal(stripe.sessions.length, before);
});

browserSuite("a browser", (browser) => {
  test("shows the offer in the operator's color, within the policy of the page", async () => {
    const page = await browser().newPage();
    const complaints: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    await page.goto((await aLink()).link.href);
    const color = await page.getByRole("button").evaluate((each) => getComputedStyle(each).backgroundColor);
    assert.equal(color, "rgb(138, 21, 56)");
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("shows a French traveler the same facts before and after the payment, on a phone and for everybody", async () => {
    const return_datetime = inTwoWeeks();
    const { link, price } = await aLink({ passengers: 3, return_datetime, flight_number: "LX 39" });
    const format = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
    const day = new Intl.DateTimeFormat("fr", format).format(new Date(return_datetime));
    const total = `CHF ${price.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, "’")}`;
    const facts = [
      ...["Example Transfers", "+41 00 000 00 00", "aéroport de Zurich", "12:00", `Retour : ${day}`, "Passagers 3"],
      ...[
        "Berline, p. ex. Mercedes-Benz Classe E",
        "LX 39",
        "Annulation gratuite jusqu’au",
        "Aller : Transfert",
        total,
      ],
    ];
    link.searchParams.set("lang", "fr");
    const page = await browser().newPage({ bypassCSP: true, viewport: { width: 390, height: 844 } });
    const shown = async () => (await page.locator("body").innerText()).replace(/\s+/g, " ");
    const assertShown = async () => {
      const text = await shown();
      for (const fact of facts) assert.ok(text.includes(fact), `${fact} is not in ${text}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await (await anAxe(page))(), []);
      }
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    };
    await page.goto(link.href);
    await assertShown();
    for (const [name, value] of Object.entries({ ...ENTERED, return_flight_number: "LX 40" })) {
      const input = page.locator(`input[name=${name}]`);
      if ((await input.count()) > 0) await input.fill(value);
    }
    await page.getByRole("button", { name: "Payer" }).click();
    const session = stripe.sessions.at(-1) ?? assert.fail("no session");
    assert.deepEqual([page.url(), session.parameters.get("locale")], [session.url, "fr"]);
    const paid = (session.parameters.get("success_url") ?? "").replace("{CHECKOUT_SESSION_ID}", session.id);
    await page.goto(`${paid}&looks=20`);
    assert.match(await shown(), /Ne payez pas une seconde fois.*Example Transfers, \+41 00 000 00 00/);
    await example.webhook(stripe.eventOf(session));
    await page.goto(paid);
    await assertShown();
    assert.match(await shown(), /Votre transfert est réservé.*Ada Muster/);
    const calendar = await page.getByRole("link", { name: "calendrier" }).getAttribute("href");
    const { text, headers } = await opened(new URL(calendar ?? "", paid).href);
    assert.match(headers.get("content-type") ?? "", /^text\/calendar/);
    const start = told.at(-1)?.booking.journey.return_datetime;
    assert.ok(text.includes(`DTSTART:${new Date(start).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`), text);
    await page.close();
  });
});

test("refuses to start without its settings, or with a key that moves money", async () => {
  for (const [STRIPE_SECRET_KEY, said] of [
    ["", "STRIPE_SECRET_KEY is not set"],
    ["sk_live_x", "STRIPE_SECRET_KEY is not valid"],
  ] as const) {
    const env = { SERVICE_URL: publicUrl, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_SECRET_KEY };
    const { ended, stderr } = startProgram([process.execPath, SERVER], { env: cleanEnvironment(env) });
    assert.equal((await ended).code, 2);
    assert.ok(stderr().startsWith(said));
    assert.doesNotMatch(stderr(), /live/);
  }
});
