import { sha256 } from "../ops/sha256.ts";
import type { StoredQuote } from "../quotes/quote.ts";
import { type Rehearsal, rehearsals } from "./rehearsals.ts";

/**
 * Quotes of the sandbox belong to nobody and have links of their own, so that a server without the sandbox that reads the
 * same store neither finds them nor accepts their links.
 */

/** As whose a quote of the sandbox is stored; no token has this subject. */
export function sandboxOwner(subject: string): string {
  return sha256(`sandbox\n${subject}`, "base64url");
}

/** What a link to a quote of the sandbox is signed for. */
export function signedForSandbox(quote: StoredQuote): StoredQuote {
  return { ...quote, expiresAt: `sandbox ${quote.expiresAt}` };
}

/** What a stored quote rehearses; `undefined` where it is no quote of the sandbox. */
export function rehearsalsOf({ notices }: StoredQuote): readonly Rehearsal[] | undefined {
  const names = notices.filter(({ code }) => code === "REHEARSAL").map(({ values }) => values.name);
  return names.length > 0 ? rehearsals.filter(({ name }) => names.includes(name)) : undefined;
}
