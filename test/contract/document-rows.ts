export const WAYPOINT_OUT: readonly Row[] = [
  ["name", "string", "yes"],
  ["stop_duration_min", "integer or null", "no"],
];

// Added within v1.
const TRAVEL_TIMES: readonly Row[] = [
  ["arrival_datetime", "date-time", "no"],
  ["return_arrival_datetime", "date-time", "no"],
  ["free_cancellation_until", "date-time or null", "no"],
  ["return_free_cancellation_until", "date-time or null", "no"],
];

export const QUOTE: readonly Row[] = [
  ["status", "string", "yes"],
  ["origin", "string", "yes"],
  ["destination", "string", "yes"],
  ["passengers", "integer", "yes"],
  ["luggage", "integer", "yes"],
  ["adults", "integer", "yes"],
  ["route_basis", "RouteBasis", "yes"],
  ["children", "integer", "no", "0"],
  ["infants", "integer", "no", "0"],
  ["quote_id", "string or null", "no"],
  ["request_id", "string or null", "no"],
  ["pickup_datetime", "date-time or null", "no"],
  ["return_datetime", "date-time or null", "no"],
  ["expires_at", "date-time or null", "no"],
  ["currency", "string", "no", "CHF"],
  // Added within v1.
  ["vat_included", "boolean", "no", "true"],
  ["operator", "Operator", "no"],
  ["non_binding", "boolean", "no", "true"],
  ["reservation_status", "string", "no", "not_reserved"],
  ["requires_manual_confirmation", "boolean", "no", "false"],
  ["limitations", "array of string", "no"],
  // Added within v1.
  ...TRAVEL_TIMES,
  ["large_luggage", "integer or null", "no"],
  ["special_items", "array of Special item", "no"],
  ["flight_number", "string", "no"],
  ["options", "array of Quote option", "no"],
  ["waypoints", "array of Waypoint (out)", "no"],
  ["tariff_version", "string or null", "no"],
  ["vat_percent", "number", "no"],
];

export const QUOTE_OPTION: readonly Row[] = [
  ["fleet_id", "integer", "yes"],
  ["vehicle_class", "string", "yes"],
  ["vehicle_type", "string", "yes"],
  ["passenger_capacity", "integer", "yes"],
  ["total_price", "number", "yes"],
  ["currency", "string", "yes"],
  ["luggage_capacity", "integer or null", "no"],
  ["large_luggage_capacity", "integer or null", "no"],
  ["small_luggage_capacity", "integer or null", "no"],
  ["on_request", "boolean", "no", "false"],
  ["requires_manual_confirmation", "boolean", "no", "false"],
  // Added within v1.
  ["price_lines", "array of Price line", "no"],
  ["vat_amount", "number", "no"],
];

export const PRICE_LINE: readonly Row[] = [
  ["label", "string", "yes"],
  ["amount", "number", "yes"],
];

// Added within v1.
export const NOTICE: readonly Row[] = [
  // Any text, unlike the code of a problem.
  ["code", "open string", "yes"],
  ["values", "object", "yes"],
  ["text", "string", "yes"],
];

export const ROUTE_BASIS: readonly Row[] = [
  ["authority", "string or null", "no"],
  ["automatically_payable", "boolean", "no", "false"],
  ["distance_km", "number or null", "no"],
  ["duration_min", "integer or null", "no"],
  ["measured_at", "date-time or null", "no"],
  ["route_contract_version", "string or null", "no"],
  ["route_fingerprint", "string or null", "no"],
  ["routing_basis", "string or null", "no"],
];

export const ROUTE: readonly Row[] = [
  ["route_key", "string", "yes"],
  ["origin", "string", "yes"],
  ["destination", "string", "yes"],
  ["transfer_type", "string", "yes"],
  ["verification_state", "string", "yes"],
  ["distance_km", "number or null", "no"],
  ["duration_min", "integer or null", "no"],
  ["normalized_origin", "string", "no", "empty string"],
  ["normalized_destination", "string", "no", "empty string"],
  ["quotable", "boolean", "no", "true"],
  ["route_contract_version", "string or null", "no"],
  ["routing_basis", "string or null", "no"],
  ["live_context", "object or null", "no"],
  ["waypoints", "array of Waypoint (out)", "no"],
  // Added within v1.
  ["note", "string", "no"],
];

export const TRANSFER_SERVICE: readonly Row[] = [
  ["route_key", "string", "yes"],
  ["origin", "string", "yes"],
  ["destination", "string", "yes"],
  ["transfer_type", "string", "yes"],
  ["distance_km", "number or null", "no"],
  ["duration_min", "integer or null", "no"],
];

export const VEHICLE_CLASS: readonly Row[] = [
  ["vehicle_class", "string", "yes"],
  ["passenger_capacity", "integer", "yes"],
  ["vehicle_type", "string or null", "no"],
  ["luggage_capacity", "integer or null", "no"],
  ["large_luggage_capacity", "integer or null", "no"],
  ["small_luggage_capacity", "integer or null", "no"],
  ["instant_bookable", "boolean", "no", "false"],
];

export const LUGGAGE_DEFINITION: readonly Row[] = [
  ["label", "string", "yes"],
  ["description", "string", "yes"],
  ["max_dimensions_cm", "array of integer", "yes"],
  ["typical_weight_kg", "array of integer", "yes"],
  ["counts_as", "integer", "yes"],
];

