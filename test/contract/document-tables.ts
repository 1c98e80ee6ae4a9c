import { fileURLToPath } from "node:url";
import type { z } from "zod/v3";
import { CheckoutHandoff, CheckoutRequest, PageNotice } from "../../src/contract/checkout.ts";
import {
  LuggageDefinition,
  PartialRefund,
  Policy,
  PolicyOperator,
  QuoteRequirements,
  Route,
  SpecialItemKind,
  TransferService,
  TransferServiceList,
  VehicleClass,
  VehicleClassList,
} from "../../src/contract/discovery.ts";
import { Problem } from "../../src/contract/problem.ts";
import {
  Operator,
  PlaceOut,
  PriceLine,
  Quote,
  QuoteOption,
  RouteBasis,
  Saving,
  WaypointOut,
} from "../../src/contract/quote.ts";
import { EstimateRequest, QuoteRequest, SpecialItem, WaypointIn } from "../../src/contract/quote-request.ts";

import { recordsOf } from "../support/csv-records.ts";

/**
 * The tables of the public API document, retyped by hand in field-tables.csv: table, name, type, required, default,
 * bounds. Every row is independent of the code, so that a field, a bound or a code cannot change unnoticed.
 */
export type Row = readonly [name: string, type: string, required: "yes" | "no", fallback?: string, bounds?: string];

/** Code, status, retryable; the document leaves the last eight open. */
// biome-ignore format: a table reads by its columns
export const ERROR_CODES: readonly (readonly [code: string, status: number, retryable: boolean])[] = [
  ["INVALID_REQUEST", 422, false], ["AUTHENTICATION_REQUIRED", 401, false], ["FORBIDDEN", 403, false],
  ["QUOTE_NOT_FOUND", 404, false], ["QUOTE_EXPIRED", 409, false], ["MANUAL_CONFIRMATION_REQUIRED", 409, false],
  ["RATE_LIMITED", 429, true], ["QUOTE_UNAVAILABLE", 503, true], ["UPSTREAM_UNAVAILABLE", 503, true],
  ["INVALID_LOCATION", 422, false], ["ROUTE_UNAVAILABLE", 503, true], ["UNSUPPORTED_ROUTE", 404, false],
  ["INVALID_DATETIME", 422, false], ["NO_ELIGIBLE_VEHICLE", 422, false], ["PAST_DATETIME", 422, false],
  ["LEAD_TIME_NOT_SUPPORTED", 422, false], ["RETURN_TIME_INVALID", 422, false],
];

/** Operation, method and path, auth, tier; then the MCP tool and the status of success, which the document leaves open. */
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
const SCHEMAS: Readonly<Record<string, readonly [schema: Fields, kind: "request" | "closed" | "open"]>> = {
  "Quote request": [QuoteRequest, "request"],
  "Estimate request": [EstimateRequest, "request"],
  "Waypoint (in)": [WaypointIn, "request"],
  "Special item": [SpecialItem, "request"],
  "Checkout request": [CheckoutRequest, "request"],
  "Waypoint (out)": [WaypointOut, "open"],
  Place: [PlaceOut, "open"],
  Quote: [Quote, "open"],
  "Quote option": [QuoteOption, "open"],
  "Price line": [PriceLine, "open"],
  Saving: [Saving, "open"],
  Notice: [PageNotice, "open"],
  "Route basis": [RouteBasis, "open"],
  Route: [Route, "open"],
  "Transfer service": [TransferService, "open"],
  "Vehicle class": [VehicleClass, "open"],
  "Luggage definition": [LuggageDefinition, "open"],
  "Special item kind": [SpecialItemKind, "open"],
  Policy: [Policy, "open"],
  "Policy operator": [PolicyOperator, "open"],
  "Partial refund": [PartialRefund, "open"],
  "Transfer service list": [TransferServiceList, "open"],
  "Vehicle class list": [VehicleClassList, "open"],
  "Quote requirements": [QuoteRequirements, "open"],
  "Booking window": [QuoteRequirements.shape.booking_windows.unwrap().element, "open"],
  Surcharge: [QuoteRequirements.shape.surcharges.unwrap().element, "open"],
  "Not offered": [QuoteRequirements.shape.not_offered.unwrap().element, "open"],
  "Quote requirements: field": [QuoteRequirements.shape.fields.element, "open"],
  "Checkout handoff": [CheckoutHandoff, "open"],
  Operator: [Operator, "open"],
  Problem: [Problem, "closed"],
  FieldError: [Problem.shape.field_errors.unwrap().element, "closed"],
};

const rows = recordsOf(fileURLToPath(new URL("field-tables.csv", import.meta.url))).map((record) => record.split(","));

/** The titles of the tables, in order. */
export const TITLES: readonly string[] = [...new Set(rows.map(([title = ""]) => title))];

export function rowsOf(table: string): readonly Row[] {
  return rows.filter(([title]) => title === table).map(([, ...row]) => row as unknown as Row);
}

export const TABLES = Object.entries(SCHEMAS).map(([title, [schema, kind]]) => ({
  title,
  schema,
  kind,
  rows: rowsOf(title),
}));
