import { fileURLToPath } from "node:url";
import { z } from "zod/v3";
import * as checkout from "../../src/contract/checkout.ts";
import * as discovery from "../../src/contract/discovery.ts";
import { Problem } from "../../src/contract/problem.ts";
import * as quote from "../../src/contract/quote.ts";
import * as requests from "../../src/contract/quote-request.ts";
import { recordsOf } from "../support/csv-records.ts";

/**
 * The tables of the public API document, retyped by hand in field-tables.csv: schema, name, type, required, default,
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

/** Schemas by their export; those of items by the field of the list: `Problem.field_errors`. */
const SCHEMAS: Readonly<Record<string, unknown>> = { ...checkout, ...discovery, ...quote, ...requests, Problem };

function schemaOf(title: string): Fields {
  const [name = "", list] = title.split(".");
  const schema = SCHEMAS[name] as Fields;
  if (list === undefined) return schema;
  const field = schema.shape[list];
  const items = field instanceof z.ZodOptional ? field.unwrap() : field;
  return items.element;
}

/** "request" and "closed" refuse unknown fields, "open" keeps them; a request takes null as a field that is left out. */
function kindOf(title: string): "request" | "closed" | "open" {
  if (title.startsWith("Problem")) return "closed";
  return title.endsWith("Request") || ["WaypointIn", "SpecialItem"].includes(title) ? "request" : "open";
}

const rows = recordsOf(fileURLToPath(new URL("field-tables.csv", import.meta.url))).map((record) => record.split(","));

export function rowsOf(table: string): readonly Row[] {
  return rows.filter(([title]) => title === table).map(([, ...row]) => row as unknown as Row);
}

export const TABLES = [...new Set(rows.map(([title = ""]) => title))].map((title) => {
  return { title, schema: schemaOf(title), kind: kindOf(title), rows: rowsOf(title) };
});
