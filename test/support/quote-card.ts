import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client as NewerClient, StreamableHTTPClientTransport as NewerHttp } from "@modelcontextprotocol/client";
import { AppBridge as NewerBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AppBridge } from "ext-apps-1/app-bridge";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Scope } from "../../src/service/calls/operation.ts";
import { compiledSchemas, newerCompiledSchemas } from "./compiled-schemas.ts";
import type { Fields } from "./mcp-client.ts";
import { NEWER } from "./mcp-messages.ts";
import { patientFetch } from "./patient-fetch.ts";
import type { TestService } from "./service.ts";

const INFO = { name: "host", version: "1.0.0" };
const CARD = { uri: "ui://transfer-quote/card" };
const ALL = { openLinks: {}, serverTools: {}, serverResources: {}, updateModelContext: { text: {} } };
/** The host's bridge in both major versions of the package, each with the MCP client of its protocol revisions. */
export const HOSTS: Readonly<
  Record<string, { client: () => Fields; http: (url: URL, init: RequestInit) => unknown; Bridge: Fields }>
> = {
  "ext-apps 1.7": {
    client: () => new Client(INFO, { jsonSchemaValidator: compiledSchemas }),
    http: (url, requestInit) => new StreamableHTTPClientTransport(url, { requestInit, fetch: patientFetch }),
    Bridge: AppBridge,
  },
  "ext-apps 2": {
    client: () =>
      new NewerClient(INFO, {
        versionNegotiation: { mode: { pin: NEWER } },
        jsonSchemaValidator: newerCompiledSchemas,
      }),
    http: (url, requestInit) => new NewerHttp(url, { requestInit, fetch: patientFetch }),
    Bridge: NewerBridge,
  },
};

interface CardOptions extends CardScreen {
  readonly host?: string;
  readonly capabilities?: object;
  readonly context?: object;
}

export type HostedCard = Awaited<ReturnType<typeof aQuoteCard>>;

/** A host that shows the quote card of a server, which it calls with the token. */
export async function aQuoteCard(
  t: Pick<TestContext, "after">,
  browser: Browser,
  { publicUrl, token }: { readonly publicUrl: string; readonly token: string },
  options: CardOptions = {},
) {
  const { host = "ext-apps 1.7", capabilities = ALL, context = { theme: "light" }, ...screen } = options;
  const { client: make, http, Bridge } = HOSTS[host] ?? assert.fail(host);
  const client = make();
  await client.connect(http(new URL(`${publicUrl}/mcp`), { headers: { Authorization: `Bearer ${token}` } }));
  t.after(() => client.close());
  const bridge = new Bridge(client, INFO, capabilities, { hostContext: context });
  const opened: string[] = [];
  bridge.onopenlink = async ({ url }: { url: string }) => {
    opened.push(url);
    return {};
  };
  bridge.onupdatemodelcontext = async () => ({});
  const [{ text: html }] = (await client.readResource(CARD)).contents;
  const shown = await aCardHost(t, browser, html, bridge, screen);
  return {
    ...shown,
    client,
    bridge,
    /** Links that the card asked the host to open. */
    opened: opened as readonly string[],
    /** Calls a tool like an agent, and sends input and result to the card. */
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<Fields> {
      const result = await client.callTool({ name, arguments: args });
      await bridge.sendToolInput({ arguments: args });
      await bridge.sendToolResult(result);
      await shown.card.locator("#options, #problem").filter({ visible: true }).first().waitFor();
      return result.structuredContent;
    },
    async text(selector: string): Promise<string> {
      return (await shown.card.locator(selector).innerText()).replace(/\s+/g, " ").trim();
    },
  };
}

/** A host with the card of a service; the browser's clock shows the time of the service. */
export async function hostedCard(
  t: Pick<TestContext, "after">,
  browser: Browser,
  { publicUrl, clock, token: tokenOf }: TestService,
  { scopes, ...options }: CardOptions & { readonly scopes?: readonly Scope[] } = {},
) {
  const token = await tokenOf(scopes ? { scopes } : {});
  return aQuoteCard(t, browser, { publicUrl, token }, { now: clock.now(), ...options });
}

const HOST = "http://host.test/";
const CARD_PAGE = "http://card.test/";
/** The strictest policy that hosts apply to a page that declares no domains. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'none'; media-src 'none'; connect-src 'none'";
/** A page that shows the card and forwards its messages. */
const HOST_PAGE = `<!doctype html><title>Host</title><style>body{margin:0}iframe{display:block;width:100%;height:3000px;border:0}</style>
<iframe id="card" sandbox="allow-scripts" src="${CARD_PAGE}" title="Card"></iframe>
<script>
  const frame = document.getElementById("card");
  addEventListener("message", ({ source, data }) => source === frame.contentWindow && fromCard(data));
</script>`;

const SCREEN = { width: 390, height: 700 };

interface CardScreen extends BrowserContextOptions {
  readonly now?: Date;
  /** Gives the frame the height that the card requests. Default: a fixed height, so that clicks do not miss buttons. */
  readonly isSized?: boolean;
}

/**
 * Shows a card's page in a sandboxed frame of a real browser, as hosts do, and connects it to the package's bridge,
 * which runs here. Resolves once the card is initialized.
 */
async function aCardHost(
  t: Pick<TestContext, "after">,
  browser: Browser,
  html: string,
  bridge: Fields,
  { now, isSized = false, ...contextOptions }: CardScreen = {},
) {
  const options = { viewport: SCREEN, locale: "en-GB", ...contextOptions };
  const browserContext = await browser.newContext(options);
  t.after(() => browserContext.close());
  t.after(() => bridge.close());
  const page = await browserContext.newPage();
  await page.exposeFunction("fromCard", (message: Fields) => {
    messages.push(message);
    transport.onmessage(message);
  });
  if (now) await page.clock.install({ time: now });
  const messages: Fields[] = [];
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    if (url === HOST) return route.fulfill({ contentType: "text/html", body: HOST_PAGE });
    const headers = { "content-security-policy": POLICY };
    if (url === CARD_PAGE) return route.fulfill({ contentType: "text/html; charset=utf-8", headers, body: html });
    requests.push(url);
    await route.abort();
  });

  const transport = {
    start: async () => {},
    close: async () => {},
    send: (message: unknown) =>
      page.evaluate((sent) => {
        (document.querySelector("iframe") as HTMLIFrameElement).contentWindow?.postMessage(sent, "*");
      }, message),
    // The bridge replaces it when it connects.
    onmessage: (_message: Fields) => {},
  };
  bridge.onsizechange = ({ height }: { height?: number }) => {
    if (height === undefined || !isSized) return;
    const resize = (pixels: number) => {
      (document.querySelector("iframe") as HTMLIFrameElement).style.height = `${pixels}px`;
    };
    // The page may be closing.
    page.evaluate(resize, height).catch(() => {});
  };
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  await bridge.connect(transport);
  await page.goto(HOST);
  await initialized;
  const card = page.frame({ url: CARD_PAGE });
  if (!card) throw new Error("the card has no frame");
  return {
    page,
    card,
    /** Messages of the card with this method, the oldest first. */
    of: (method: string): readonly Fields[] => messages.filter((each) => each.method === method),
    /** Console errors and uncaught errors, including violations of the policy. */
    complaints: complaints as readonly string[],
    /** URLs that were requested, except for the two pages. */
    requests: requests as readonly string[],
  };
}
