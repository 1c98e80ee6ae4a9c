import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { decodeJwt } from "jose";
import type { Locator, Page } from "playwright-core";
import { online } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aService } from "../../support/service.ts";

const run = promisify(execFile);

browserSuite("the reference of the API", (browser) => {
  test("signs the demo client in, both ways, and sends quote and checkout within its policy", async (t) => {
    // The issuer has no clock but the machine's.
    const service = await aService(t, { clock: aClock(new Date().toISOString()) });
    const { page, complaints, origins } = await aReference(t, service);
    const { clientSecret } = JSON.parse(readFileSync(join(service.dataDir, "development-keys.json"), "utf8"));
    await sectionOf(page, "createQuote").getByRole("button", { name: "Send" }).click();
    await sectionOf(page, "createQuote").getByRole("link", { name: "Sign in first" }).click();
    const signedIn = page.getByText("Signed in");
    await page.getByRole("button", { name: "Sign in" }).click();
    await signedIn.waitFor();
    assert.equal(new URL(page.url()).search, "", "the code is not left in the address");
    assert.equal(decodeJwt(await page.getByLabel("Access token").inputValue()).sub, "demo-traveler-agent");

    await page.goto(`${service.publicUrl}/docs`);
    await page.getByLabel("Client secret").fill(clientSecret);
    await page.getByRole("button", { name: "Get a token" }).click();
    await signedIn.waitFor();
    assert.equal(decodeJwt(await page.getByLabel("Access token").inputValue()).sub, "demo");
    for (const [id, status] of Object.entries({ createQuote: 201, getOwnQuote: 200, createCheckoutHandoff: 200 })) {
      await sectionOf(page, id).getByRole("button", { name: "Send" }).click();
      const result = sectionOf(page, id).locator("[role=status] .result");
      await result.waitFor();
      assert.match((await result.textContent()) ?? "", new RegExp(`^HTTP ${status} · \\d+ ms$`), id);
    }
    assert.deepEqual([[...origins], complaints], [[service.publicUrl], []]);
  });

  test("has samples that follow its form and work", async (t) => {
    const { page } = await aReference(t, online);
    const section = sectionOf(page, "createQuoteEstimate");
    const body = section.getByLabel("Body");
    await body.fill((await body.inputValue()).replace("Zermatt", "Val-d'Illiez"));
    const curl = (await section.locator(".curl").textContent()) ?? "";
    const { stdout } = await run("bash", ["-c", curl]);
    assert.equal(JSON.parse(stdout).destination, "Val-d'Illiez");
    await section.getByText("JavaScript", { exact: true }).click();
    const sample = (await section.locator(".javascript").textContent()) ?? "";
    assert.match((await run(process.execPath, ["--input-type=module", "--eval", sample])).stdout, /^200 /);
  });

  test("is searched, and its contents open on a phone, with the keyboard; its pickup is always to come", async (t) => {
    const now = new Date("2031-05-07T10:00:00Z");
    const { page } = await aReference(t, online, { width: 390, height: 800 }, now);
    const { pickup_datetime } = JSON.parse(await sectionOf(page, "createQuote").getByLabel("Body").inputValue());
    const days = (Date.parse(pickup_datetime) - now.getTime()) / 86_400_000;
    assert.ok(days > 7 && days < 15, pickup_datetime);
    const quote = page.getByRole("link", { name: "POST Create a binding quote" });
    assert.ok(!(await quote.isVisible()));
    await page.getByRole("button", { name: "Contents and search" }).press("Enter");
    await page.getByLabel("Search").fill("vehicle DIMENSIONS_cm");
    await page.getByText("1 found").waitFor();
    const found = ["Authorization", "List vehicle classes and luggage rules"];
    assert.deepEqual(await page.locator("main > section:visible h2").allTextContents(), found);
    await page.getByLabel("Search").fill("quote:create");
    await quote.press("Enter");
    await page.getByRole("heading", { name: "Create a binding quote" }).waitFor();
    assert.ok(!(await quote.isVisible()), "the contents are closed again");
  });

  test("has its name and its search below each other, and fills a wide screen", async (t) => {
    const { page } = await aReference(t, online, { width: 1920, height: 1080 });
    const box = async (selector: string) => (await page.locator(selector).boundingBox()) ?? assert.fail(selector);
    assert.equal((await box(".brand")).x, (await box("#search")).x);
    assert.equal((await box("main")).width, 1600);
    const [search, first] = [await box("#search"), await box("#contents h2 >> nth=0")];
    assert.ok(first.y - search.y - search.height >= 12, "a space above the first heading");
  });

  async function aReference(
    t: TestContext,
    { publicUrl, clock }: typeof online,
    viewport = { width: 1440, height: 900 },
    now = clock.now(),
  ) {
    const context = await browser().newContext({ viewport });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    const complaints: string[] = [];
    const origins = new Set<string>();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    await page.goto(`${publicUrl}/docs`);
    return { page, complaints, origins };
  }
});

function sectionOf(page: Page, operationId: string): Locator {
  return page.locator("section", { has: page.locator(`#${operationId}`) });
}
