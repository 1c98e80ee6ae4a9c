import type { Operator } from "../../src/calls/operation.ts";
import { COPY_BUTTONS, documentBody, escapeHtml, page, table } from "../../src/http/page.ts";
import type { ApiSite } from "../openapi.ts";
import { operations } from "../operations.ts";
import about from "./about-words.json" with { type: "json" };

/** Languages of the pages for travelers; about-words.json has every text in each. */
export const PAGE_LANGUAGES = ["en", "de", "fr", "it"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** A text in a language, with its values filled in. */
function worded(
  words: Readonly<Record<PageLanguage, string>>,
  language: PageLanguage,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return words[language].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** What the pages for travelers say of this server. */
export interface AboutSite extends ApiSite {
  /** The operator, its texts for travelers in a language. */
  readonly operatorIn: (language: PageLanguage) => Operator;
  /** How many days calls and sales are kept; 0: as long as the quotes. */
  readonly keptDays: { readonly calls: number; readonly sales: number };
  /** Other systems that receive data, where they are configured. */
  readonly recipients: readonly Recipient[];
}

type Recipient = "geocoder" | "router" | "events" | "checkout";

/** Data that the service keeps about callers and travelers, in a language: what, where and for how long. */
export function keptData(language: PageLanguage, { calls, sales }: AboutSite["keptDays"]): readonly string[][] {
  // Sales that are not kept on their own are deleted with their quotes, about a day after these.
  const days = { callDays: calls, salesDays: Math.max(sales, 2) };
  return about.kept.map((row) => [row.what, row.where, row.how_long].map((cell) => worded(cell, language, days)));
}

/** `/privacy`: why which data are kept, for travelers and for directories that list the service. */
export function privacyPage(site: AboutSite, language: PageLanguage): string {
  const { say, table, document } = inLanguage(language);
  const operator = site.operatorIn(language);
  const { name, privacyUrl } = operator;
  const policy = privacyUrl && `<p>${link(privacyUrl, say("own_policy", { operator: name }))}</p>`;
  const recipients = site.recipients.map((each) => say(`to_${each}`));
  const receivers = [say("to_operator", { operator: name }), ...recipients, say("to_nobody")];
  return document("privacy", name, [
    `<p>${say("intro")}</p>`,
    `<h2>${say("why")}</h2>${table(
      ["purpose", "basis"],
      [
        [say("why_offer"), say("basis_offer")],
        [say("why_safe"), say("basis_safe")],
      ],
    )}`,
    `<h2>${say("kept")}</h2>${table(
      ["data", "where", "how_long"],
      keptData(language, site.keptDays).map((row) => row.map(escapeHtml)),
    )}`,
    `<h2>${say("who")}</h2><ul>${receivers.map((text) => `<li>${text}</li>`).join("")}</ul>`,
    `<h2>${say("rights")}</h2><p>${say("rights_list")}</p><p>${say("rights_complaint")}</p>`,
    `<h2>${say("responsible")}</h2>${contact(operator, language)}${policy ?? ""}`,
  ]);
}

/** `/support`: whom to ask about what. */
export function supportPage(site: AboutSite, language: PageLanguage): string {
  const { say, table, document } = inLanguage(language);
  const operator = site.operatorIn(language);
  const values = { operator: operator.name };
  const rows = (["reference", "link", "booking", "call", "host"] as const).map((each) => [
    say(`${each}_question`),
    say(`${each}_answer`, values),
  ]);
  return document("support", operator.name, [
    contact(operator, language),
    `<h2>${say("before")}</h2>${table(["about", "answer"], rows)}`,
  ]);
}

type Word = keyof typeof about.words;

/** What writes a page in one language; the texts are HTML. */
function inLanguage(language: PageLanguage) {
  const say = (key: Word, values?: Readonly<Record<string, string>>) =>
    escapeHtml(worded(about.words[key], language, values));
  const languageLink = (each: PageLanguage) => {
    const current = each === language ? ' aria-current="true"' : "";
    return `<a href="?lang=${each}" lang="${each}" hreflang="${each}"${current}>${about.words.language[each]}</a>`;
  };
  const nav = `<nav aria-label="${say("languages")}">${PAGE_LANGUAGES.map(languageLink).join(" ")}</nav>`;
  return {
    say,
    table: (head: readonly Word[], rows: readonly (readonly string[])[]) =>
      table(
        head.map((key) => say(key)),
        rows,
      ),
    document(key: "privacy" | "support", brand: string, sections: readonly string[]) {
      const title = worded(about.words[key], language);
      const description = worded(about.words.intro, language);
      return page({ title, brand, language, nav, description, body: documentBody(say(key), sections) });
    },
  };
}

/** Who the operator is, and how to reach it. */
function contact(operator: Operator, language: PageLanguage): string {
  const { say } = inLanguage(language);
  const labeled = (term: "phone_hours" | "payment_methods", text: string) =>
    say("labeled", { term: worded(about.words[term], language), text });
  const { name, email, phone, website, termsUrl, postalAddress, registerNumber, license } = operator;
  const { phoneHours, paymentMethods } = operator;
  const lines = [
    escapeHtml([name, postalAddress].filter(Boolean).join(", ")),
    [
      link(`tel:${phone.replaceAll(" ", "")}`, escapeHtml(phone)),
      link(`mailto:${email}`, escapeHtml(email)),
      website && link(website, escapeHtml(website)),
      termsUrl && link(termsUrl, say("terms")),
    ]
      .filter(Boolean)
      .join(", "),
    phoneHours && labeled("phone_hours", phoneHours),
    paymentMethods && labeled("payment_methods", paymentMethods),
    [registerNumber && say("register", { number: registerNumber }), license && escapeHtml(license)]
      .filter(Boolean)
      .join(", "),
  ];
  return lines
    .filter(Boolean)
    .map((line) => `<p>${line}</p>`)
    .join("");
}

function link(address: string, html: string): string {
  return `<a href="${escapeHtml(address)}">${html}</a>`;
}

const SANDBOX = `
       <p>This server is a <a href="/docs/sandbox">sandbox</a>: its special place names return every error and every state of a quote.</p>`;

const FLOW =
  "An AI agent asks this server for a price and gives the traveler a signed link; the traveler books and pays at the operator";

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
    brand: operator.name,
    body: documentBody("Prices for passenger transfers in Switzerland, for AI agents", [
      `<p>An agent describes a journey, gets a price that is fixed for 30 minutes, and hands the traveler a signed link to
       checkout. The server measures every route itself. Nothing is booked or reserved before the traveler has paid.</p>
       <picture><source media="(prefers-color-scheme: dark)" srcset="/flow-dark.svg"><img class="flow" src="/flow.svg"
       alt="${FLOW}" width="780" height="132"></picture>`,
      `<h2>For authors of agents</h2>
       <p>MCP over Streamable HTTP; add this address to your host:</p>${address("/mcp")}
       <p>In Claude and ChatGPT it is a custom connector. In Claude Code and VS Code:</p>
       <code class="address">claude mcp add --transport http transfer-quote ${escapeHtml(publicUrl)}/mcp</code>
       <code class="address">code --add-mcp '${escapeHtml(JSON.stringify({ name: "transfer-quote", type: "http", url: `${publicUrl}/mcp` }))}'</code>
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
