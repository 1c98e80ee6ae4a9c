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
import { Operator, Quote, QuoteOption, RouteBasis, WaypointOut } from "../../src/contract/quote.ts";
import { EstimateRequest, QuoteRequest, SpecialItem, WaypointIn } from "../../src/contract/quote-request.ts";

/**
 * The tables of the public API document, retyped by hand: name, type, required, default, bounds. Every row is
 * independent of the code, so that a field, a bound or a code cannot change unnoticed.
 */
export type Row = readonly [name: string, type: string, required: "yes" | "no", fallback?: string, bounds?: string];

// biome-ignore format: a table reads by its columns
const JOURNEY: readonly Row[] = [
  ["origin", "string", "yes", "", "length 1 to 512"],
  // Loosened within v1: an hourly hire needs none.
  ["destination", "string", "no", "", "length 1 to 512"],
  // Loosened within v1: arrive_by may be sent instead.
  ["pickup_datetime", "date-time", "no"], ["booking_type", "string", "no", "point_to_point", "max length 32"],
  ["passengers", "integer", "no", "1", "1 to 50"], ["adults", "integer or null", "no", "null", "0 to 50"],
  ["children", "integer", "no", "0", "0 to 50"], ["infants", "integer", "no", "0", "0 to 50"],
  ["luggage", "integer", "no", "0", "0 to 50"], ["waiting_minutes", "integer", "no", "0", "0 to 1440"],
  ["duration_hours", "number or null", "no", "null", "0 to 240"],
  ["waypoints", "array of Waypoint (in) or null", "no", "null", "at most 10 items"],
  // Added within v1.
  ["large_luggage", "integer", "no", "", "0 to 50"],
  ["special_items", "array of Special item", "no", "", "at most 20 items"], ["arrive_by", "date-time", "no"],
  ["flight_number", "flight number", "no"],
];
const RETURN: Row = ["return_datetime", "date-time or null", "no", "null"];
export const QUOTE_REQUEST: readonly Row[] = [...JOURNEY, RETURN];

// Added within v1.
// biome-ignore format: a table reads by its columns
const TRAVEL_TIMES: readonly Row[] = [
  ["arrival_datetime", "date-time", "no"], ["return_arrival_datetime", "date-time", "no"],
  ["free_cancellation_until", "date-time or null", "no"],
  ["return_free_cancellation_until", "date-time or null", "no"],
];