export const SPECIAL_ITEM_KIND: readonly Row[] = [
  ["kind", "string", "yes"],
  ["label", "string", "yes"],
  ["description", "string", "yes"],
  ["price", "number", "no"],
  ["currency", "string", "no"],
];

export const POLICY: readonly Row[] = [
  ["policy_key", "string", "yes"],
  ["policy_version", "string", "yes"],
  ["full_refund_cutoff_hours", "number", "yes"],
  ["policy_text", "string", "yes"],
];

export const REQUIREMENT_FIELD: readonly Row[] = [
  ["name", "string", "yes"],
  ["required", "boolean", "yes"],
  ["type", "string", "yes"],
  ["description", "string", "yes"],
];

export const CHECKOUT_HANDOFF: readonly Row[] = [
  ["checkout_url", "string", "yes"],
  ["quote_id", "string", "yes"],
  ["fleet_id", "integer", "yes"],
  ["total_price", "number", "yes"],
  ["currency", "string", "yes"],
  // Added within v1.
  ["vat_included", "boolean", "no", "true"],
  ["expires_at", "date-time or null", "no"],
  ["request_id", "string or null", "no"],
  ["non_binding", "boolean", "no", "true"],
  ["reservation_status", "string", "no", "not_reserved"],
  ["status", "string", "no", "open"],
  // Added within v1.
  ["vehicle_class", "string", "no"],
  ["vehicle_type", "string", "no"],
  ["pickup_datetime", "date-time", "no"],
  ["flight_number", "string", "no"],
  ...TRAVEL_TIMES,
  ["limitations", "array of string", "no"],
  ["operator", "Operator", "no"],
];

export const OPERATOR: readonly Row[] = [
  ["name", "string", "yes"],
  ["phone", "string", "yes"],
  ["email", "string", "yes"],
  ["website", "string", "no"],
  ["terms_url", "string", "no"],
  ["vat_number", "string", "no"],
];

export const PROBLEM: readonly Row[] = [
  ["type", "string", "yes"],
  ["title", "string", "yes"],
  ["status", "integer", "yes"],
  ["code", "string", "yes"],
  ["detail", "string", "yes"],
  ["retryable", "boolean", "yes"],
  ["field_errors", "array of FieldError", "no"],
  ["instance", "string or null", "no"],
  ["next_action", "string or null", "no"],
  ["request_id", "string or null", "no"],
  ["expired_offer", "object", "no"],
  ["retry_after_seconds", "integer or null", "no"],
];

export const FIELD_ERROR: readonly Row[] = [
  ["field", "string", "yes"],
  ["message", "string", "yes"],
  // Added within v1.
  ["candidates", "array of string", "no"],
];

/**
 * The tables of the public API document, retyped by hand: name, type, required, default, bounds. Every row is
 * independent of the code, so that a field, a bound or a code cannot change unnoticed.
 */
export type Row = readonly [name: string, type: string, required: "yes" | "no", fallback?: string, bounds?: string];

const JOURNEY: readonly Row[] = [
  ["origin", "string", "yes", "", "length 1 to 512"],
  // Loosened within v1: an hourly hire needs none.
  ["destination", "string", "no", "", "length 1 to 512"],
  // Loosened within v1: arrive_by may be sent instead.
  ["pickup_datetime", "date-time", "no"],
  ["booking_type", "string", "no", "point_to_point", "max length 32"],
  ["passengers", "integer", "no", "1", "1 to 50"],
  ["adults", "integer or null", "no", "null", "0 to 50"],
  ["children", "integer", "no", "0", "0 to 50"],
  ["infants", "integer", "no", "0", "0 to 50"],
  ["luggage", "integer", "no", "0", "0 to 50"],
  ["waiting_minutes", "integer", "no", "0", "0 to 1440"],
  ["duration_hours", "number or null", "no", "null", "0 to 240"],
  ["waypoints", "array of Waypoint (in) or null", "no", "null", "at most 10 items"],
  // Added within v1.
  ["large_luggage", "integer", "no", "", "0 to 50"],
  ["special_items", "array of Special item", "no", "", "at most 20 items"],
  ["arrive_by", "date-time", "no"],
  ["flight_number", "flight number", "no"],
];

export const SPECIAL_ITEM: readonly Row[] = [
  ["kind", "string", "yes", "", "length 1 to 64"],
  ["count", "integer", "yes", "", "1 to 50"],
];

const RETURN: Row = ["return_datetime", "date-time or null", "no", "null"];

export const QUOTE_REQUEST: readonly Row[] = [...JOURNEY, RETURN];

export const ESTIMATE_REQUEST: readonly Row[] = [
  ...JOURNEY,
  // Added within v1.
  RETURN,
  ["distance_km", "number or null", "no", "", "0 to 5000"],
  ["duration_min", "integer or null", "no", "", "0 to 100000"],
];

export const WAYPOINT_IN: readonly Row[] = [
  ["name", "string", "yes", "", "length 1 to 512"],
  ["lat", "number or null", "no", "", "-90 to 90"],
  ["lng", "number or null", "no", "", "-180 to 180"],
  ["place_id", "string or null", "no", "", "max length 256"],
  ["stop_duration_min", "integer or null", "no", "", "0 to 720"],
];

export const CHECKOUT_REQUEST: readonly Row[] = [
  ["quote_id", "string", "yes", "", "length 1 to 64"],
  ["fleet_id", "integer", "yes", "", "greater than 0"],
  ["traveler_approval", "boolean", "yes"],
];
