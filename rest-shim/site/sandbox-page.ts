import { ERRORS, type ErrorCode } from "../../src/contract/errors.ts";
import { COPY_BUTTONS, escapeHtml, page, table } from "../../src/servers/http/page.ts";
import { dates, RETRY_SECONDS, rehearsals } from "../../src/service/sandbox/rehearsals.ts";
import type { Site } from "./about-pages.ts";

const INTRODUCTION =
  "This server is a sandbox: the names below provoke every error and every state of a quote, so that you can test how " +
  "your agent handles them. Send one as origin, destination or stop, over REST or MCP. All other places are real. The " +
  "price is that of a real corridor; no name makes a journey cheaper or a quote last longer.";

const MARKS =
  "Every rehearsed price and problem is marked: a limitation or the detail begins with “Rehearsal”, except that of a " +
  "quote that has expired or is not found. Retryable problems have Retry-After. Rate limits apply as always.";

/** For other pages. */
export const SANDBOX_LINK =
  '<p>This server is a <a href="/docs/sandbox">sandbox</a>: its special place names return every error and every state of a quote.</p>';

/** What to send and what it provokes, one row each; code is in backticks. */
export const rehearsalTable = [
  ...rehearsals.map(({ name, code, refuses, isOnce, quote = "an open quote" }) => {
    const send = `\`${name}\``;
    if (!code) return { send, response: quote, next: "checkout succeeds" };
    const everyTime = refuses && ERRORS[code].retryable ? "every time" : "";
    const again = isOnce ? `the same request succeeds after ${RETRY_SECONDS} s` : everyTime;
    if (refuses === "journey") return { send, response: coded(code), next: again };
    return { send, response: quote, next: `checkout: ${coded(code)}${again && `; ${again}`}` };
  }),
  ...dates.map(({ field, value, code }) => ({ send: `\`"${field}": "${value}"\``, response: coded(code), next: "" })),
];

export function sandboxPage({ operator }: Site): string {
  const rows = rehearsalTable.map(({ send, response, next }) => [
    withCode(send).replaceAll("<code>", '<code class="copyable">'),
    ...[response, next].map((text) => withLinks(withCode(text))),
  ]);
  return page({
    title: "Sandbox",
    operator,
    head: COPY_BUTTONS,
    body: [`<p>${INTRODUCTION}</p>${table(["Send", "Response", "Then"], rows)}<p>${MARKS}</p>`],
  });
}

/** The same as Markdown, for `/llms.txt`. */
export function sandboxText(): string {
  const rows = rehearsalTable.map(({ send, response, next }) => `- ${send}: ${response}${next && `; ${next}`}`);
  return `## Sandbox\n${INTRODUCTION} ${MARKS}\n\n${rows.join("\n")}\n`;
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function withLinks(html: string): string {
  return html.replace(
    /<code>([A-Z_]+)<\/code>/g,
    (code, name) => `<a href="/docs/errors/${name.toLowerCase()}">${code}</a>`,
  );
}

function coded(code: ErrorCode): string {
  return `${ERRORS[code].status} \`${code}\``;
}
