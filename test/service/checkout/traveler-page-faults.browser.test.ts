import assert from "node:assert/strict";
import { test } from "node:test";
import { aCatalogWithBudgets } from "../../support/catalog-with-budgets.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aService } from "../../support/service.ts";
import { API, handoff } from "../../support/traveler.ts";
import { aTravelerAndService } from "../../support/traveler-page.ts";

const SOME_LINK = `/checkout?quote_id=q_x&fleet_id=1&sig=${"A".repeat(43)}`;
const DAY = 24 * 60 * 60 * 1000;

browserSuite("the traveler's page when the service cannot answer", (browser) => {
  test("shows the offer once a retry succeeds", async (t) => {
    const { service, page, open, showInstead, problem, sections } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    await open(url);
    const faults = [
      // As while checkout is disabled.
      { status: 503, contentType: "application/problem+json", body: '{"code":"UPSTREAM_UNAVAILABLE"}' },
      { status: 503, contentType: "text/html", body: "<h1>Bad gateway</h1>" },
      { status: 200, contentType: "text/html", body: "<h1>Welcome to the hotel's network</h1>" },
      { status: 200, contentType: "application/json", body: "{}" },
    ];
    for (const fault of faults) {
      await page.route(API, (route) => route.fulfill(fault), { times: 1 });
      await showInstead(url);
      assert.match((await problem.textContent()) ?? "", /does not answer at the moment/);
      assert.deepEqual(await sections(), ["problem"]);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator("#offer").waitFor();
      assert.deepEqual(await sections(), ["journey", "offer", "particulars", "next"]);
    }
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
    assert.equal((await refused).status(), 429);
    const seconds = Number((await refused).headers()["retry-after"]);
    assert.ok(seconds > 60);
    assert.match((await problem.textContent()) ?? "", /Your link is still valid/);

    const button = page.getByRole("button");
    assert.equal(await button.textContent(), `Try again in ${seconds} s`);
    assert.equal(await button.isEnabled(), false);
    await page.clock.runFor(seconds * 1000 - 1);
    assert.equal(await button.textContent(), "Try again in 1 s");
    assert.equal(await button.isEnabled(), false);
    await page.clock.runFor(2);
    assert.equal(await button.textContent(), "Try again");
    const before = requests.length;
    const again = page.waitForResponse(API);
    await button.click();
    assert.equal((await again).status(), 429);
    assert.equal(requests.length, before + 1);
  });

  test("reports that it is offline, and can be tried again", async (t) => {
    const { service, page, open, problem } = await aTravelerAndService(t, browser());
    const [{ url }] = await handoff(service);
    await page.route(API, (route) => route.fulfill({ status: 503, body: "" }), { times: 1 });
    await open(url);
    await page.unrouteAll();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Try again" }).click();
    await problem.getByText("Check your internet connection").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("#problem").waitFor({ state: "hidden" });
  });

  test("explains that it needs JavaScript", async (t) => {
    const { service, page } = await aTravelerAndService(t, browser(), { phone: { javaScriptEnabled: false } });
    await page.goto(`${service.publicUrl}${SOME_LINK}`);
    const text = page.locator("noscript p").first();
    assert.match((await text.textContent()) ?? "", /This page needs JavaScript/);
    assert.equal(await text.isVisible(), true);
    assert.equal(await page.getByRole("status").isVisible(), false);
  });
});
