import type { Operation, OperationContext } from "../calls/operation.ts";
import { problemCodesOf } from "../calls/problem-codes.ts";
import { sha256 } from "../ops/sha256.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import type { Rehearsal } from "./rehearsals.ts";
import { rehearseJourney } from "./rehearse-journey.ts";
import { rehearseWithQuote } from "./rehearse-with-quote.ts";
import { rehearsalsOf } from "./rehearsed-quote.ts";
import { isMeant, type Places, sentNames } from "./sent-names.ts";

type Input = Places & { readonly quote_id?: string };

/** One call in which names of the sandbox are meant. */
export interface RehearsedCall<Arguments = Input> {
  readonly operation: Operation;
  readonly input: Arguments;
  readonly context: OperationContext;
  /** Throws the code of a rehearsal; returns where it succeeds this time. */
  refuse(rehearsal: Rehearsal, at?: { readonly field: string; readonly candidates: readonly string[] }): void;
}

/**
 * Has operations rehearse what the names in their arguments provoke, after the pipeline has authenticated, charged and
 * validated the call. Calls without a name run as they would.
 */
export function createSandbox(): (operation: Operation) => Operation {
  const refusals = createRefusals();
  const known = new Map<Operation, Operation>();

  return (operation) => {
    const rehearsing = known.get(operation) ?? { ...operation, handle: rehearsingHandle(operation, refusals) };
    known.set(operation, rehearsing);
    return rehearsing;
  };
}

function rehearsingHandle(operation: Operation, refusals: Refusals): Operation["handle"] {
  const codes = problemCodesOf(operation);

  // Not async: an ordinary call waits for nothing more.
  return (input: Input, context) => {
    if (input.quote_id !== undefined) return withQuoteId(input.quote_id, input, context);
    const names = sentNames(input).filter((name) => isMeant(name, codes));
    return names.length > 0 ? rehearseJourney(names, callOf(input, context)) : operation.handle(input, context);
  };

  async function withQuoteId(id: string, input: Input, context: OperationContext): Promise<unknown> {
    const quote = await context.quotes.find(id);
    const rehearsals = quote && rehearsalsOf(quote);
    if (rehearsals) return rehearseWithQuote(quote, rehearsals, callOf(input, context));
    return operation.handle(input, { ...context, quotes: { find: async () => quote } });
  }

  function callOf(input: Input, context: OperationContext): RehearsedCall {
    const { subject, clock } = context;
    return {
      operation,
      input,
      context,
      refuse(rehearsal, at) {
        const request = sha256(JSON.stringify([operation.name, subject, input]), "base64url");
        refusals.refuse({ rehearsal, request, now: clock.now(), ...at });
      },
    };
  }
}
