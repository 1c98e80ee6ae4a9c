import cors from "cors";
import express, { type RequestHandler, type Router } from "express";
import { ERROR_CODES } from "../../src/contract/errors.ts";
import { readBuiltFile, readPackageFile } from "../../src/ops/package-root.ts";
import { pageHeaders } from "../../src/ops/page-headers.ts";
import { allowOnly } from "../../src/servers/http/app.ts";
import { PAGE_SOURCES, SCRIPTED_SOURCES } from "../../src/servers/http/page.ts";
import { API_BASE, languageOf } from "../../src/servers/http/request.ts";
import { aDocument, type Document, sendDocument } from "../../src/servers/http/send.ts";
import type { Operator } from "../../src/service/calls/operation.ts";
import { type ApiSite, openApi } from "../openapi.ts";
import { restOperations } from "../operations.ts";
import { filled } from "../parameters.ts";
import { type PageLanguage, privacyPage, type Site, supportPage } from "./about-pages.ts";
import { errorIndexPage, errorPage } from "./error-pages.ts";
import { frontPage } from "./front-page.ts";
import { referencePage } from "./reference-page.ts";
import { sandboxPage, sandboxText } from "./sandbox-page.ts";

type Content = string | Buffer;

/** Documents for people, agents and crawlers. They load nothing from other servers. */
export function createSiteRouter(site: Site): Router {
  const router = express.Router();
  const serve = (path: string, type: string, contentOf: () => Content, sources = PAGE_SOURCES) =>
    router.route(path).get(pageHeaders(sources), prepared(type, contentOf)).all(allowOnly("GET", "HEAD"));
  const serveTranslated = (path: string, pageIn: (site: Site, language: PageLanguage) => string) => {
    const { languages } = site.operator;
    const pages = languages.map((each) => [each, prepared("text/html", () => pageIn(site, each))] as const);
    const handlers = new Map(pages);
    router
      .route(path)
      .get(pageHeaders(PAGE_SOURCES), (request, response, next) => {
        response.vary("Accept-Language");
        handlers.get(languageOf(request, languages))?.(request, response, next);
      })
      .all(allowOnly("GET", "HEAD"));
  };

  // Tools that judge pages read robots.txt from within the page.
  serve("/", "text/html", () => frontPage(site), [...SCRIPTED_SOURCES, "connect-src 'self'"]);
  serveTranslated("/privacy", privacyPage);
  serveTranslated("/support", supportPage);
  serve("/docs", "text/html", () => referencePage(site), referenceSources(site));
  serve("/docs/errors", "text/html", () => errorIndexPage(site));
  for (const code of ERROR_CODES) serve(`/docs/errors/${code.toLowerCase()}`, "text/html", () => errorPage(code, site));
  serve("/docs/reference.css", "text/css", () => readPackageFile("rest-shim/site/browser/reference.css"));
  serve("/docs/reference.js", "text/javascript", () => readBuiltFile("reference.js"));
  serve("/copy.js", "text/javascript", () => readBuiltFile("copy.js"));
  const favicon = { type: "image/svg+xml", content: readPackageFile(`${SITE}/favicon.svg`) };
  for (const path of ["/favicon.svg", "/favicon.ico"]) serve(path, favicon.type, () => favicon.content);

  // The project's own color and logo where the operator has none.
  const logo = site.operator.logo ?? favicon;
  serve("/site.css", "text/css", () =>
    ["base", "site"].map((each) => readPackageFile(`${SITE}/${each}.css`)).join("\n"),
  );
  serve("/brand.css", "text/css", () => styleOf(site.operator));
  serve("/logo", logo.type, () => logo.content, ["style-src 'unsafe-inline'"]);

  if (site.sandbox) serve("/docs/sandbox", "text/html", () => sandboxPage(site), SCRIPTED_SOURCES);

  router.get("/openapi.json", cors());
  serve("/openapi.json", "application/json", () => JSON.stringify(openApi(site)));
  serve("/llms.txt", "text/plain", () => llmsText(site));
  serve("/robots.txt", "text/plain", () => ROBOTS);
  return router;
}

const SITE = "src/servers/http/site";

/**
 * Keeps crawlers out of the APIs. Allows the traveler's page, which messengers preview and which itself forbids
 * indexing.
 */
const ROBOTS = `User-agent: *\nDisallow: ${API_BASE}\nDisallow: /mcp\n`;

/** The reference has a script, which calls this server and, where known, the token endpoint. */
function referenceSources({ oauth }: ApiSite): string[] {
  const issuer = oauth ? ` ${new URL(oauth.tokenUrl).origin}` : "";
  return [...SCRIPTED_SOURCES, `connect-src 'self'${issuer}`];
}

/** Sends a document, which is created for the first request. */
function prepared(type: string, contentOf: () => Content): RequestHandler {
  let document: Document | undefined;
  return (_request, response) => {
    document ??= aDocument(type, contentOf());
    sendDocument(response, document);
  };
}

/** On a dark page links are lighter and buttons keep the color, and what a logo draws in dark letters stays legible. */
function styleOf({ color, logo }: Operator): string {
  const atLeast = (lightness: number) => `light-dark(${color}, oklch(from ${color} max(l, ${lightness}) c h))`;
  const colors = `:root { --accent: ${atLeast(0.78)}; --fill: ${atLeast(0.5)}; --on-fill: #fff }\n`;
  const plate =
    "@media (prefers-color-scheme: dark) { .brand img { padding: 0.25rem; border-radius: 0.375rem; background: #fff } }\n";
  return (color === undefined ? "" : colors) + (logo === undefined ? "" : plate);
}

/** `/llms.txt` and `docs/llms.txt`. */
export function llmsText({ publicUrl, sandbox }: ApiSite): string {
  const rows = restOperations.map(
    ({ method, path, title }) => `- ${method.toUpperCase()} ${API_BASE}${path}: ${title}`,
  );
  const values = { url: publicUrl, operations: rows.join("\n"), sandbox: sandbox ? `\n${sandboxText()}` : "" };
  return filled(readPackageFile("rest-shim/site/llms.txt"), values);
}
