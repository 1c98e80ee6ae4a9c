import type { TokenVerifier } from "../identity/token-verifier.ts";
import type { ObserveStage } from "../ops/stages.ts";
import type { QuoteStore } from "../quotes/quote-store.ts";

/** Tokens whose verification is a stage of its call. */
export function observedTokens(tokens: TokenVerifier, observe: ObserveStage): TokenVerifier {
  return { verify: (token) => observe("authentication", () => tokens.verify(token)) };
}

/** A store whose reads and writes are stages of their calls. */
export function observedQuotes(quotes: QuoteStore, observe: ObserveStage): QuoteStore {
  return {
    ...quotes,
    insert: (entry) => observe("store", () => quotes.insert(entry)),
    find: (id) => observe("store", () => quotes.find(id)),
    findRecord: (scope) => observe("store", () => quotes.findRecord(scope)),
  };
}
