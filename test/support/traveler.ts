import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { aQuoteRequest } from "./journey-fixture.ts";
import type { Fields } from "./mcp-client.ts";
import { isShed } from "./patient-fetch.ts";
import { aService, type ServiceOptions, type TestService } from "./service.ts";

/** Pattern for `page.route` that matches all API requests. */
export const API = "**/api/public/**";

/** Quotes a journey over REST, and creates handoffs for its first options without manual confirmation. */
export async function handoff(service: TestService, overrides: Readonly<Record<string, unknown>> = {}, options = 1) {
  const token = await service.token();
  const { status, text, body: quote } = await service.api("/quotes", { token, body: aQuoteRequest(overrides) });
  assert.equal(status, 201, text);
  const chosen: Fields[] = quote.options.filter(({ on_request }: Fields) => !on_request).slice(0, options);
  const handedOver = chosen.map(async (option) => {
    const body = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
    const answer = await service.api("/checkout-sessions", { token, body });
    assert.equal(answer.status, 200, answer.text);
    return {
      url: answer.body.checkout_url as string,
      totalPrice: option.total_price as number,
      vehicleType: option.vehicle_type as string,
      seats: option.passenger_capacity as number,
    };
  });
  const [first, ...others] = await Promise.all(handedOver);
  assert.ok(first && others.length === options - 1, text);
  return [first, ...others] as const;
}

/** A phone in another time zone. Its browser context closes before clean-ups that are registered on `t` later. */
async function aTraveler(t: TestContext, browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 375, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: "en-GB",
    timezoneId: "America/New_York",
    ...options,
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: URL[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(new URL(request.url())));
  const settled = page.locator("#offer, #problem").filter({ visible: true }).first();

  return {
    page,
    /** Console errors, uncaught errors and violations of the content security policy. */
    complaints: complaints as readonly string[],
    requests: requests as readonly URL[],
    problem: page.getByRole("alert"),
    /** Opens a link and waits until the page shows an offer or a problem. */
    async open(url: string) {
      await page.goto(url);
      await settled.waitFor();
    },
    /** The text of the element with this id, with plain spaces. */
    async text(id: string) {
      return ((await page.locator(`#${id}`).textContent()) ?? "").replace(/\s+/g, " ").trim();
    },
    sections: () =>
      page
        .locator("main > section")
        .filter({ visible: true })
        .evaluateAll((all) => all.map(({ id }) => id)),
  };
}

/**
 * A traveler and the whole service. The Date header, which Node sets by the machine's clock, is replaced by the fixed
 * time of the service, so that the clock of the phone differs from it.
 */
export async function aTravelerAndService(
  t: TestContext,
  browser: Browser,
  { phone, ...options }: ServiceOptions & { readonly phone?: BrowserContextOptions } = {},
) {
  const traveler = await aTraveler(t, browser, phone);
  const service = await aService(t, options);
  let changed: ((offer: Fields) => object) | undefined;
  await traveler.page.route(API, async (route) => {
    let response = await route.fetch();
    while (response.status() === 503 && isShed(await response.text())) response = await route.fetch();
    const headers = { ...response.headers(), date: service.clock.now().toUTCString() };
    const json = changed && response.ok() && changed(await response.json());
    await route.fulfill({ response, headers, ...(json && { json }) });
  });
  /** Changes the service's offers with `change` before the page gets them, from now on. */
  const changeOffers = (change: (offer: Fields) => object) => {
    changed = change;
  };
  return { ...traveler, service, changeOffers };
}
