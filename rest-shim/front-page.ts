import { documentBody, escapeHtml, page, table } from "../src/http/page.ts";
import type { ApiSite } from "./openapi.ts";
import { operations } from "./operations.ts";

const SANDBOX = `
       <p>This server is a <a href="/docs/sandbox">sandbox</a>: place names provoke every error and state of a quote.</p>`;

/** `/`: what this server is, for authors of agents, operators and travelers. */
export function frontPage({ publicUrl, operator, sandbox }: ApiSite): string {
  const address = (path: string) => `<code class="address">${escapeHtml(`${publicUrl}${path}`)}</code>`;
  const tools = operations
    .filter(({ tool }) => tool.listedOverMcp !== false)
    .map(({ tool }) => [`<code>${tool.name}</code>`, escapeHtml(tool.title)]);
  const unique = [...new Map(tools.map((row) => [row[0], row])).values()];
  return page({
    title: "Transfer quotes",
    body: documentBody("Prices for passenger transfers in Switzerland, for AI agents", [
      `<p>An agent describes a journey, gets a price that is fixed for 30 minutes, and hands the traveler a signed link to
       checkout. The server measures every route itself. Nothing is booked or reserved before the traveler has paid.</p>`,
      `<h2>For authors of agents</h2>
       <p>MCP over Streamable HTTP; add this address to your host:</p>${address("/mcp")}
       <p>REST, with the same operations:</p>${address("/api/public/v1")}
       <p><a href="/docs">API reference</a>, <a href="/openapi.json">OpenAPI 3.1</a>,
       <a href="/docs/errors">error codes</a>, <a href="/llms.txt">llms.txt</a>,
       <a href="/.well-known/oauth-protected-resource/mcp">OAuth metadata</a></p>${sandbox ? SANDBOX : ""}
       ${table(["Tool", "Does"], unique)}`,
      `<h2>For operators</h2>
       <p>State of the server: <a href="/healthz">alive</a>, <a href="/readyz">ready</a>. On the server,
       <code>transfer-quote-mcp check</code> inspects configuration, catalog and dependencies, and
       <code>transfer-quote-mcp prices</code> lists the tariff.</p>`,
      `<h2>For travelers</h2>
       <p>If your assistant gave you a link that starts with this address, it shows your offer. Opening it books and costs
       nothing: you pay only on the operator's own page. Questions: ${escapeHtml(operator.name)},
       <a href="mailto:${escapeHtml(operator.email)}">${escapeHtml(operator.email)}</a>, or the
       <a href="/support">support page</a>. The <a href="/privacy">privacy page</a> lists what is stored.</p>`,
    ]),
  });
}
