import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { aJourney, freePort, withServer } from "./journey.mjs";
import { chromiumPath, packagePath, startProgram } from "./server.mjs";

const WEB = packagePath("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

export const checks = [
  {
    client: "MCP Inspector, web view in Chromium",
    from: "@modelcontextprotocol/inspector",
    does: "a quote's card: no CSP violation",
    run: (project) =>
      withServer(project, async ({ endpoint, authorization }) => {
        const [CLIENT_PORT, MCP_SANDBOX_PORT] = [await freePort(), await freePort()];
        const target = ["--transport", "http", "--server-url", endpoint, "--header", `Authorization: ${authorization}`];
        const env = { CLIENT_PORT, MCP_SANDBOX_PORT, MCP_AUTO_OPEN_ENABLED: "false" };
        const { printed, close } = await startProgram([WEB, "--web", ...target], env, /API_TOKEN=\w+\s/);
        const browser = await chromium.launch({ executablePath: chromiumPath });
        try {
          const [url] = /http:\S+API_TOKEN=\w+/.exec(printed);
          await seeCard(await browser.newPage({ viewport: { width: 1600, height: 1200 } }), url);
        } finally {
          await browser.close();
          await close();
        }
      }),
  },
];

async function seeCard(page, url) {
  const violations = [];
  await page.exposeFunction("onViolation", (text) => violations.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      globalThis.onViolation(`${violatedDirective} ${blockedURI}`);
    });
  });
  page.on("console", (message) => {
    if (/violates the following Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await page.goto(url);
  await page.getByRole("switch").first().click({ force: true });
  await page.getByText("Apps", { exact: true }).click();
  await page.getByRole("button", { name: /^Create a binding quote/ }).click();
  for (const [name, value] of Object.entries(aJourney())) {
    await page.getByRole("textbox", { name: new RegExp(`^${name}\\b`) }).fill(String(value));
  }
  await page.getByRole("button", { name: "Open App" }).click();
  const card = page.frameLocator("iframe").frameLocator("iframe");
  await card.getByText("Zurich Airport → Bern").waitFor();
  await card.getByRole("button", { name: /CHF/ }).first().waitFor();
  assert.deepEqual(violations, []);
}
