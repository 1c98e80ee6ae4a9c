import type { Operator } from "../../service/calls/operation.ts";
import WORDS from "./page-words.json" with { type: "json" };

type Language = Operator["languages"][number];

/** The content of a page. `body`, `heading` and `head` are HTML, the others text. */
export interface PageParts {
  readonly title: string;
  /** Or sections, which are shown as cards under the heading. */
  readonly body: string | readonly string[];
  /** Default: the title. */
  readonly heading?: string;
  /** Whose name is at the top, and whose imprint below the content. */
  readonly operator: Operator;
  readonly description?: string;
  /** Default: English. */
  readonly language?: Language;
  /** HTML of the navigation; default: the documents for developers. */
  readonly nav?: string;
  /** Added to the head, for pages with a style sheet or script of their own. */
  readonly head?: string;
}

/** Sources that the Content-Security-Policy of pages allows. */
export const PAGE_SOURCES = ["style-src 'self'", "img-src 'self'"];
/** The same for pages with a script of this server. */
export const SCRIPTED_SOURCES = [...PAGE_SOURCES, "script-src 'self'"];
/** The head of pages with code or addresses to copy; their sources are `SCRIPTED_SOURCES`. */
export const COPY_BUTTONS = '<script type="module" src="/copy.js"></script>';

const SITE_NAV =
  '<nav aria-label="Site" lang="en"><a href="/docs">API reference</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a></nav>';
const DESCRIPTION = "Prices for passenger transfers in Switzerland, for AI agents.";

/** The HTML of a page in the design that all pages share. It loads only files of this server. */
export function page(parts: PageParts): string {
  const { title, body, operator, language = "en" } = parts;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(parts.description ?? DESCRIPTION)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/logo">
<link rel="stylesheet" href="/site.css">
<link rel="stylesheet" href="/brand.css">${parts.head ?? ""}
</head>
<body>
<header>
<p class="brand"><img src="/logo" alt=""> <a href="/">${escapeHtml(operator.name)}</a></p>
${parts.nav ?? SITE_NAV}
</header>
${typeof body === "string" ? body : documentBody(parts.heading ?? escapeHtml(title), body)}
${imprint(operator, language)}
</body>
</html>
`;
}

/** The body of a text page: a heading, and sections as cards. All arguments are HTML. */
export function documentBody(heading: string, sections: readonly string[]): string {
  return `<main><h1>${heading}</h1>${sections.map((html) => `<section class="card">${html}</section>`).join("\n")}</main>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * An HTML table; cells are HTML. On a narrow screen cells stand below each other: by default the second of two columns
 * has no label there, those of more have their head.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  hasLabels = head.length > 2,
): string {
  const heads = head.map((cell) => `<th>${cell}</th>`).join("");
  const lines = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const label = hasLabels && index > 0 && cell ? ` data-label="${escapeHtml(head[index] ?? "")}"` : "";
      return `<td${label}>${cell}</td>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join("")}</tbody></table>`;
}

/** How the languages of travelers are called in themselves. */
const LANGUAGES = { en: "English", de: "Deutsch", fr: "français", it: "italiano" };

/** Of a Swiss VAT number, which each language writes in its own way. */
const VAT_SUFFIX = /\s*(MWST|TVA|IVA|VAT)$/i;

/** The foot of every page for travelers, in HTML: who the operator is, how to reach it, and its other pages. */
export function imprint(operator: Operator, language: Language): string {
  const { name, postalAddress, phone, email, website, registerNumber, vatNumber, license, termsUrl } = operator;
  const { imprint: words } = WORDS[language];
  const vat = vatNumber?.replace(VAT_SUFFIX, "");
  // A company has one number for both.
  const numbers = [
    registerNumber && `${words.register} ${registerNumber}${vat === registerNumber ? ` ${words.vat}` : ""}`,
    vat && vat !== registerNumber && `${vat} ${words.vat}`,
  ];
  const lines = [
    [name, postalAddress]
      .filter(Boolean)
      .map((text) => escapeHtml(String(text)))
      .join(", "),
    [
      link(`tel:${phone.replaceAll(" ", "")}`, phone),
      link(`mailto:${email}`, email),
      website && link(website, website.replace(/^https:\/\//, "")),
    ],
    [...numbers, license].flatMap((text) => (text ? `<span class="number">${escapeHtml(text)}</span>` : [])).join(", "),
    [
      link(`/privacy?lang=${language}`, words.privacy),
      link(`/support?lang=${language}`, words.support),
      termsUrl && link(termsUrl, words.terms),
    ],
  ];
  const html = lines.map((line) => {
    const text = typeof line === "string" ? line : line.filter(Boolean).join(" ");
    return text && `<p${typeof line === "string" ? "" : ' class="contact"'}>${text}</p>`;
  });
  return `<footer id="imprint">${html.join("")}</footer>`;
}

export function link(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}

/**
 * Links to a page in each language of the operator, of which the current one is marked; none where it has one alone.
 * `query` is the rest of its address.
 */
export function languageLinks(
  { languages }: Operator,
  current: string,
  query: Readonly<Record<string, string>> = {},
): string {
  if (languages.length === 1) return "";
  const links = languages.map((each) => {
    const address = `?${new URLSearchParams({ ...query, lang: each })}`;
    const mark = each === current ? ' aria-current="true"' : "";
    const short = each.toUpperCase();
    return `<a href="${escapeHtml(address)}" lang="${each}" hreflang="${each}" aria-label="${short}, ${LANGUAGES[each]}"${mark}>${short}</a>`;
  });
  return links.join(" ");
}
