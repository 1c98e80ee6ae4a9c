import express, { type RequestHandler, type Router } from "express";
import { ERROR_CODES, ERRORS, type ErrorCode } from "../src/contract/errors.ts";
import { API_BASE } from "../src/http/api-base.ts";
import { type PreparedResponse, prepareResponse, sendPrepared } from "../src/http/prepared-response.ts";
import { pageHeaders } from "../src/ops/page-headers.ts";
import { escapeHtml, PAGE_SOURCES, page } from "./html.ts";
import { type ApiSite, openApi } from "./openapi.ts";
import { operations } from "./operations.ts";
import { referencePage } from "./reference-page.ts";

/** `/openapi.json`, `/docs` (works offline), `/docs/errors/<code>` (what a problem's `type` points to), `/llms.txt`. */
export function createDocsRouter(site: ApiSite): Router {
  const router = express.Router();
  router.get(["/openapi.json", "/docs", "/docs/errors/:code", "/llms.txt"], pageHeaders(PAGE_SOURCES));
  const openApiText = () => JSON.stringify(openApi(site));
  router.get("/openapi.json", allowAnyOrigin, prepared("application/json; charset=utf-8", openApiText));
  router.get("/docs", prepared(HTML, referencePage));
  for (const code of ERROR_CODES) {
    router.get(
      `/docs/errors/${code.toLowerCase()}`,
      prepared(HTML, () => errorPage(code)),
    );
  }
  router.get(
    "/llms.txt",
    prepared("text/plain; charset=utf-8", () => llmsText(site.publicUrl)),
  );
  return router;
}

/** Sends a document that is made with its first request. */
function prepared(type: string, textOf: () => string): RequestHandler {
  let document: PreparedResponse | undefined;
  return (request, response) => {
    document ??= prepareResponse(type, textOf());
    sendPrepared(request, response, document);
  };
}

const allowAnyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  next();
};

const HTML = "text/html; charset=utf-8";

function errorPage(code: ErrorCode): string {
  const { status, retryable, title, when, nextAction } = ERRORS[code];
  return page(
    code,
    `<h1>${title}</h1><p><code>${code}</code>, HTTP ${status}, ${retryable ? "the identical request may succeed later" : "not retryable"}.</p>` +
      `<h2>When</h2><p>${escapeHtml(when)}</p><h2>What to do</h2><p>${escapeHtml(nextAction)}</p><p><a href="/docs">API reference</a></p>`,
  );
}

function llmsText(publicUrl: string): string {
  const rows = operations.map(
    ({ method, path, tool }) => `- ${method.toUpperCase()} ${API_BASE}${path}: ${tool.title}`,
  );
  return `# Transfer quotes Switzerland

> Binding prices for passenger transfers in Switzerland, and signed checkout links for travelers.

- MCP (Streamable HTTP): ${publicUrl}/mcp
- OpenAPI: ${publicUrl}/openapi.json
- API reference: ${publicUrl}/docs
- OAuth: ${publicUrl}/.well-known/oauth-protected-resource

## REST operations
${rows.join("\n")}
`;
}
