/** The content of a page. `body`, `heading` and `head` are HTML, the others text. */
export interface PageParts {
  readonly title: string;
  /** Or sections, which are shown as cards under the heading. */
  readonly body: string | readonly string[];
  /** Default: the title. */
  readonly heading?: string;
  /** The operator's name, beside its logo. */
  readonly brand: string;
  readonly description?: string;
  /** Default: English. */
  readonly language?: string;
  /** HTML of the navigation; default: the documents for developers. */
  readonly nav?: string;
  /** HTML below the content; default: none. */
  readonly foot?: string;
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
export function page({
  title,
  body,
  heading = escapeHtml(title),
  brand,
  description = DESCRIPTION,
  language = "en",
  nav = SITE_NAV,
  foot = "",
  head = "",
}: PageParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/logo">
<link rel="stylesheet" href="/site.css">
<link rel="stylesheet" href="/brand.css">${head}
</head>
<body>
<header>
<p class="brand"><img src="/logo" alt=""> <a href="/">${escapeHtml(brand)}</a></p>
${nav}
</header>
${typeof body === "string" ? body : documentBody(heading, body)}
${foot}</body>
</html>
`;
}

/** The body of a text page: a heading, and sections as cards. All arguments are HTML. */
export function documentBody(heading: string, sections: readonly string[]): string {
  return `<main class="document"><h1>${heading}</h1>${sections.map((html) => `<section class="card">${html}</section>`).join("\n")}</main>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** An HTML table; cells are HTML. On a narrow screen cells stand below each other, with the head as their label. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((cell) => `<th>${cell}</th>`).join("");
  const lines = rows.map((row) => {
    const cells = row.map((cell, index) => `<td data-label="${escapeHtml(head[index] ?? "")}">${cell}</td>`);
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join("")}</tbody></table>`;
}
