import type { OperationContext, StoredQuote } from "../calls/operation.ts";
import { PublicError } from "../contract/errors.ts";
import { markedError } from "./refusals.ts";
import type { Rehearsal } from "./rehearsals.ts";
import { sandboxOwner, signedForSandbox } from "./rehearsed-quote.ts";
import type { RehearsedCall } from "./sandbox.ts";

/** A call with the id of a quote of the sandbox. */
export async function rehearseWithQuote(
  quote: StoredQuote,
  rehearsals: readonly Rehearsal[],
  { operation, input, context, refuse }: RehearsedCall,
): Promise<unknown> {
  const isOwn = quote.ownerSubject === sandboxOwner(context.subject);
  const isLost = rehearsals.some((each) => each.isLost);
  const found = isLost ? undefined : { ...quote, ownerSubject: isOwn ? context.subject : quote.ownerSubject };
  const checkout: OperationContext["checkout"] = {
    ...context.checkout,
    assertSelfServable(of, option) {
      context.checkout.assertSelfServable(of, option);
      for (const each of rehearsals) if (each.refuses === "checkout") refuse(each);
    },
    urlFor: (of, fleetId) => context.checkout.urlFor(signedForSandbox(of), fleetId),
    vouchesFor: (of, fleetId, signature) => context.checkout.vouchesFor(signedForSandbox(of), fleetId, signature),
  };
  const rehearsing: OperationContext = {
    ...context,
    checkout,
    quotes: { find: async () => found },
    // Nothing is sold.
    commit: (response) => context.commit(response, {}),
    note: async () => {},
  };
  try {
    return await operation.handle(input, rehearsing);
  } catch (error) {
    // Whoever has neither token nor link for the quote does not learn that there is one.
    const isUnknown = error instanceof PublicError && error.code === "QUOTE_NOT_FOUND";
    throw isOwn || (operation.access.kind === "signature" && !isUnknown) ? markedError(error) : error;
  }
}
