import canonicalize from "canonicalize";
import type { Catalog } from "../catalog/catalog.ts";
import { sha256 } from "../ops/ids.ts";
import type { PricedOption, QuotedTerms, StoredQuote } from "./quote.ts";

/** The terms of the catalog, which a quote keeps: a later catalog does not change what was sold. */
export function termsOf({ operator, policies, version }: Catalog): QuotedTerms {
  const { logo: _, color: __, meetingPoints: ___, corridorTexts: ____, ...seller } = operator;
  return {
    operator: seller,
    policies: policies.map(({ key, version, text }) => ({ key, version, text })),
    catalogVersion: version,
  };
}

/** The part of a quote from which everything follows that the traveler is shown of an option. */
export function shownDocument(quote: StoredQuote, { fleetId }: Pick<PricedOption, "fleetId">): unknown {
  const { ownerSubject: _, requestId: __, ...shown } = quote;
  const options = quote.options.filter((option) => option.fleetId === fleetId);
  return JSON.parse(JSON.stringify({ ...shown, options }), wellFormed);
}

/** Half a surrogate pair, which a text of the caller may contain and canonical JSON may not, becomes U+FFFD. */
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === "string" ? Buffer.from(value).toString() : value;
}

/** SHA-256 of the canonical JSON (RFC 8785) of what the traveler is shown of an option, in hex. */
export function termsDigest(quote: StoredQuote, option: Pick<PricedOption, "fleetId">): string {
  return sha256(canonicalize(shownDocument(quote, option)) ?? "", "hex");
}
