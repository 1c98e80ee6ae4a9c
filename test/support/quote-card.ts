import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client as NewerClient, StreamableHTTPClientTransport as NewerHttp } from "@modelcontextprotocol/client";
import { AppBridge as NewerBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AppBridge } from "ext-apps-1/app-bridge";
import type { Browser } from "playwright-core";
import type { Scope } from "../../src/service/calls/operation.ts";
import { aCardHost, type CardScreen } from "./card-host.ts";
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
