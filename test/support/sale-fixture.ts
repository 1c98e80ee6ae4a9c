import type { StoredQuote } from "../../src/domain/quotes/quote.ts";
import { type SaleEvent, type SaleFacts, saleOf } from "../../src/domain/sales/sale-event.ts";
import { aQuote } from "./quote-fixture.ts";

const BY = { at: "2026-11-20T10:41:07.300Z", requestId: "req_1", surface: "mcp", client: 'agent "ü" \u{1f695}' };

function factsOf(type: SaleFacts["type"], quote: StoredQuote, option?: StoredQuote["options"][number]): SaleFacts {
  const facts = saleOf(type, quote, "Europe/Zurich", option);
  if (!facts) throw new Error("a rehearsal is not a sale");
  return facts;
}

/** The event that the call for this quote stores. */
export function aSale(quote: StoredQuote = aQuote(), overrides: Partial<SaleEvent> = {}): SaleEvent {
  return { ...factsOf("quote.created", quote), ...BY, ...overrides };
}

/** The event of a handoff of the quote's first option. */
export function aHandoffSale(quote: StoredQuote = aQuote(), overrides: Partial<SaleEvent> = {}): SaleEvent {
  return { ...factsOf("handoff.created", quote, firstOption(quote)), ...BY, ...overrides };
}

/** The event of the first opening of the first option's link, without a known caller. */
export function anOpeningSale(quote: StoredQuote = aQuote(), overrides: Partial<SaleEvent> = {}): SaleEvent {
  return {
    ...factsOf("handoff.opened", quote, firstOption(quote)),
    ...BY,
    surface: "rest",
    client: null,
    ...overrides,
  };
}

export function sortedById(events: readonly SaleEvent[]): readonly SaleEvent[] {
  return [...events].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function firstOption({ options }: StoredQuote) {
  const [first] = options;
  if (!first) throw new Error("the quote has no option");
  return first;
}
