import { createCheckoutHandoff } from "../tools/create-checkout-handoff.ts";
import { createTransferQuote } from "../tools/create-transfer-quote.ts";
import { estimateTransferQuote } from "../tools/estimate-transfer-quote.ts";
import { getPolicy } from "../tools/get-policy.ts";
import { getQuoteRequirements } from "../tools/get-quote-requirements.ts";
import { getTransferQuote } from "../tools/get-transfer-quote.ts";
import { getTransferRoute } from "../tools/get-transfer-route.ts";
import { listTransferServices } from "../tools/list-transfer-services.ts";
import { listVehicleClasses } from "../tools/list-vehicle-classes.ts";
import { body, bodyWithIdempotencyKey, continuationLink, nothing, path, query } from "./arguments-from.ts";
import { resolveCheckoutHandoff } from "./resolve-checkout-handoff.ts";
import type { RestOperation } from "./rest-operation.ts";

const quoteLocation = (quote: unknown) => `/quotes/${(quote as { quote_id: string }).quote_id}`;

/** The eleven public operations, each the REST face of one tool call. */
// biome-ignore format: a table reads by its columns
export const operations: readonly RestOperation[] = [
  { operationId: "listTransferServices", method: "get", path: "/services/transfers", tool: listTransferServices, from: nothing },
  { operationId: "getRouteByPair", method: "get", path: "/routes", tool: getTransferRoute, from: query("origin", "destination") },
  { operationId: "getRoute", method: "get", path: "/routes/{route_key}", tool: getTransferRoute, from: path("route_key") },
  { operationId: "listVehicleClasses", method: "get", path: "/vehicle-classes", tool: listVehicleClasses, from: nothing },
  { operationId: "getPolicy", method: "get", path: "/policies/{policy_key}", tool: getPolicy, from: path("policy_key") },
  { operationId: "getQuoteRequirements", method: "get", path: "/quote-requirements", tool: getQuoteRequirements, from: nothing },
  { operationId: "createQuoteEstimate", method: "post", path: "/quote-intents", tool: estimateTransferQuote, from: body },
  { operationId: "createQuote", method: "post", path: "/quotes", tool: createTransferQuote, from: bodyWithIdempotencyKey, success: 201, location: quoteLocation },
  { operationId: "getOwnQuote", method: "get", path: "/quotes/{quote_id}", tool: getTransferQuote, from: path("quote_id") },
  { operationId: "createCheckoutHandoff", method: "post", path: "/checkout-sessions", tool: createCheckoutHandoff, from: bodyWithIdempotencyKey },
  // A traveler's browser follows the signed link, an agent never does: an operation of the same shape, but no tool.
  { operationId: "resolveCheckoutHandoff", method: "get", path: "/checkout-sessions/{quote_id}", tool: resolveCheckoutHandoff, from: continuationLink },
];
