import { extname } from "node:path";
import express, { type Request, type Router } from "express";
import { readBuiltFile } from "../../ops/package-root.ts";
import { pageHeaders } from "../../ops/page-headers.ts";
import type { Operator } from "../../service/calls/operation.ts";
import { allowOnly } from "./app.ts";
import { escapeHtml, imprint, languageLinks } from "./page.ts";
import { API_BASE, languageOf } from "./request.ts";
import { aDocument, sendDocument } from "./send.ts";

/** What `scripts/build.mjs` makes of `src/service/checkout/page`: the document in each language, and the files that it loads. */
interface Built {
  readonly documents: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Content-Security-Policy of the page: its own files only, no inline code. */
const SOURCES = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/** The files are named after their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The reference checkout page, mounted at `/checkout`: it resolves the link in the traveler's browser. */
export function createTravelerPage(operatorIn: (language?: string) => Operator): Router {
  const router = express.Router({ strict: true });
  const headers = pageHeaders(SOURCES);
  let built: ReturnType<typeof readPage> | undefined;
  const load = () => {
    built ??= readPage();
    return built;
  };

  router.get(["", "/"], headers, (request, response) => {
    const { documents } = load();
    const language = languageOf(request, operatorIn().languages);
    const values: Readonly<Record<string, string>> = valuesFor(operatorIn(language), language, request);
    const html = (documents[language] ?? "").replace(/%(\w+)%/g, (_, name) => values[name] ?? "");
    response.vary("Accept-Language");
    // The page's address contains the signature, so no cache may store it.
    sendDocument(response, aDocument("html", html), "no-store");
  });
  router.all(["", "/"], allowOnly("GET", "HEAD"));
  router.get(["/:file", "/words/:file"], headers, ({ path }, response, next) => {
    const found = load().files.get(path.slice(1));
    if (found) return sendDocument(response, found, path.startsWith("/words/") ? undefined : IMMUTABLE);
    next();
  });
  return router;
}

/**
 * What the document says of the operator before it has the offer, and where it gets the offer: nowhere if the link is
 * incomplete. In HTML.
 */
function valuesFor(operator: Operator, language: Operator["languages"][number], { query }: Request) {
  const { name, phone, email } = operator;
  const [quoteId = "", fleetId = "", signature = ""] = [query.quote_id, query.fleet_id, query.sig].map((each) =>
    typeof each === "string" ? each : "",
  );
  const link = { fleet_id: fleetId, sig: signature };
  const isComplete = quoteId && fleetId && signature;
  const offer = `${API_BASE}/checkout-sessions/${encodeURIComponent(quoteId)}?${new URLSearchParams(link)}`;
  return {
    operator: escapeHtml(name),
    phone: escapeHtml(phone),
    email: escapeHtml(email),
    dial: escapeHtml(phone.replaceAll(" ", "")),
    languages: languageLinks(operator, language, quoteId ? { quote_id: quoteId, ...link } : {}),
    imprint: imprint(operator, language),
    offer: isComplete ? escapeHtml(offer) : "",
  };
}

function readPage() {
  const { documents, files } = JSON.parse(readBuiltFile("traveler-page.json")) as Built;
  const texts = Object.entries(files).map(([path, text]) => [path, aDocument(extname(path), text)] as const);
  return { documents, files: new Map(texts) };
}
