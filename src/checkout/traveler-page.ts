import { join } from "node:path";
import express, { type Router } from "express";
import { packageRoot } from "../ops/package-root.ts";
import { pageHeaders } from "../ops/page-headers.ts";

const PAGE_FOLDER = join(packageRoot, "src", "checkout", "page");

/** Its own files only: no inline code. */
const SOURCES = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/** The reference page a traveler lands on: static files that resolve the link in the browser. Mounted at `/checkout`. */
export function createTravelerPage(): Router {
  const router = express.Router({ strict: true });
  router.use(pageHeaders(SOURCES), (_request, response, next) => {
    // The address holds the signature: it is kept nowhere.
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  router.get(["", "/"], (_request, response) =>
    response.sendFile("index.html", { root: PAGE_FOLDER, cacheControl: false }),
  );
  router.use(express.static(PAGE_FOLDER, { index: false, redirect: false, cacheControl: false, extensions: false }));
  return router;
}
