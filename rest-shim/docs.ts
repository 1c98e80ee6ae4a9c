import express, { type Router } from "express";
import { ERRORS, type ErrorCode } from "../src/contract/errors.ts";
import { API_BASE } from "../src/http/api-base.ts";
import { prepareResponse, sendPrepared } from "../src/http/prepared-response.ts";
import { escapeHtml, page } from "./html.ts";
import { openApi } from "./openapi.ts";
import { operations } from "./operations.ts";
import { referencePage } from "./reference-page.ts";

export interface DocsParts {
  readonly publicUrl: string;
  readonly issuer: string;
}

/** `/openapi.json`, `/docs` (works offline), `/docs/errors/<code>` (what a problem's `type` points to), `/llms.txt`. */
export function createDocsRouter({ publicUrl, issuer }: DocsParts): Router {
  const router = express.Router();
  const description = prepareResponse("application/json; charset=utf-8", JSON.stringify(openApi(publicUrl, issuer)));
  const reference = prepareResponse(HTML, referencePage());
  const forModels = prepareResponse("text/plain; charset=utf-8", llmsText(publicUrl));
  const errorPages = new Map(
    (Object.keys(ERRORS) as ErrorCode[]).map((code) => [code.toLowerCase(), prepareResponse(HTML, errorPage(code))]),
  );

  router.get("/openapi.json", (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    sendPrepared(request, response, description);
  });
  router.get("/docs", (request, response) => sendPrepared(request, response, reference));
  router.get("/docs/errors/:code", (request, response, next) => {
    const page = errorPages.get(request.params.code);
    if (!page) return next();
    sendPrepared(request, response, page);
  });
  router.get("/llms.txt", (request, response) => sendPrepared(request, response, forModels));
  return router;
}

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
