import express, { type Request, type Router } from "express";
import { readBuiltFile } from "../ops/package-root.ts";
import { pageHeaders } from "../ops/page-headers.ts";
import { escapeHtml } from "./page.ts";
import { API_BASE, languageOf } from "./request.ts";
import { aDocument, type Document, sendDocument } from "./send.ts";

/** Whom the page names before it has the offer. */
interface Seller {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly termsUrl?: string | undefined;
  readonly postalAddress?: string | undefined;
  readonly registerNumber?: string | undefined;
  readonly license?: string | undefined;
}

/** What `src/build.mjs` makes of `src/checkout/page`: the document in each language, and the files that it loads. */
interface Built {
  readonly documents: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** Texts and sentences of notices, by language. */
  readonly words: Readonly<Record<string, unknown>>;
}

/** Content-Security-Policy of the page: its own files only, no inline code. */
const SOURCES = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/** The files are named after their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The reference checkout page, mounted at `/checkout`: it resolves the link in the traveler's browser. */
export function createTravelerPage(seller: (language: string) => Seller): Router {
  const router = express.Router({ strict: true });
  const headers = pageHeaders(SOURCES);
  const load = once(() => {
    const { documents, files, words } = JSON.parse(readBuiltFile("traveler-page.json")) as Built;
    const sent = Object.entries(files).map(([name, text]): [string, Document] => [name, aDocument(name, text)]);
    const spoken = Object.entries(words).map(([language, all]): [string, Document] => [
      `${language}.json`,
      aDocument("application/json", JSON.stringify(all)),
    ]);
    return { documents, files: new Map(sent), words: new Map(spoken) };
  });

  router.get(["", "/"], headers, (request, response) => {
    const { documents } = load();
    const language = languageOf(request, Object.keys(documents));
    const values = valuesFor(seller(language), request);
    const html = (documents[language] ?? "").replace(/%(\w+)%/g, (_, name) => escapeHtml(values[name] ?? ""));
    response.vary("Accept-Language");
    // The page's address contains the signature, so no cache may store it.
    sendDocument(response, aDocument("html", html), "no-store");
  });
  router.get("/words/:file", headers, ({ params: { file } }, response, next) => {
    const found = load().words.get(file);
    if (found) return sendDocument(response, found);
    next();
  });
  router.get("/:file", headers, ({ params: { file } }, response, next) => {
    const found = load().files.get(file);
    if (found) return sendDocument(response, found, IMMUTABLE);
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  return router;
}

/** What the document says of the seller, and where it gets the offer: nowhere if the link is incomplete. */
function valuesFor(
  { name, phone, email, termsUrl = "", postalAddress, registerNumber, license }: Seller,
  { query }: Request,
): Readonly<Record<string, string>> {
  const [quoteId, fleetId, signature] = [query.quote_id, query.fleet_id, query.sig].map((each) =>
    typeof each === "string" ? each : "",
  );
  const link = new URLSearchParams({ fleet_id: fleetId ?? "", sig: signature ?? "" });
  const isComplete = quoteId && fleetId && signature;
  return {
    ...{ operator: name, phone, email, dial: phone.replaceAll(" ", ""), terms: termsUrl },
    imprint: [name, postalAddress, phone, email, registerNumber, license].filter(Boolean).join(", "),
    offer: isComplete ? `${API_BASE}/checkout-sessions/${encodeURIComponent(quoteId)}?${link}` : "",
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
