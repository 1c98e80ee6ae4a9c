import type { TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { example } from "./browser-services.ts";
import type { Fields } from "./mcp-client.ts";
import { isShed } from "./patient-fetch.ts";
import type { TestService } from "./service.ts";
import { API } from "./traveler.ts";

interface TravelerOptions {
  /** Default: the packaged example. */
  readonly service?: TestService;
  readonly phone?: BrowserContextOptions;
  /** Whether the test controls the time of the page. */
  readonly hasClock?: boolean;
}

/**
 * A traveler with a phone in another time zone. The Date header, which Node sets by the machine's clock, is replaced by
 * the fixed time of the service, so that the clock of the phone differs from it.
 */
export async function aTravelerAndService(
  t: Pick<TestContext, "after">,
  browser: Browser,
  { service = example, phone = {}, hasClock = false }: TravelerOptions = {},
) {
  const options = {
    viewport: { width: 375, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: "en-GB",
    timezoneId: "America/New_York",
    ...phone,
  };
  const context = await browser.newContext(options);
  t.after(() => context.close());
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  const complaints: string[] = [];
  const requests: URL[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(new URL(request.url())));
  let changed: ((offer: Fields) => object) | undefined;
  await page.route(API, async (route) => {
    let response = await route.fetch();
    while (response.status() === 503 && isShed(await response.text())) response = await route.fetch();
    const headers = { ...response.headers(), date: service.clock.now().toUTCString() };
    const json = changed && response.ok() && changed(await response.json());
    await route.fulfill({ response, headers, ...(json && { json }) });
  });

  return {
    page,
    service,
    /** Console errors, uncaught errors and violations of the content security policy. */
    complaints: complaints as readonly string[],
    requests: requests as readonly URL[],
    problem: page.getByRole("alert"),
    /** Opens a link and waits until the page shows an offer or a problem. */
    async open(url: string) {
      await page.goto(url);
      await settled(page);
    },
    /** Shows the offer or problem of a link in the document that is open. */
    showInstead: (url: string) => showInstead(page, url),
    /** The text of the element with this id, with plain spaces. */
    async text(id: string) {
      return ((await page.locator(`#${id}`).textContent()) ?? "").replace(/\s+/g, " ").trim();
    },
    sections: () =>
      page
        .locator("main > section")
        .filter({ visible: true })
        .evaluateAll((all) => all.map(({ id }) => id)),
    /** Changes the service's offers with `change` before the page gets them, from now on. */
    changeOffers(change: (offer: Fields) => object) {
      changed = change;
    },
  };
}

/** Waits until the traveler's page shows an offer or a problem. */
export function settled(page: Page): Promise<void> {
  return page.locator("#offer, #problem").filter({ visible: true }).first().waitFor();
}

/**
 * Shows another link of the same service in the document that is open, by the page's own retry, in a quarter of the time
 * that a load takes. The language stays that of the document.
 */
export async function showInstead(page: Page, url: string): Promise<void> {
  await page.evaluate((link) => {
    const { searchParams: query } = new URL(link);
    const id = query.get("quote_id");
    query.delete("quote_id");
    query.delete("lang");
    history.replaceState(null, "", link);
    document.getElementById("terms")?.setAttribute("href", `/api/public/v1/checkout-sessions/${id}?${query}`);
    scrollTo(0, 0);
    const retry = document.getElementById("retry") as HTMLButtonElement;
    retry.disabled = false;
    retry.click();
  }, url);
  await settled(page);
}
