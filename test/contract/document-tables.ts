import type { z } from "zod/v3";
import { CheckoutHandoff, CheckoutRequest } from "../../src/contract/checkout.ts";
import {
  LuggageDefinition,
  Policy,
  QuoteRequirements,
  Route,
  SpecialItemKind,
  TransferService,
  VehicleClass,
} from "../../src/contract/discovery.ts";
import { Notice } from "../../src/contract/notices.ts";
import { Problem } from "../../src/contract/problem.ts";
import { Operator, Quote, QuoteOption, RouteBasis, WaypointOut } from "../../src/contract/quote.ts";
import { EstimateRequest, QuoteRequest, SpecialItem, WaypointIn } from "../../src/contract/quote-request.ts";
import {
  CHECKOUT_HANDOFF,
  CHECKOUT_REQUEST,
  ESTIMATE_REQUEST,
  FIELD_ERROR,
  LUGGAGE_DEFINITION,
  NOTICE,
  OPERATOR,
  POLICY,
  PRICE_LINE,
  PROBLEM,
  QUOTE,
  QUOTE_OPTION,
  QUOTE_REQUEST,
  REQUIREMENT_FIELD,
  ROUTE,
  ROUTE_BASIS,
  type Row,
  SPECIAL_ITEM,
  SPECIAL_ITEM_KIND,
  TRANSFER_SERVICE,
  VEHICLE_CLASS,
  WAYPOINT_IN,
  WAYPOINT_OUT,
} from "./document-rows.ts";

/** Code, status, retryable; the last eight as decided in decisions.md. */
// biome-ignore format: a table reads by its columns
export const ERROR_CODES: readonly (readonly [code: string, status: number, retryable: boolean])[] = [
  ["INVALID_REQUEST", 422, false], ["AUTHENTICATION_REQUIRED", 401, false], ["FORBIDDEN", 403, false],
  ["QUOTE_NOT_FOUND", 404, false], ["QUOTE_EXPIRED", 409, false], ["MANUAL_CONFIRMATION_REQUIRED", 409, false],
  ["RATE_LIMITED", 429, true], ["QUOTE_UNAVAILABLE", 503, true], ["UPSTREAM_UNAVAILABLE", 503, true],
  ["INVALID_LOCATION", 422, false], ["ROUTE_UNAVAILABLE", 503, true], ["UNSUPPORTED_ROUTE", 404, false],
  ["INVALID_DATETIME", 422, false], ["NO_ELIGIBLE_VEHICLE", 422, false], ["PAST_DATETIME", 422, false],
  ["LEAD_TIME_NOT_SUPPORTED", 422, false], ["RETURN_TIME_INVALID", 422, false],
];

/** Operation, method and path, auth, tier; then the MCP tool and the status of success, from decisions.md. */
// biome-ignore format: a table reads by its columns
export const OPERATIONS: readonly (readonly [id: string, endpoint: string, auth: string, tier: string, tool: string, success: number])[] = [
  ["listTransferServices", "GET /services/transfers", "none", "discovery", "list_transfer_services", 200],
  ["getRouteByPair", "GET /routes", "none", "routing", "get_transfer_route", 200],
  ["getRoute", "GET /routes/{route_key}", "none", "routing", "get_transfer_route", 200],
  ["listVehicleClasses", "GET /vehicle-classes", "none", "discovery", "list_vehicle_classes", 200],
  ["getPolicy", "GET /policies/{policy_key}", "none", "discovery", "get_policy", 200],
  ["getQuoteRequirements", "GET /quote-requirements", "none", "discovery", "get_quote_requirements", 200],
  ["createQuoteEstimate", "POST /quote-intents", "none", "quote_estimate", "estimate_transfer_quote", 200],
  ["createQuote", "POST /quotes", "quote:create", "quote_authoritative", "create_transfer_quote", 201],
  ["getOwnQuote", "GET /quotes/{quote_id}", "quote:read-own", "quote_read", "get_transfer_quote", 200],
  ["createCheckoutHandoff", "POST /checkout-sessions", "checkout:prepare", "checkout", "create_checkout_handoff", 200],
  ["resolveCheckoutHandoff", "GET /checkout-sessions/{quote_id}", "signature", "quote_read", "none", 200],
];

// biome-ignore format: a table reads by its columns
export const BUDGETS: readonly (readonly [tier: string, points: number, seconds: number])[] = [
  ["discovery", 120, 60], ["routing", 60, 60], ["quote_estimate", 20, 60], ["quote_authoritative", 10, 60],
  ["quote_read", 60, 60], ["checkout", 5, 60], ["auth_failure", 10, 300],
];

export type Fields = z.ZodObject<z.ZodRawShape>;

/** "request" and "closed" refuse unknown fields, "open" keeps them; a request takes null as a field that is left out. */
export const TABLES: readonly (readonly [
  title: string,
  schema: Fields,
  rows: readonly Row[],
  kind: "request" | "closed" | "open",
])[] = [
  ["Quote request", QuoteRequest, QUOTE_REQUEST, "request"],
  ["Estimate request", EstimateRequest, ESTIMATE_REQUEST, "request"],
  ["Waypoint (in)", WaypointIn, WAYPOINT_IN, "request"],
  ["Special item", SpecialItem, SPECIAL_ITEM, "request"],
  ["Checkout request", CheckoutRequest, CHECKOUT_REQUEST, "request"],
  ["Waypoint (out)", WaypointOut, WAYPOINT_OUT, "open"],
  ["Quote", Quote, QUOTE, "open"],
  ["Quote option", QuoteOption, QUOTE_OPTION, "open"],
  ["Price line", QuoteOption.shape.price_lines.unwrap().element, PRICE_LINE, "open"],
  ["Notice", Notice, NOTICE, "open"],
  ["Route basis", RouteBasis, ROUTE_BASIS, "open"],
  ["Route", Route, ROUTE, "open"],
  ["Transfer service", TransferService, TRANSFER_SERVICE, "open"],
  ["Vehicle class", VehicleClass, VEHICLE_CLASS, "open"],
  ["Luggage definition", LuggageDefinition, LUGGAGE_DEFINITION, "open"],
  ["Special item kind", SpecialItemKind, SPECIAL_ITEM_KIND, "open"],
  ["Policy", Policy, POLICY, "open"],
  ["Quote requirements: field", QuoteRequirements.shape.fields.element, REQUIREMENT_FIELD, "open"],
  ["Checkout handoff", CheckoutHandoff, CHECKOUT_HANDOFF, "open"],
  ["Operator", Operator, OPERATOR, "open"],
  ["Problem", Problem, PROBLEM, "closed"],
  ["Problem: field error", Problem.shape.field_errors.unwrap().element, FIELD_ERROR, "closed"],
];