// biome-ignore format: a table reads by its columns
export const QUOTE: readonly Row[] = [
  ["status", "string", "yes"], ["origin", "string", "yes"], ["destination", "string", "yes"],
  ["passengers", "integer", "yes"], ["luggage", "integer", "yes"], ["adults", "integer", "yes"],
  ["route_basis", "RouteBasis", "yes"], ["children", "integer", "no", "0"], ["infants", "integer", "no", "0"],
  ["quote_id", "string or null", "no"], ["request_id", "string or null", "no"],
  ["pickup_datetime", "date-time or null", "no"], ["return_datetime", "date-time or null", "no"],
  ["expires_at", "date-time or null", "no"], ["currency", "string", "no", "CHF"],
  // Added within v1.
  ["vat_included", "boolean", "no", "true"], ["operator", "Operator", "no"], ["non_binding", "boolean", "no", "true"],
  ["reservation_status", "string", "no", "not_reserved"], ["requires_manual_confirmation", "boolean", "no", "false"],
  ["limitations", "array of string", "no"],
  // Added within v1.
  ...TRAVEL_TIMES, ["large_luggage", "integer or null", "no"], ["special_items", "array of Special item", "no"],
  ["flight_number", "string", "no"], ["options", "array of Quote option", "no"],
  ["waypoints", "array of Waypoint (out)", "no"], ["tariff_version", "string or null", "no"],
  ["next_action", "string", "no"], ["request", "object", "no"],
  ["vat_percent", "number", "no"],
];

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
// biome-ignore format: a table reads by its columns
export const TABLES: readonly (readonly [title: string, schema: Fields, kind: "request" | "closed" | "open", rows: readonly Row[]])[] = [
  ["Quote request", QuoteRequest, "request", QUOTE_REQUEST],
  ["Estimate request", EstimateRequest, "request", [
    ...JOURNEY,
    // Added within v1.
    RETURN, ["distance_km", "number or null", "no", "", "0 to 5000"],
    ["duration_min", "integer or null", "no", "", "0 to 100000"],
  ]],
  ["Waypoint (in)", WaypointIn, "request", [
    ["name", "string", "yes", "", "length 1 to 512"], ["lat", "number or null", "no", "", "-90 to 90"],
    ["lng", "number or null", "no", "", "-180 to 180"], ["place_id", "string or null", "no", "", "max length 256"],
    ["stop_duration_min", "integer or null", "no", "", "0 to 720"],
  ]],
  ["Special item", SpecialItem, "request", [
    ["kind", "string", "yes", "", "length 1 to 64"], ["count", "integer", "yes", "", "1 to 50"],
  ]],
  ["Checkout request", CheckoutRequest, "request", [
    ["quote_id", "string", "yes", "", "length 1 to 64"], ["fleet_id", "integer", "yes", "", "greater than 0"],
    ["traveler_approval", "boolean", "yes"],
  ]],
  ["Waypoint (out)", WaypointOut, "open", [
    ["name", "string", "yes"], ["stop_duration_min", "integer or null", "no"],
    ["lat", "number", "no"], ["lng", "number", "no"], ["near", "string", "no"],
  ]],
  ["Quote", Quote, "open", QUOTE],
  ["Quote option", QuoteOption, "open", [
    ["fleet_id", "integer", "yes"], ["vehicle_class", "string", "yes"], ["vehicle_type", "string", "yes"],
    ["passenger_capacity", "integer", "yes"], ["total_price", "number", "yes"], ["currency", "string", "yes"],
    ["luggage_capacity", "integer or null", "no"], ["large_luggage_capacity", "integer or null", "no"],
    ["small_luggage_capacity", "integer or null", "no"], ["on_request", "boolean", "no", "false"],
    ["requires_manual_confirmation", "boolean", "no", "false"],
    // Added within v1.
    ["price_lines", "array of Price line", "no"], ["vat_amount", "number", "no"],
  ]],
  ["Price line", QuoteOption.shape.price_lines.unwrap().element, "open", [
    ["label", "string", "yes"], ["amount", "number", "yes"],
  ]],
  // Added within v1.
  ["Notice", PageNotice, "open", [
    // Any text, unlike the code of a problem.
    ["code", "open string", "yes"], ["values", "object", "yes"], ["text", "string", "yes"], ["included", "boolean", "no"],
    ["in_legs", "boolean", "no"],
    ["decisive", "boolean", "no"],
  ]],
  ["Route basis", RouteBasis, "open", [
    ["authority", "string or null", "no"], ["automatically_payable", "boolean", "no", "false"],
    ["distance_km", "number or null", "no"], ["duration_min", "integer or null", "no"],
    ["measured_at", "date-time or null", "no"], ["route_contract_version", "string or null", "no"],
    ["route_fingerprint", "string or null", "no"], ["routing_basis", "string or null", "no"],
  ]],
  ["Route", Route, "open", [
    ["route_key", "string", "yes"], ["origin", "string", "yes"], ["destination", "string", "yes"],
    ["transfer_type", "string", "yes"], ["verification_state", "string", "yes"],
    ["distance_km", "number or null", "no"], ["duration_min", "integer or null", "no"],
    ["normalized_origin", "string", "no", "empty string"], ["normalized_destination", "string", "no", "empty string"],
    ["quotable", "boolean", "no", "true"], ["route_contract_version", "string or null", "no"],
    ["routing_basis", "string or null", "no"], ["live_context", "object or null", "no"],
    ["waypoints", "array of Waypoint (out)", "no"],
    // Added within v1.
    ["note", "string", "no"],
  ]],
  ["Transfer service", TransferService, "open", [
    ["route_key", "string", "yes"], ["origin", "string", "yes"], ["destination", "string", "yes"],
    ["transfer_type", "string", "yes"], ["distance_km", "number or null", "no"],
    ["duration_min", "integer or null", "no"],
  ]],
  ["Vehicle class", VehicleClass, "open", [
    ["vehicle_class", "string", "yes"], ["passenger_capacity", "integer", "yes"],
    ["vehicle_type", "string or null", "no"], ["luggage_capacity", "integer or null", "no"],
    ["large_luggage_capacity", "integer or null", "no"], ["small_luggage_capacity", "integer or null", "no"],
    ["instant_bookable", "boolean", "no", "false"],
  ]],
  ["Luggage definition", LuggageDefinition, "open", [
    ["label", "string", "yes"], ["description", "string", "yes"], ["max_dimensions_cm", "array of integer", "yes"],
    ["typical_weight_kg", "array of integer", "yes"], ["counts_as", "integer", "yes"],
  ]],
  ["Special item kind", SpecialItemKind, "open", [
    ["kind", "string", "yes"], ["label", "string", "yes"], ["description", "string", "yes"],
    ["price", "number", "no"], ["currency", "string", "no"],
  ]],
  ["Policy", Policy, "open", [
    ["policy_key", "string", "yes"], ["policy_version", "string", "yes"],
    ["full_refund_cutoff_hours", "number", "yes"], ["policy_text", "string", "yes"],
    ["partial_refunds", "array of Partial refund", "no"], ["vat_percent", "number", "no"],
    ["operator", "Policy operator", "no"],
  ]],
  ["Policy operator", PolicyOperator, "open", [
    ["name", "string", "yes"], ["phone", "string", "yes"], ["email", "string", "yes"], ["website", "string", "no"],
    ["terms_url", "string", "no"], ["vat_number", "string", "no"], ["phone_hours", "string", "no"],
    ["payment_methods", "string", "no"],
  ]],
  ["Partial refund", PartialRefund, "open", [["hours", "number", "yes"], ["percent", "number", "yes"]]],
  ["Transfer service list", TransferServiceList, "open", [
    ["services", "array of Transfer service", "yes"], ["note", "string", "no"],
  ]],
  ["Vehicle class list", VehicleClassList, "open", [
    ["vehicle_classes", "array of Vehicle class", "yes"], ["luggage_definitions", "object", "yes"],
    ["special_item_kinds", "array of string", "yes"],
    // Added within v1.
    ["special_items", "array of Special item kind", "no"],
  ]],
  ["Quote requirements", QuoteRequirements, "open", [
    ["notes", "string", "yes"], ["fields", "array of Quote requirements: field", "yes"],
    ["bookability_states", "array of string", "no"],
    // Added within v1.
    ["booking_windows", "array of Booking window", "no"], ["surcharges", "array of Surcharge", "no"],
  ]],
  ["Booking window", QuoteRequirements.shape.booking_windows.unwrap().element, "open", [
    ["lead_time_hours", "number", "no"], ["horizon_days", "number", "no"],
    ["vehicle_classes", "array of string", "yes"], ["routes", "array of string", "no"],
  ]],
  ["Surcharge", QuoteRequirements.shape.surcharges.unwrap().element, "open", [
    ["label", "string", "yes"], ["percent", "number", "yes"], ["amount", "number", "no"],
    ["days", "array of string", "no"], ["weekdays", "array of string", "no"], ["hours", "string", "no"],
    ["return_within_days", "integer or null", "no"], ["vehicle_classes", "array of string", "no"], ["routes", "array of string", "no"],
  ]],
  ["Quote requirements: field", QuoteRequirements.shape.fields.element, "open", [
    ["name", "string", "yes"], ["required", "boolean", "yes"], ["type", "string", "yes"],
    ["description", "string", "yes"],
  ]],
  ["Checkout handoff", CheckoutHandoff, "open", [
    ["checkout_url", "string", "yes"], ["quote_id", "string", "yes"], ["fleet_id", "integer", "yes"],
    ["total_price", "number", "yes"], ["currency", "string", "yes"],
    // Added within v1.
    ["vat_included", "boolean", "no", "true"], ["expires_at", "date-time or null", "no"],
    ["request_id", "string or null", "no"], ["non_binding", "boolean", "no", "true"],
    ["reservation_status", "string", "no", "not_reserved"], ["status", "string", "no", "open"],
    // Added within v1.
    ["vehicle_class", "string", "no"], ["vehicle_type", "string", "no"], ["pickup_datetime", "date-time", "no"],
    ["flight_number", "string", "no"], ...TRAVEL_TIMES, ["limitations", "array of string", "no"],
    ["operator", "Operator", "no"], ["next_action", "string", "no"],
  ]],
  ["Operator", Operator, "open", [
    ["name", "string", "yes"], ["phone", "string", "yes"], ["email", "string", "yes"], ["website", "string", "no"],
    ["terms_url", "string", "no"], ["vat_number", "string", "no"],
  ]],
  ["Problem", Problem, "closed", [
    ["type", "string", "yes"], ["title", "string", "yes"], ["status", "integer", "yes"], ["code", "string", "yes"],
    ["detail", "string", "yes"], ["retryable", "boolean", "yes"], ["field_errors", "array of FieldError", "no"],
    ["instance", "string or null", "no"], ["next_action", "string or null", "no"],
    ["request_id", "string or null", "no"], ["expired_offer", "object", "no"],
    ["retry_after_seconds", "integer or null", "no"],
  ]],
  ["FieldError", Problem.shape.field_errors.unwrap().element, "closed", [
    ["field", "string", "yes"], ["message", "string", "yes"],
    // Added within v1.
    ["candidates", "array of string", "no"],
  ]],
];
