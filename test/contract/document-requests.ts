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
