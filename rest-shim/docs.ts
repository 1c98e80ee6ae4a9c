import express, { type Router } from "express";
import { ERROR_CATALOGUE, type ErrorCode } from "../src/contract/errors.ts";
import { escapeHtml, page } from "./html.ts";
import { openApi } from "./openapi.ts";
import { operations } from "./operations.ts";
import { API_BASE } from "./rest-router.ts";

export interface DocsParts {
  readonly publicUrl: string;
  readonly issuer: string;
}

/** `/openapi.json`, `/docs` (works offline), `/docs/errors/<code>` (what a problem's `type` points to), `/llms.txt`. */
export function createDocsRouter({ publicUrl, issuer }: DocsParts): Router {
  const router = express.Router();
  const description = openApi(publicUrl, issuer);
  const reference = referencePage();
  const forModels = llmsText(publicUrl);

  router.get("/openapi.json", (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.json(description);
  });
  router.get("/docs", (_request, response) => void response.type("html").send(reference));
  router.get("/docs/errors/:code", ({ params }, response, next) => {
    const code = Object.keys(ERROR_CATALOGUE).find((each) => each.toLowerCase() === params.code);
    if (code === undefined) return next();
    response.type("html").send(errorPage(code as ErrorCode));
  });
  router.get("/llms.txt", (_request, response) => void response.type("text/plain").send(forModels));
  return router;
}

function errorPage(code: ErrorCode): string {
  const { status, retryable, title, when, nextAction } = ERROR_CATALOGUE[code];
  return page(
    code,
    `<h1>${title}</h1><p><code>${code}</code>, HTTP ${status}, ${retryable ? "the identical request may succeed later" : "not retryable"}.</p>` +
      `<h2>When</h2><p>${escapeHtml(when)}</p><h2>What to do</h2><p>${escapeHtml(nextAction)}</p><p><a href="/docs">API reference</a></p>`,
  );
}

function referencePage(): string {
  const rows = operations.map(({ operationId, method, path, tool }) => {
    const access = tool.access.kind === "scope" ? tool.access.scope : tool.access.kind;
    const fields = Object.entries(fieldsOf(tool.input)).map(
      ([name, description]) => `<dt><code>${name}</code></dt><dd>${escapeHtml(description)}</dd>`,
    );
    return (
      `<section id="${operationId}"><h2>${escapeHtml(tool.title)}</h2>` +
      `<p><code>${method.toUpperCase()} ${API_BASE}${path}</code><br>${operationId}; MCP tool ${tool.access.kind === "signature" ? "none" : `<code>${tool.name}</code>`}; access ${access}; budget ${tool.rateTier}</p>` +
      `<p>${escapeHtml(tool.description)}</p>${fields.length > 0 ? `<dl>${fields.join("")}</dl>` : ""}</section>`
    );
  });
  const errors = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, when }]) =>
      `<tr><td><a href="/docs/errors/${code.toLowerCase()}">${code}</a></td><td>${status}</td><td>${escapeHtml(when)}</td></tr>`,
  );
  return page(
    "API reference",
    `<h1>API reference</h1><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. MCP endpoint: <code>/mcp</code>.</p>${rows.join("")}` +
      `<h2>Errors</h2><table><tr><th>Code</th><th>Status</th><th>When</th></tr>${errors.join("")}</table>`,
  );
}

function fieldsOf(input: unknown): Record<string, string> {
  const { shape = {} } = input as { shape?: Record<string, { description?: string }> };
  return Object.fromEntries(
    Object.entries(shape).map(([name, { description }]) => [name, description ?? ""]),
  );
}

function llmsText(publicUrl: string): string {
  const rows = operations.map(
    ({ method, path, tool }) => `- ${method.toUpperCase()} ${API_BASE}${path}: ${tool.title}`,
  );
  return `# Transfer quotes Switzerland

> Binding prices for passenger transfers in Switzerland, and a signed hand-over of the traveler to checkout.

- MCP (Streamable HTTP): ${publicUrl}/mcp
- OpenAPI: ${publicUrl}/openapi.json
- API reference: ${publicUrl}/docs
- OAuth: ${publicUrl}/.well-known/oauth-protected-resource

## REST operations
${rows.join("\n")}
`;
}
