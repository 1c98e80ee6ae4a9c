import type { ObserveStage } from "../ops/stages.ts";
import type { QuoteStore } from "../stores/quote-store.ts";

type OfCalls = Pick<QuoteStore, "insert" | "find" | "findRecord">;

/** The store for one call, whose reads and writes are stages of it. */
export function observedQuotes(quotes: OfCalls, observe: ObserveStage): OfCalls {
  return {
    insert: (entry) => observe("store", () => quotes.insert(entry)),
    find: (id) => observe("store", () => quotes.find(id)),
    findRecord: (scope) => observe("store", () => quotes.findRecord(scope)),
  };
}
