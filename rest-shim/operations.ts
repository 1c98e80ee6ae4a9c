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
import type { RestOperation } from "./rest-operation.ts";

/** The public REST operations. Binding, OpenAPI and the reference page derive from these rows. */
// biome-ignore format: a table reads by its columns
export const operations: readonly RestOperation[] = [
  { tag: "Discovery", operationId: "listTransferServices", method: "get", path: "/services/transfers", tool: listTransferServices, query: ["origin", "destination"] },
  { tag: "Discovery", operationId: "getRouteByPair", method: "get", path: "/routes", tool: getTransferRoute, query: ["origin", "destination"], required: ["origin", "destination"] },
  { tag: "Discovery", operationId: "getRoute", method: "get", path: "/routes/{route_key}", tool: getTransferRoute },
  { tag: "Discovery", operationId: "listVehicleClasses", method: "get", path: "/vehicle-classes", tool: listVehicleClasses },
  { tag: "Discovery", operationId: "getPolicy", method: "get", path: "/policies/{policy_key}", tool: getPolicy },
  { tag: "Discovery", operationId: "getQuoteRequirements", method: "get", path: "/quote-requirements", tool: getQuoteRequirements },
  { tag: "Quotes", operationId: "createQuoteEstimate", method: "post", path: "/quote-intents", tool: estimateTransferQuote },
  { tag: "Quotes", operationId: "createQuote", method: "post", path: "/quotes", tool: createTransferQuote, success: 201, location: "/quotes/{quote_id}" },
  { tag: "Quotes", operationId: "getOwnQuote", method: "get", path: "/quotes/{quote_id}", tool: getTransferQuote },
  { tag: "Checkout", operationId: "createCheckoutHandoff", method: "post", path: "/checkout-sessions", tool: createCheckoutHandoff },
  { tag: "Checkout", operationId: "resolveCheckoutHandoff", method: "get", path: "/checkout-sessions/{quote_id}", tool: resolveCheckoutHandoff, query: ["fleet_id", "sig"] },
];
