import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredQuote } from "../../src/domain/quotes/quote.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import type { Fields } from "./mcp-client.ts";

/** What each release has stored, in a folder of its name; written once by `npm run release:data`, never edited. */
const RELEASES = join(packageRoot, "test/releases");

export const releases: readonly string[] = readdirSync(RELEASES).sort();

/** A file or folder of what a release has stored. */
export function released(release: string, path: string): string {
  return join(RELEASES, release, path);
}

/** What was sold over HTTP to store it, and what the release reported of it. */
export interface Sold {
  /** The instant of the sale. */
  readonly at: string;
  /** A quote, its handoff, and what the link shows. */
  readonly sale: Fields;
  /** The body that was sent with the idempotency key `KEY`, and its answer. */
  readonly keyed: { readonly body: Record<string, unknown>; readonly answer: Fields };
  readonly report: Fields;
  readonly refused: Fields;
}

export const KEY = "a-key-of-the-partner";
export const SINCE = "2026-11-01";

/** The quotes in the data folder of a release. */
export function storedQuotesOf(release: string): readonly StoredQuote[] {
  const folder = released(release, "data/quotes/serve");
  const files = readdirSync(folder).filter((name) => name.startsWith("quotes-"));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), "utf8").trim().split("\n"));
  return lines.flatMap((line) => JSON.parse(line).quote ?? []);
}

/** Settings with which the operator issues credentials. */
export const ISSUER = {
  TRANSFER_ISSUER: "embedded",
  TRANSFER_PUBLIC_URL: "https://quotes.example.com",
  TRANSFER_TRUST_PROXY: "loopback",
};
