import type { OperationContext } from "../calls/operation.ts";
import { QUOTE_VALIDITY_MILLISECONDS } from "../quotes/quote.ts";
import { unknownName } from "./refusals.ts";
import { type PricedName, rehearsedJourney } from "./rehearsed-journey.ts";
import { sandboxOwner } from "./rehearsed-quote.ts";
import type { RehearsedCall } from "./sandbox.ts";
import type { SentName } from "./sent-names.ts";
import { standInsFor, withStandIns } from "./stand-ins.ts";

/** A call that sends names where places are expected: refused, or run with real places. */
export async function rehearseJourney(names: readonly SentName[], call: RehearsedCall): Promise<unknown> {
  const { operation, input, context, refuse } = call;
  const standIns = await standInsFor(names, input, context);
  const priced = names.map(({ field, text, rehearsal }): PricedName => {
    if (!rehearsal) throw unknownName(field, text);
    if (rehearsal.refuses === "journey") refuse(rehearsal, { field, candidates: candidatesOf(context, standIns) });
    return { rehearsal, text, standIn: standIns.get(field) ?? text };
  });
  return markedFacts(await operation.handle(withStandIns(input, standIns), rehearsing(context, priced)), priced);
}

/** Facts about a corridor have no limitations: they are marked where conditions on the road are. */
function markedFacts(response: unknown, names: readonly PricedName[]): unknown {
  if (typeof response !== "object" || response === null || !("live_context" in response)) return response;
  const rehearsal = names
    .map(({ rehearsal: { name }, standIn }) => `Rehearsal: for "${name}" the sandbox describes ${standIn}.`)
    .join(" ");
  return { ...response, live_context: Object.assign({ rehearsal }, response.live_context) };
}

/** Prices are marked and made what the names ask for; quotes are stored as those of the sandbox, and are no sale. */
function rehearsing(context: OperationContext, names: readonly PricedName[]): OperationContext {
  const { quoting, clock, commit, catalog } = context;
  const seconds = names.flatMap(({ rehearsal: { validSeconds } }) => validSeconds ?? []);
  return {
    ...context,
    quoting: { price: async (journey, call) => rehearsedJourney(await quoting.price(journey, call), names, catalog) },
    // A quote that was issued earlier expires earlier.
    ...(seconds.length > 0 && {
      clock: { now: () => new Date(clock.now().getTime() - QUOTE_VALIDITY_MILLISECONDS + Math.min(...seconds) * 1000) },
    }),
    commit: (response, { quote }) =>
      commit(response, { quote: quote && { ...quote, ownerSubject: sandboxOwner(quote.ownerSubject) } }),
  };
}

/** Two real places, as an ambiguous text has several. */
function candidatesOf({ catalog, places }: OperationContext, standIns: ReadonlyMap<string, string>): readonly string[] {
  const names = catalog.corridors.flatMap(({ origin, destination }) => [origin, destination]).map(places.nameOf);
  return [...new Set([...standIns.values(), ...names])].slice(0, 2);
}
