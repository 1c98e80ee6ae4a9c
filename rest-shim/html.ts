import { inlineStyle } from "../src/ops/page-headers.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}" +
  "code{background:#f2f2f2;padding:.1em .3em;border-radius:3px}section{border-top:1px solid #ddd;margin-top:1.5rem}" +
  "pre{background:#f2f2f2;padding:.6rem;overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid #ddd;padding:.3rem .6rem;text-align:left}";

/** Content security policy of a page: its own style and nothing else. */
export const PAGE_SOURCES = [inlineStyle(STYLE)];

/** A whole page of documentation; `body` is HTML. It needs nothing from anywhere else. */
export function page(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>${body}</body></html>`
  );
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Cells are HTML. Nothing where there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table>${line("th", head)}${rows.map((row) => line("td", row)).join("")}</table>`;
}
