import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import express, { type Router } from "express";
import { packageRoot } from "../ops/package-root.ts";
import { pageHeaders } from "../ops/page-headers.ts";

const PAGE_FOLDER = join(packageRoot, "src", "checkout", "page");

/** Its own files only: no inline code. */
const SOURCES = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/**
 * The reference page a traveler lands on: static files that resolve the link in the browser. Mounted at `/checkout`.
 * They are served from memory, with the operator's name: `express.static` leaves its file open where a connection closes
 * before a pipelined request has had its turn.
 */
export function createTravelerPage(operatorHtml: () => string): Router {
  const router = express.Router({ strict: true });
  router.use(pageHeaders(SOURCES), (_request, response, next) => {
    // The address holds the signature: it is kept nowhere.
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  for (const name of readdirSync(PAGE_FOLDER, { recursive: true, encoding: "utf8" })) {
    if (extname(name) === "") continue;
    const paths = name === "index.html" ? ["", "/", "/index.html"] : `/${name.replaceAll("\\", "/")}`;
    const file = readFileSync(join(PAGE_FOLDER, name), "utf8");
    const content = () => (name === "index.html" ? file.replaceAll("{operator}", operatorHtml) : file);
    router.get(paths, (_request, response) => void response.type(extname(name)).send(content()));
  }
  return router;
}
