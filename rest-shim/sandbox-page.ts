import { documentBody, escapeHtml, page, table } from "../src/http/page.ts";
import { rehearsalTable } from "../src/sandbox/rehearsal-table.ts";

const INTRODUCTION =
  "This server is a sandbox: the names below provoke every error and every state of a quote, so that you can rehearse " +
  "what your agent does then. Send one as origin, destination or stop, over REST or MCP. The other places are real, the " +
  "price is that of a real corridor, and nothing lasts longer or costs less than otherwise.";

const MARKS =
  "Every rehearsed response says so: a limitation begins with “Rehearsal”, as does the detail of a problem. Retryable " +
  "problems have Retry-After. Budgets count as always.";

/** `/docs/sandbox`, where the sandbox is on. */
export function sandboxPage(): string {
  const rows = rehearsalTable.map(({ send, response, next }) => [send, response, next].map(withCode));
  return page({
    title: "Sandbox",
    body: documentBody("Sandbox", [
      `<p>${INTRODUCTION}</p>${table(["Send", "Response", "Then"], rows)}<p>${MARKS}</p>`,
    ]),
  });
}

/** For agents. */
export function sandboxText(): string {
  const rows = rehearsalTable.map(({ send, response, next }) => `- ${send}: ${response}${next && `; ${next}`}`);
  return `## Sandbox\n${INTRODUCTION} ${MARKS}\n\n${rows.join("\n")}\n`;
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
