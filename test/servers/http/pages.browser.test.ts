import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { decodeJwt } from "jose";
import type { Locator, Page } from "playwright-core";
import type { AboutSite } from "../../../rest-shim/site/about-pages.ts";
import { createSiteRouter } from "../../../rest-shim/site/site-router.ts";
import { ERROR_CODES } from "../../../src/contract/errors.ts";
import { anAxe, type Findings, hasSettled } from "../../support/axe.ts";
import { online as service } from "../../support/browser-services.ts";
import { browserSuite } from "../../support/chromium.ts";
import { aClock } from "../../support/fake-clock.ts";
import { FULL_JOURNEY } from "../../support/journey-fixture.ts";
import { aService } from "../../support/service.ts";
import { handoff } from "../../support/traveler.ts";
import { until } from "../../support/until.ts";

const SCREENS = [
  { width: 390, height: 844, colorScheme: "dark" },
  { width: 820, height: 1180, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
] as const;
type Screen = (typeof SCREENS)[number];
/** The reference has many sections that are made alike: on each screen axe judges those with a kind of element more. */
const SECTIONS = "main > section";
const FITS = "fits and loads nothing from elsewhere";
const PROMISE = `${FITS}, and has no accessibility findings, in light and in dark`;
/** Paths of pages that a script renders, and what has been rendered once they can be seen. */
const RENDERED = [
  ["/checkout", "#problem"],
  ["/docs", "text=curl"],
] as const;

const run = promisify(execFile);
const documents = await htmlPages(service.publicUrl);

browserSuite("pages", (browser) => {
  let page: Page;
  const elsewhere: string[] = [];
  before(async () => {
    // axe runs inside the page, which allows no script but its own.
    page = await browser().newPage({ bypassCSP: true });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== service.publicUrl && protocol !== "data:") elsewhere.push(request.url());
    });
  });

  const [ofCodes, others] = [true, false].map((isOfCode) =>
    [...documents, "/nothing"].filter((path) => path.startsWith("/docs/errors/") === isOfCode),
  );
  for (const path of others ?? []) test(`${path} ${PROMISE}`, () => inspect(path, "h1"));
  // The pages of error codes are made alike: axe judges one on each screen, and the others have to fit a phone.
  for (const [at, path] of (ofCodes ?? []).entries()) {
    const screens = SCREENS.slice(at, at + 1);
    if (screens.length > 0) test(`${path} ${PROMISE}`, () => inspect(path, "h1", screens));
    else test(`${path} ${FITS}`, () => fits(path, "h1"));
  }
  for (const language of ["de", "fr", "it"])
    for (const path of ["/privacy", "/support"])
      test(`${path} in ${language} ${FITS}`, () => fits(`${path}?lang=${language}`, `html[lang=${language}] h1`));
  for (const [path, rendered] of RENDERED) test(`${path} ${PROMISE}`, () => inspect(path, rendered));
  for (const [name, request] of Object.entries({ "an offer": {}, "an offer with everything": FULL_JOURNEY })) {
    test(`/checkout with ${name} ${PROMISE}`, async () => inspect((await handoff(service, request))[0].url, "#offer"));
  }

  test(`/checkout with an expired offer ${PROMISE}`, async (t) => {
    const [{ url }] = await handoff(service);
    service.clock.advance(31 * 60_000);
    t.after(() => service.clock.advance(-31 * 60_000));
    await inspect(url, "#problem");
  });

  async function inspect(path: string, rendered: string, screens: readonly Screen[] = SCREENS): Promise<void> {
    await fits(path, rendered, screens[0]);
    let findings: Findings | undefined;
    for (const screen of screens) {
      const where = `at ${screen.width} pixels, ${screen.colorScheme}`;
      if (screen !== screens[0]) await use(screen);
      await until(() => hasSettled(page), "all colors have changed");
      await assertFits(where);
      await page.locator(SECTIONS).evaluateAll(hideRepeated);
      findings ??= await anAxe(page);
      assert.deepEqual(await findings(), [], where);
    }
  }

  async function fits(path: string, rendered: string, screen: Screen = SCREENS[0]): Promise<void> {
    await use(screen);
    await page.goto(new URL(path, service.publicUrl).href);
    await page.locator(rendered).filter({ visible: true }).first().waitFor();
    await assertFits(path);
    assert.deepEqual(elsewhere, []);
  }

  async function assertFits(where: string): Promise<void> {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: too wide`);
  }

  async function use({ colorScheme, ...viewport }: Screen): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
  }

  test("are all that the server has", () => {
    for (const path of ["/", "/privacy", "/support", "/docs/errors", "/docs/sandbox"]) {
      assert.ok(documents.includes(path), path);
    }
    assert.equal(documents.filter((path) => path.startsWith("/docs/errors/")).length, ERROR_CODES.length);
  });

  test("the reference signs the demo client in, both ways, and sends quote and checkout within its policy", async (t) => {
    // The issuer has no clock but the machine's.
    const service = await aService(t, { clock: aClock(new Date().toISOString()) });
    const { page, complaints, origins } = await aReference(t, service);
    const { clientSecret } = JSON.parse(readFileSync(join(service.dataDir, "development-keys.json"), "utf8"));
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

    for (const [id, status] of [
      ["createQuote", 201],
      ["getOwnQuote", 200],
      ["createCheckoutHandoff", 200],
    ] as const) {
      const button = sectionOf(page, id).getByRole("button", { name: "Send" });
      await button.hover();
      await button.click();
      const result = sectionOf(page, id).locator("[role=status] .result");
      await result.waitFor();
      assert.match((await result.textContent()) ?? "", new RegExp(`^HTTP ${status} · \\d+ ms$`), id);
      const shown = sectionOf(page, id).locator("[role=status] pre").first();
      assert.match((await shown.textContent()) ?? "", /^\{\n {2}"/, "the body comes before the headers");
      assert.match(await shown.evaluate((each) => getComputedStyle(each).fontFamily), /mono/);
      assert.equal(await button.innerText(), "Send");
    }
    assert.deepEqual([...origins], [service.publicUrl]);
    assert.deepEqual(complaints, []);
  });

  test("the reference says to sign in before a call that needs it, and marks the section that is read", async (t) => {
    const { page } = await aReference(t);
    const section = sectionOf(page, "createQuote");
    await section.getByRole("button", { name: "Send" }).click();
    await section.getByRole("link", { name: "Sign in first" }).click();
    assert.ok(await page.getByLabel("Access token").isVisible());
    await page.locator("#contents a", { hasText: "Create a binding quote" }).click();
    await page.locator("#contents a[aria-current]", { hasText: "Create a binding quote" }).waitFor();
  });

  test("code is copied by a button, and an error code stays in one piece", async (t) => {
    const context = await browser().newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${service.publicUrl}/docs/sandbox`);
    const name = await page.locator(".copyable").first().textContent();
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), name);
    await page.getByRole("link", { name: "INVALID_LOCATION" }).first().click();
    await page.getByRole("heading", { name: "Example" }).waitFor();
    await page.goto(`${service.publicUrl}/docs/errors`);
    const broken = await page
      .locator("td:first-child code")
      .evaluateAll((all) => all.filter((code) => code.getClientRects().length > 1));
    assert.deepEqual(broken, []);
    await page.setViewportSize({ width: 390, height: 800 });
    const label = await page
      .locator("td:nth-child(2)")
      .first()
      .evaluate((cell) => getComputedStyle(cell, "::before").content);
    assert.equal(label, '"HTTP status: "');
  });

  test("the reference's samples follow the form, with this server's address, and work", async (t) => {
    const { page } = await aReference(t);
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

  test("the reference's example has a pickup in the second week from now, whenever it is read", async (t) => {
    const now = new Date("2031-05-07T10:00:00Z");
    const { page } = await aReference(t, service, undefined, now);
    const { pickup_datetime } = JSON.parse(await sectionOf(page, "createQuote").getByLabel("Body").inputValue());
    const days = (Date.parse(pickup_datetime) - now.getTime()) / 86_400_000;
    assert.ok(days > 7 && days < 15, pickup_datetime);
  });

  test("the reference is searched, and its contents open on a phone, with the keyboard", async (t) => {
    const { page } = await aReference(t, service, { width: 390, height: 800 });
    const quote = page.getByRole("link", { name: "POST Create a binding quote" });
    assert.ok(!(await quote.isVisible()));
    await page.getByRole("button", { name: "Contents and search" }).press("Enter");
    await page.getByLabel("Search").fill("vehicle DIMENSIONS_cm");
    await page.getByText("1 found").waitFor();
    const found = ["Authorization", "List vehicle classes and luggage rules"];
    assert.deepEqual(await page.locator("main > section:visible h2").allTextContents(), found);
    await page.getByLabel("Search").fill("quote:create");
    await quote.press("Enter");
    await until(() => page.getByRole("heading", { name: "Create a binding quote" }).isVisible(), "the section is seen");
    assert.ok(!(await quote.isVisible()), "the contents are closed again");
  });

  async function aReference(
    t: TestContext,
    { publicUrl, clock } = service,
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

/** Hides sections whose elements have the classes and tags of those in a section before it. */
function hideRepeated(sections: readonly Element[]): void {
  const shown = new Set<string>();
  for (const section of sections as readonly HTMLElement[]) {
    const kinds = [...section.querySelectorAll("*")].map((each) => {
      const parent = each.parentElement === section ? "" : `${each.parentElement?.localName}`;
      return `${parent} ${each.localName}.${each.className}[${each.getAttributeNames().sort()}]`;
    });
    section.hidden = kinds.every((kind) => shown.has(kind));
    for (const kind of kinds) shown.add(kind);
  }
}

function sectionOf(page: Page, operationId: string): Locator {
  return page.locator("section", { has: page.locator(`#${operationId}`) });
}

/** Of the documents' router, those that are HTML; a script renders the reference. */
async function htmlPages(publicUrl: string): Promise<readonly string[]> {
  const { stack } = createSiteRouter({ sandbox: true, operator: { languages: ["en"] } } as unknown as AboutSite);
  const paths = stack.flatMap(({ route }) => (route && route.path !== "/docs" ? [route.path] : []));
  const types = await Promise.all(
    paths.map(async (path) => (await fetch(publicUrl + path, { method: "HEAD" })).headers.get("content-type")),
  );
  return paths.filter((_path, at) => types[at]?.startsWith("text/html"));
}
