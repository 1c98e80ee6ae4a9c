import type { StoredQuote } from "../../domain/quotes/quote.ts";
import type { QuoteStore } from "../../domain/sales/quote-store.ts";
import { type SaleFacts, saleOf } from "../../domain/sales/sale-event.ts";
import type { Clock } from "../../ops/clock.ts";
import { HOUR } from "../../ops/durations.ts";
import { createRequestId } from "../../ops/ids.ts";

/**
 * Makes a quote that the operator has to confirm payable at its price for so many hours, at the latest until its pickup:
 * its next handoff returns a link. One that was confirmed before gets its new end. `sale` is absent for a rehearsal.
 * Rejects with what is wrong, in one line for the operator.
 */
export async function confirmQuote(
  quotes: Pick<QuoteStore, "find" | "replace" | "insert">,
  { clock, timeZone }: { readonly clock: Clock; readonly timeZone: string },
  { id, hours }: { readonly id: string; readonly hours: number },
): Promise<{ readonly quote: StoredQuote; readonly sale: SaleFacts | undefined }> {
  const found = await quotes.find(id);
  if (!found) throw new Error(`no quote is kept with the id ${id}`);
  if (!needsConfirmation(found) && found.unconfirmedExpiresAt === undefined)
    throw new Error(`${id} needs no confirmation: it can be paid until it expires`);
  const now = clock.now();
  const until = new Date(Math.min(now.getTime() + hours * HOUR, Date.parse(found.pickupAt)));
  if (until <= now) throw new Error(`the pickup of ${id} has passed`);
  const quote = confirmedQuote(found, until);
  await quotes.replace(quote);
  const sale = saleOf("quote.confirmed", quote, timeZone);
  const by = { at: now.toISOString(), requestId: createRequestId(), surface: "command", client: null };
  if (sale) await quotes.insert({ quote: undefined, record: undefined, sale: { ...sale, ...by } });
  return { quote, sale };
}

/** Notices that a confirmation makes untrue. */
const UNTIL_CONFIRMED: readonly string[] = ["MANUAL_CONFIRMATION", "ON_REQUEST"];

function needsConfirmation({ requiresManualConfirmation, options }: StoredQuote): boolean {
  return requiresManualConfirmation || options.some(({ onRequest }) => onRequest);
}

/** The quote once the operator has confirmed it: every option is payable at its price until `until`. */
function confirmedQuote(quote: StoredQuote, until: Date): StoredQuote {
  return {
    ...quote,
    expiresAt: until.toISOString(),
    unconfirmedExpiresAt: quote.unconfirmedExpiresAt ?? quote.expiresAt,
    requiresManualConfirmation: false,
    route: { ...quote.route, automaticallyPayable: true },
    options: quote.options.map((option) => ({ ...option, onRequest: false })),
    notices: quote.notices.filter(({ code }) => !UNTIL_CONFIRMED.includes(code)),
  };
}
