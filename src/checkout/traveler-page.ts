import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import express, { type Router } from "express";
import { NOTICES } from "../contract/notices.ts";
import { packageRoot } from "../ops/package-root.ts";
import { pageHeaders } from "../ops/page-headers.ts";

const PAGE_FOLDER = join(packageRoot, "src", "checkout", "page");

/** The words of the page in English, where the sentences of notices are the API's own. */
const ENGLISH = join("texts", "en.json");

/** Content-Security-Policy of the page: its own files only, no inline code. */
const SOURCES = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/**
 * The reference checkout page: static files that resolve the link in the traveler's browser, mounted at `/checkout`.
 * They are served from memory with the operator's name inserted, because `express.static` leaks an open file when a
 * connection closes before a pipelined request has been answered.
 */
export function createTravelerPage(operatorHtml: () => string): Router {
  const router = express.Router({ strict: true });
  router.use(pageHeaders(SOURCES), (_request, response, next) => {
    // The page's address contains the signature, so no cache may store it.
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  for (const name of readdirSync(PAGE_FOLDER, { recursive: true, encoding: "utf8" })) {
    if (extname(name) === "") continue;
    const paths = name === "index.html" ? ["", "/", "/index.html"] : `/${name.replaceAll("\\", "/")}`;
    const written = readFileSync(join(PAGE_FOLDER, name), "utf8");
    const file = name === ENGLISH ? JSON.stringify({ ...JSON.parse(written), notices: NOTICES }) : written;
    const content = () => (name === "index.html" ? file.replaceAll("{operator}", operatorHtml) : file);
    router.get(paths, (_request, response) => void response.type(extname(name)).send(content()));
  }
  return router;
}
