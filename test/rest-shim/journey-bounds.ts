/*
 * `test/contract/document-tables.test.ts` judges type and bounds of every field; here is what several fields decide
 * together, what looks like another type, and which field an answer names.
 */
const STOP = { name: "Bern" };
const AT = { name: "by the lake", lat: 46.9, lng: 7.5 };
const stops = (count: number, fields: object = {}) => ({
  waypoints: Array.from({ length: count }, () => ({ ...STOP, ...fields })),
});

/** Within the bounds, whatever is decided about it later. */
// biome-ignore format: several fit on a line
export const ACCEPTED: readonly (readonly [what: string, fields: object])[] = [
  ["the smallest request", {}], ["origin of 1 character", { origin: "x" }],
  ["origin of 512 characters", { origin: "Zurich Airport".padEnd(512) }],
  ["booking_type hourly", { booking_type: "hourly", duration_hours: 0.5 }], ["passengers 2.0", { passengers: 2.0 }],
  ["everyone 50", { passengers: 50, adults: 50, children: 50, infants: 50 }],
  ["duration_hours 0 without a hire", { duration_hours: 0 }], ["waypoints null", { waypoints: null }], ["10 waypoints", stops(10)],
  ["waypoint name of 512 characters", stops(1, { name: "x".repeat(512), lat: 46.9, lng: 7.5 })],
  ["waypoint at the south pole", stops(1, { lat: -90, lng: -180 })],
  ["waypoint with nulls", stops(1, { lat: null, lng: null, place_id: null, stop_duration_min: null })],
  ["place_id empty", stops(1, { place_id: "" })], ["flight_number of 2 characters", { flight_number: "U2" }],
  ["flight_number of 10 characters", { flight_number: "EZY 1234 A" }],
];

/** Outside the bounds, of the wrong type, or unknown; with the field that the answer must name. */
// biome-ignore format: several fit on a line
export const REFUSED: readonly (readonly [field: string, fields: object])[] = [
  ...wrong("origin", undefined, null, "", "x".repeat(513), 3, true, {}, ["Bern"]), ...wrong("destination", undefined, null, ""),
  ...wrong("pickup_datetime", "", "tomorrow", 1_800_000_000, true, {}, []), ...wrong("return_datetime", "", "tomorrow", 5, true),
  ...wrong("booking_type", "", "round_trip", "HOURLY"), ...wrong("passengers", 0, 51, 1.5, "2", true, [2]),
  ...wrong("flight_number", "L", "LX 39 / LX 40", "LX-39", "  ", "LX\n39", "LX 39 LX 40"),
  ...wrong("duration_hours", -0.01, 240.01, "4"), ["duration_hours", { booking_type: "hourly" }],
  ["duration_hours", { booking_type: "hourly", duration_hours: null }],
  ...wrong("waypoints", {}, "Bern", 1, false), ["waypoints", stops(11)], ["waypoints.0", { waypoints: ["Bern"] }],
  ["waypoints.1", { waypoints: [STOP, null] }], ...wrongStop("name", undefined, null, "", 3), ...wrongStop("lat", 90.01, "46.9"),
  ["waypoints.2.stop_duration_min", { waypoints: [STOP, AT, { ...STOP, stop_duration_min: 721 }] }],
  ...["total_price", "fleet_id", "quote_id", "Origin", ""].flatMap((field) => wrong(field, 1)),
  ...["constructor", "toString", "hasOwnProperty", "prototype"].flatMap((field) => wrong(field, {})),
  ...["dwell", "stop_duration", "constructor"].flatMap((field) => wrongStop(field, 1)),
];

/** The metrics of a caller are of estimates alone. */
export const REFUSED_BY: Readonly<Record<string, typeof REFUSED>> = {
  create_transfer_quote: [...wrong("distance_km", 10, null), ...wrong("duration_min", 10, null)],
  estimate_transfer_quote: [...wrong("distance_km", 5000.01, "10"), ...wrong("duration_min", 1.5, "10")],
};

function wrong(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [field, { [field]: value }] as const);
}

function wrongStop(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [`waypoints.0.${field}`, { waypoints: [{ ...AT, [field]: value }] }] as const);
}
