import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { aQuoteRequest } from "./journey-fixture.ts";
import { isShed } from "./patient-fetch.ts";
import { aService, type ServiceOptions, type TestService } from "./service.ts";

/** For `page.route`: all API requests of the page. */
export const API = "**/api/public/**";

/** What an agent did before its traveler opens anything. */
export interface Handoff {
  readonly url: string;
  readonly totalPrice: number;
  readonly vehicleType: string;
  readonly seats: number;
}

/** Quotes a journey over REST and hands over its first options, as many as asked for, that need nobody's confirmation. */
export async function handoff(
  service: TestService,
  overrides: Readonly<Record<string, unknown>> = {},
  options = 1,
): Promise<[Handoff, ...Handoff[]]> {
  const token = await service.token();
  const quote = await service.api("/quotes", { token, body: aQuoteRequest(overrides) });
  assert.equal(quote.status, 201, quote.text);
  const handoffs: Handoff[] = [];
  for (const option of quote.body.options) {
    if (option.on_request || handoffs.length === options) continue;
    const body = { quote_id: quote.body.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
    const answer = await service.api("/checkout-sessions", { token, body });
    assert.equal(answer.status, 200, answer.text);
    handoffs.push({
      url: answer.body.checkout_url,
      totalPrice: option.total_price,
      vehicleType: option.vehicle_type,
      seats: option.passenger_capacity,
    });
  }
  const [first, ...others] = handoffs;
  assert.equal(handoffs.length, options);
  assert.ok(first);
  return [first, ...others];
}

export interface Traveler {
  readonly page: Page;
  /** Opens a link and waits until the page has an offer or a problem to show. */
  open(url: string): Promise<void>;
  /** The text of the element with this id, with plain spaces. */
  text(id: string): Promise<string>;
  /** The ids of the sections that can be seen. */
  sections(): Promise<string[]>;
  readonly problem: Locator;
  /** Console errors, uncaught errors and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Every address that the page requested. */
  readonly requests: readonly URL[];
}

/** A phone in another time zone. Closed before whatever is registered on `t` later. */
async function aTraveler(t: TestContext, browser: Browser, options: BrowserContextOptions = {}): Promise<Traveler> {
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
    complaints,
    requests,
    problem: page.getByRole("alert"),
    async open(url) {
      await page.goto(url);
      await settled.waitFor();
    },
    async text(id) {
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
 * A traveler and the whole service. The Date header, which Node takes from the machine's clock, is replaced by the
 * fixed time of the service, so the phone's clock differs from it.
 */
export async function aTravelerAndService(
  t: TestContext,
  browser: Browser,
  { phone, ...options }: ServiceOptions & { readonly phone?: BrowserContextOptions } = {},
): Promise<Traveler & { readonly service: TestService }> {
  const traveler = await aTraveler(t, browser, phone);
  const service = await aService(t, options);
  await traveler.page.route(API, async (route) => {
    let response = await route.fetch();
    while (response.status() === 503 && isShed(await response.text())) response = await route.fetch();
    const headers = { ...response.headers(), date: service.clock.now().toUTCString() };
    await route.fulfill({ response, headers });
  });
  return { ...traveler, service };
}
