import type { Operation } from "../src/calls/operation.ts";
import { createCheckoutHandoff } from "../tools/create-checkout-handoff.ts";
import { createTransferQuote } from "../tools/create-transfer-quote.ts";
import { estimateTransferQuote } from "../tools/estimate-transfer-quote.ts";
import { getPolicy } from "../tools/get-policy.ts";
import { getQuoteRequirements } from "../tools/get-quote-requirements.ts";
import { getTransferQuote } from "../tools/get-transfer-quote.ts";
import { getTransferRoute } from "../tools/get-transfer-route.ts";
import { listTransferServices } from "../tools/list-transfer-services.ts";
import { listVehicleClasses } from "../tools/list-vehicle-classes.ts";
import { resolveCheckoutHandoff } from "../tools/resolve-checkout-handoff.ts";

/** Groups of operations, in the order of a journey, and what an operation of each does. */
export const TAGS = {
  Discovery: "What the service offers: corridors, vehicle classes, policies. No prices.",
  Quotes: "Prices: estimates, and quotes that are fixed for 30 minutes.",
  Checkout: "Signed links with which the traveler pays.",
} as const;
type Tag = keyof typeof TAGS;

/** A REST operation: its names, and where a request has its arguments. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: "get" | "post";
  /** OpenAPI style, relative to the API's base. Its placeholders are arguments: `/routes/{route_key}`. */
  readonly path: string;
  readonly tool: Operation;
  /** For developers; the description of the tool is for models. */
  readonly description: string;
  readonly tag: Tag;
  /** Arguments in the query string. Unknown query parameters are ignored, because shared links collect them. */
  readonly query?: readonly string[];
  /** Arguments that this operation requires and the tool, which also serves another operation, does not. */
  readonly required?: readonly string[];
  /** HTTP status of a success. Default 200. */
  readonly success?: 201;
  /** Path of the created resource, relative to the API's base. Its placeholders are fields of the response. */
  readonly location?: string;
}

/** The public REST operations. Router, OpenAPI and reference page derive from this table. */
// biome-ignore format: a table reads by its columns
export const operations: readonly RestOperation[] = [
  { tag: "Discovery", operationId: "listTransferServices", method: "get", path: "/services/transfers", tool: listTransferServices, query: ["origin", "destination"],
    description: "Returns the published corridors, without prices. Other journeys can be quoted too." },
  { tag: "Discovery", operationId: "getRouteByPair", method: "get", path: "/routes", tool: getTransferRoute, query: ["origin", "destination"], required: ["origin", "destination"],
    description: "Returns the published corridor between two places, which are matched as in a quote: typical distance and duration, and the present road conditions. A quote is measured anew and not derived from these figures." },
  { tag: "Discovery", operationId: "getRoute", method: "get", path: "/routes/{route_key}", tool: getTransferRoute,
    description: "Returns the published corridor with this key: typical distance and duration, and the present road conditions. A quote is measured anew and not derived from these figures." },
  { tag: "Discovery", operationId: "listVehicleClasses", method: "get", path: "/vehicle-classes", tool: listVehicleClasses,
    description: "Returns the vehicle classes with seats and luggage capacity, how luggage is counted, and the kinds of special items with their prices." },
  { tag: "Discovery", operationId: "getPolicy", method: "get", path: "/policies/{policy_key}", tool: getPolicy,
    description: "Returns a policy of the operator: its text, its version and, for cancellation, how many hours before the pickup a refund is still full." },
  { tag: "Discovery", operationId: "getQuoteRequirements", method: "get", path: "/quote-requirements", tool: getQuoteRequirements,
    description: "Returns the fields of a quote request as data for a form, with notes on lead time and parties with children. It validates nothing." },
  { tag: "Quotes", operationId: "createQuoteEstimate", method: "post", path: "/quote-intents", tool: estimateTransferQuote,
    description: "Returns a price that is not binding, without a token. Nothing is stored, and the estimate cannot be continued to checkout. The service measures whichever of distance_km and duration_min is omitted." },
  { tag: "Quotes", operationId: "createQuote", method: "post", path: "/quotes", tool: createTransferQuote, success: 201, location: "/quotes/{quote_id}",
    description: "Measures the journey and returns a price for every suitable vehicle class, fixed for 30 minutes. Nothing is reserved. Send an Idempotency-Key so that a retry does not create a second quote." },
  { tag: "Quotes", operationId: "getOwnQuote", method: "get", path: "/quotes/{quote_id}", tool: getTransferQuote,
    description: "Returns a quote that the same client has created, as it was priced, with status open or expired. Quotes of other clients are not found." },
  { tag: "Checkout", operationId: "createCheckoutHandoff", method: "post", path: "/checkout-sessions", tool: createCheckoutHandoff,
    description: "Returns a signed checkout_url for one option of an open quote. Open it in the traveler’s browser unchanged. It books, charges and reserves nothing. Options with requires_manual_confirmation are rejected." },
  { tag: "Checkout", operationId: "resolveCheckoutHandoff", method: "get", path: "/checkout-sessions/{quote_id}", tool: resolveCheckoutHandoff, query: ["fleet_id", "sig"],
    description: "Returns what a checkout page shows for a signed link: journey, terms and total. The signature is the credential." },
];
