import type { z } from "zod/v3";
import { ERROR_CODES, type ErrorCode } from "../../contract/errors.ts";
import type { Tier } from "../../contract/tiers.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import type { PricedJourney, StoredQuote } from "../../domain/quotes/quote.ts";
import type { Quoting } from "../../domain/quotes/quoting.ts";
import type { RoadConditionsOn } from "../../domain/routing/road-conditions.ts";
import type { QuoteStore } from "../../domain/sales/quote-store.ts";
import type { SaleFacts } from "../../domain/sales/sale-event.ts";
import type { Clock } from "../../ops/clock.ts";
import type { ObserveStage } from "../../ops/tracing.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { exampleDates } from "./date-time-message.ts";

export type { Corridor } from "../../domain/catalog/catalog-schema.ts";
export type { Operator } from "../../domain/catalog/load-operator.ts";
export type { Journey, JourneyPoint, PricedJourney, PricedOption, StoredQuote } from "../../domain/quotes/quote.ts";

export type LocalTime = (instant: string) => string;

export const SCOPES = ["quote:create", "quote:read-own", "checkout:prepare", "discovery"] as const;
export type Scope = (typeof SCOPES)[number];

/** How a call is authorized. A `signature` is part of the input, and the handler verifies it. */
type Access =
  | { readonly kind: "open" }
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "signature" };

/** What handlers use; it depends on the catalog, and a call has the same from its beginning to its end. */
export interface Services {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  readonly roadConditions: RoadConditionsOn;
  readonly quoting: Quoting;
  readonly quotes: Pick<QuoteStore, "find">;
  readonly checkout: Checkout;
  /** An instant, ISO 8601 in any zone, as RFC 3339 in the operator's time zone. */
  readonly localTime: LocalTime;
  /** Reports the stages of calls. */
  readonly observe: ObserveStage;
}

/** A call that has been authenticated, charged and validated, as its handler sees it. */
export interface AcceptedCall {
  /** The caller: token subject, or client and subject; the empty string if the call has no valid token. */
  readonly subject: string;
  /** The client that the caller's token was issued to, if the token names one. */
  readonly client?: string | undefined;
  readonly requestId: string;
  /** Whether the caller omitted a field, so that its default applies. */
  isOmitted(field: string): boolean;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Gets what returns the ends of the journey that a price is asked for, once they are known. */
  readonly onAsked?: ((ends: () => PricedJourney["ends"]) => void) | undefined;
  /**
   * Makes `response` final: stores the side effects and, if the call has an idempotency key, the response, in one step.
   * If a concurrent call has used the key meanwhile, the handler ends here and that call's response is replayed.
   */
  commit<A extends object>(response: A, effects: SideEffects): Promise<A>;
  /** Gives a host that shows the response as a card what the card reads besides it. Before `commit`, which keeps it. */
  showOnCard(data: object): void;
  /** Stores a sale event. If that fails, the call still succeeds, and the failure is logged and counted. */
  recordSale(sale: SaleFacts): Promise<void>;
}

/** What a call stores besides its response. */
export interface SideEffects {
  readonly quote?: StoredQuote | undefined;
  /** Absent in a sandbox rehearsal, which is not a sale. */
  readonly sale?: SaleFacts | undefined;
}

type Hint = "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint";

/** An operation over REST: its names, and where a request has its arguments. */
export interface RestRow {
  readonly operationId: string;
  readonly method: "get" | "post";
  /** OpenAPI style, relative to the API's base. Its placeholders are arguments: `/routes/{route_key}`. */
  readonly path: string;
  readonly tag: "Discovery" | "Quotes" | "Checkout";
  /** Default: that of the operation, which also serves another one. */
  readonly title?: string;
  /** For developers; the description of the operation is for models. */
  readonly description: string;
  /** Arguments in the query string. Unknown query parameters are ignored, because shared links collect them. */
  readonly query?: readonly string[];
  /** Arguments that this REST operation requires and the operation, which also serves another one, does not. */
  readonly required?: readonly string[];
  /** HTTP status of a success. Default 200. */
  readonly success?: 201;
  /** Path of the created resource, relative to the API's base. Its placeholders are fields of the response. */
  readonly location?: string;
  /** Whether caches may keep the answer: it has an `ETag`, and says nothing about a caller. Default false. */
  readonly isCacheable?: true;
}

