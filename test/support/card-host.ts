import type { TestContext } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Fields } from "./mcp-client.ts";

const HOST = "http://host.test/";
const CARD = "http://card.test/";
/** The strictest policy that hosts apply to a page that declares no domains. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'none'; media-src 'none'; connect-src 'none'";
/** A page that shows the card and forwards its messages. */
const HOST_PAGE = `<!doctype html><title>Host</title><style>body{margin:0}iframe{display:block;width:100%;height:3000px;border:0}</style>
<iframe id="card" sandbox="allow-scripts" src="${CARD}" title="Card"></iframe>
<script>
  const frame = document.getElementById("card");
  addEventListener("message", ({ source, data }) => source === frame.contentWindow && fromCard(data));
</script>`;

const SCREEN = { width: 390, height: 700 };

export interface CardScreen extends BrowserContextOptions {
  readonly now?: Date;
  /** Gives the frame the height that the card requests. Default: a fixed height, so that clicks do not miss buttons. */
  readonly isSized?: boolean;
}

/**
 * Shows a card's page in a sandboxed frame of a real browser, as hosts do, and connects it to the package's bridge,
 * which runs here. Resolves once the card is initialized.
 */
export async function aCardHost(
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
    if (url === CARD) return route.fulfill({ contentType: "text/html; charset=utf-8", headers, body: html });
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
  const card = page.frame({ url: CARD });
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
