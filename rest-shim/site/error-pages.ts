import { ERROR_CODES, ERRORS, type ErrorCode } from "../../src/contract/errors.ts";
import { escapeHtml, page, table } from "../../src/servers/http/page.ts";
import { readApiExamples } from "../api-examples.ts";
import { restOperations } from "../operations.ts";
import { httpRequest } from "../parameters.ts";
import type { Site } from "./about-pages.ts";

export function errorIndexPage({ operator }: Site): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, retryable, when } = ERRORS[code];
    const link = `<a href="/docs/errors/${code.toLowerCase()}"><code>${code}</code></a>`;
    return [link, String(status), retryable ? "retry" : "do not retry", escapeHtml(when)];
  });
  const intro =
    "<p>Over REST an error is a problem document (<code>application/problem+json</code>); over MCP the same document is " +
    "the second text of the failed call, after a sentence. Branch on <code>code</code>, and follow <code>next_action</code>.</p>";
  return page({
    title: "Error codes",
    operator,
    body: [intro + table(["Code", "HTTP status", "Same request again", "When"], rows)],
  });
}

/** `/docs/errors/<code>`, the `type` of a problem: when it occurs, what to do, and a recorded call. */
export function errorPage(code: ErrorCode, { publicUrl, operator }: Site): string {
  const { status, retryable, title, when, nextAction } = ERRORS[code];
  const retry = retryable ? "The identical request may succeed later." : "Do not retry the identical request.";
  return page({
    title: code,
    operator,
    heading: title,
    body: [
      `<p><code>${code}</code>, HTTP status ${status}. ${retry}</p><h2>When</h2><p>${escapeHtml(when)}</p>` +
        `<h2>What to do</h2><p>${escapeHtml(nextAction)}</p>`,
      `<h2>Example</h2>${example(code, publicUrl)}<p><a href="/docs/errors">All error codes</a></p>`,
    ],
  });
}

function example(code: ErrorCode, publicUrl: string): string {
  const recorded = readApiExamples(publicUrl).problems.find(({ response }) => response.code === code);
  const row = restOperations.find(({ operationId }) => operationId === recorded?.operationId);
  if (!recorded || !row) return "";
  const { method, path, body } = httpRequest(row, recorded.args);
  const request = [`${method} ${path}`, ...(body ? ["", JSON.stringify(body, undefined, 2)] : [])].join("\n");
  return `<p>Request</p>${preformatted(request)}<p>Response</p>${preformatted(JSON.stringify(recorded.response, undefined, 2))}`;
}

function preformatted(text: string): string {
  return `<pre tabindex="0">${escapeHtml(text)}</pre>`;
}
