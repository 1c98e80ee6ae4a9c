import { COPY_BUTTONS, documentBody, escapeHtml, page, table } from "../src/http/page.ts";
import type { ApiSite } from "./openapi.ts";
import { operations } from "./operations.ts";

/** Data that the service keeps about callers and travelers: what, where and for how long. */
export const KEPT_DATA = [
  [
    "Quotes: places and stop names as the agent sent them, times, party, luggage, prices, the subject of the access token",
    "the quote store",
    "24 hours past the quote's expiry",
  ],
  ["Answers under an idempotency key, with digests of key, subject and arguments", "the quote store", "24 hours"],
  ["Rate limits: the subject or network address, with a count", "memory or Redis", "5 minutes at most"],
  [
    "Log lines: time, operation, outcome, the client's name and a keyed hash of the subject; no places, tokens or links",
    "the operator's logs",
    "as long as the operator keeps its logs",
  ],
  ["Calls: request id, time, operation, the client's name, outcome and quote id", "the quote store", "7 days"],
  [
    "Sales figures: place or corridor ids, kilometers, vehicle class, total and outcome; nothing about the traveler",
    "the quote store",
    "400 days, or as the operator has set",
  ],
] as const;

/** Questions for the support page, with answers or where to find them (HTML). */
const QUESTIONS = [
  [
    "A call fails",
    'The problem\'s code has a page under <a href="/docs/errors">Errors</a>. Give its request_id when you ask.',
  ],
  [
    "A host does not connect",
    'The 401 answer names the authorization server; <a href="/llms.txt">llms.txt</a> has the addresses.',
  ],
  [
    "A checkout link shows no offer",
    "Links expire 30 minutes after the quote was issued. Ask your assistant for a new one.",
  ],
  [
    "A booking, payment, refund or lost property",
    "Ask the operator. This service takes no payments and stores no bookings.",
  ],
] as const;

/** `/privacy`: which data are kept, for users and for directories that list the service. */
export function privacyPage(site: ApiSite): string {
  return page({
    title: "Privacy",
    body: documentBody("Privacy", [
      `<p>This service prices journeys for AI agents. It asks for places, times and the size of a party. It does not ask
       for names, phone numbers or payment data, and its pages load nothing from other servers.</p>`,
      `<h2>What is kept</h2>${table(
        ["Data", "Where", "How long"],
        KEPT_DATA.map((row) => row.map(escapeHtml)),
      )}`,
      `<h2>Who receives it</h2><p>Where the operator has configured a geocoder or a routing engine, it receives the texts
       and positions of a journey and nothing about the caller. When a checkout link is created or opened, the operator's
       own systems receive the journey that it shows, where the operator has configured it. What your assistant and its provider keep of the
       conversation is governed by their terms.</p>`,
      `<h2>Who is responsible</h2>${contact(site)}`,
    ]),
  });
}

/** `/support`: whom to ask about what. */
export function supportPage(site: ApiSite): string {
  const rows = QUESTIONS.map(([question, answer]) => [escapeHtml(question), answer]);
  return page({
    title: "Support",
    body: documentBody("Support", [contact(site), `<h2>Before you ask</h2>${table(["About", "Answer"], rows)}`]),
  });
}

function contact({ operator }: ApiSite): string {
  const { name, email, phone, website, termsUrl } = operator;
  const lines = [
    `<a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`,
    phone && `<a href="tel:${escapeHtml(phone.replaceAll(" ", ""))}">${escapeHtml(phone)}</a>`,
    website && `<a href="${escapeHtml(website)}">${escapeHtml(website)}</a>`,
    termsUrl && `<a href="${escapeHtml(termsUrl)}">Terms</a>`,
  ];
  return `<p>${escapeHtml(name)}, ${lines.filter(Boolean).join(", ")}</p>`;
}

const SANDBOX = `
       <p>This server is a <a href="/docs/sandbox">sandbox</a>: its special place names return every error and every state of a quote.</p>`;

/** `/`: what this server is, for authors of agents, operators and travelers. */
export function frontPage({ publicUrl, operator, sandbox }: ApiSite): string {
  const address = (path: string) => `<code class="address">${escapeHtml(`${publicUrl}${path}`)}</code>`;
  const tools = operations
    .filter(({ tool }) => tool.listedOverMcp !== false)
    .map(({ tool }) => [`<code>${tool.name}</code>`, escapeHtml(tool.title)]);
  const unique = [...new Map(tools.map((row) => [row[0], row])).values()];
  return page({
    head: COPY_BUTTONS,
    title: "Transfer quotes",
    body: documentBody("Prices for passenger transfers in Switzerland, for AI agents", [
      `<p>An agent describes a journey, gets a price that is fixed for 30 minutes, and hands the traveler a signed link to
       checkout. The server measures every route itself. Nothing is booked or reserved before the traveler has paid.</p>`,
      `<h2>For authors of agents</h2>
       <p>MCP over Streamable HTTP; add this address to your host:</p>${address("/mcp")}
       <p>In Claude Code:</p>
       <code class="address">claude mcp add --transport http transfer-quote ${escapeHtml(publicUrl)}/mcp</code>
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