/** One thing the service does, declared once. REST and MCP run it through the same call pipeline. */
export interface Operation<I extends z.ZodTypeAny = z.ZodTypeAny, O extends z.ZodTypeAny = z.ZodTypeAny> {
  /** snake_case verb_noun, at most 40 characters. */
  readonly name: string;
  readonly title: string;
  /** For a model: what it returns, when to use it, which tool comes next. Under 1,024 characters. */
  readonly description: string;
  /** Arguments that the input schema accepts, the most common first; absent if no agent calls the operation. */
  readonly examples?: (on: ReturnType<typeof exampleDates>) => readonly Readonly<Record<string, unknown>>[];
  /** The tool that lists the descriptions of fields that both have: models read every list whole. */
  readonly fieldsAsIn?: string;
  readonly annotations: Readonly<Record<Hint, boolean>>;
  /** False for an operation that agents never call. Default true. */
  readonly listedOverMcp?: boolean;
  /** Whether hosts can show the response, a quote, as a card, with what the call gives to `showOnCard`. Default false. */
  readonly shownAsCard?: boolean;
  readonly access: Access;
  /** Only the call pipeline itself charges `auth_failure`. */
  readonly rateTier: Exclude<Tier, "auth_failure">;
  /** One or more; absent for an operation that REST does not have. */
  readonly rest?: RestRow | readonly RestRow[];
  /** A flat object. An `idempotency_key` in it makes the operation replayable. */
  readonly input: I;
  readonly output: O;
  /**
   * Missing fields that the `input` schema cannot require, because other fields decide whether they are required. Of those
   * in one list, exactly one is to be sent.
   */
  alsoMissing?(input: unknown): readonly (readonly string[])[];
  /** What the traveler can do about values beyond the limits of these fields, if the catalog has an answer. */
  beyondLimits?(fields: readonly string[], catalog: Catalog): string | undefined;
  /** Problem codes of the handler, besides those that any call can return. */
  readonly errors: readonly ErrorCode[];
  /** Returns a response in the field order of `output`; fields that have their default may be omitted. */
  handle(input: z.output<I>, services: Services, call: AcceptedCall): Promise<z.input<O>>;
}

/** Infers the schema types of one declaration; lists hold every operation as plain `Operation`. */
export function defineOperation<I extends z.ZodTypeAny, O extends z.ZodTypeAny>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation;
}

export function restRowsOf({ rest = [] }: Pick<Operation, "rest">): readonly RestRow[] {
  return [rest].flat();
}

/** Caches a value once per catalog. `make` gets nothing else, so that the value cannot depend on a clock or a caller. */
export function perCatalog<Made>(make: (catalog: Catalog) => Made) {
  const made = new WeakMap<Catalog, { readonly value: Made }>();
  return (catalog: Catalog): Made => {
    const known = made.get(catalog) ?? { value: make(catalog) };
    made.set(catalog, known);
    return known.value;
  };
}

/** Problem codes that the call pipeline can return for any operation. */
const ANY_CALL: readonly ErrorCode[] = ["INVALID_REQUEST", "FORBIDDEN", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE"];

/** Every problem code that an operation can return, in the order of the error table. */
export function problemCodesOf({ access, errors }: Operation): readonly ErrorCode[] {
  const own = access.kind === "scope" ? [...errors, "AUTHENTICATION_REQUIRED"] : errors;
  return ERROR_CODES.filter((code) => ANY_CALL.includes(code) || own.includes(code));
}
