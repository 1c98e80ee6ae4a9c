import { join } from "node:path";
import express, { type Router } from "express";
import { packageRoot } from "../ops/package-root.ts";

const PAGE_FOLDER = join(packageRoot, "src", "checkout", "page");

/** Only files of this origin, no inline code, nothing that frames the page or takes what is typed into it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The reference page a traveler lands on: static files that resolve the link in the browser. Mounted at `/checkout`. */
export function createTravelerPage(): Router {
  const router = express.Router({ strict: true });
  router.use((_request, response, next) => {
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    // The address holds the signature: it goes to nobody and is kept nowhere.
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  router.get(["", "/"], (_request, response) =>
    response.sendFile("index.html", { root: PAGE_FOLDER, cacheControl: false }),
  );
  router.use(express.static(PAGE_FOLDER, { index: false, redirect: false, cacheControl: false, extensions: false }));
  return router;
}
