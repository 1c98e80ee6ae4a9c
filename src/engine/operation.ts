import type { z } from "zod/v3";
import type { Checkout } from "../checkout/checkout.ts";
import type { Tier } from "../limits/rate-limiter.ts";
import type { Clock } from "../ops/clock.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import type { Published } from "../published/published.ts";
import type { StoredQuote } from "../quotes/quote.ts";
import type { QuoteStore } from "../quotes/quote-store.ts";
import type { Quoting } from "../quotes/quoting.ts";
import type { TellConditions } from "../routing/road-conditions.ts";

export const SCOPES = ["quote:create", "quote:read-own", "checkout:prepare", "discovery"] as const;
export type Scope = (typeof SCOPES)[number];

/** How a call proves it may run. `signature` is checked by the handler, over its own input. */
export type Access =
  | { readonly kind: "open" }
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "signature" };

/** What a handler may touch. Nothing else is reachable from a tool file. */
export interface OperationContext {
  readonly clock: Clock;
  readonly published: Published;
  readonly places: PlaceFinder;
  readonly tellConditions: TellConditions;
  readonly quoting: Quoting;
  readonly quotes: Pick<QuoteStore, "find">;
  readonly checkout: Checkout;
  /** Token subject; the empty string where the call carries no valid token. */
  readonly subject: string;
  readonly requestId: string;
  /** Aborts when the caller has gone away. */
  readonly signal: AbortSignal;
  /**
   * Makes `answer` final: stores the quote, if there is one, and the answer under the caller's idempotency key, if he
   * sent one, in one step. Where another call has used the key meanwhile, that call's answer is given instead.
   */
  commit<A>(answer: A, quote?: StoredQuote): Promise<A>;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One thing the service does, declared once; both surfaces run it through the same engine. */
export interface Operation<I extends z.ZodTypeAny = z.ZodTypeAny, O extends z.ZodTypeAny = z.ZodTypeAny> {
  /** snake_case verb_noun, at most 40 characters. */
  readonly name: string;
  readonly title: string;
  /** For a model: what it returns, when to use it, which tool comes next. Under 1,024 characters. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly access: Access;
  /** `auth_failure` is the engine's own. */
  readonly rateTier: Exclude<Tier, "auth_failure">;
  /** A flat object. An `idempotency_key` in it makes the operation replayable. */
  readonly input: I;
  readonly output: O;
  handle(input: z.output<I>, context: OperationContext): Promise<z.input<O>>;
}

/** Keeps the schema types of one declaration while the catalogue stores them all as `Operation`. */
export function defineOperation<I extends z.ZodTypeAny, O extends z.ZodTypeAny>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation;
}
