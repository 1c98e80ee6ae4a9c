import type { ErrorCode } from "../../src/contract/errors.ts";

const STOP = { name: "Bern" };
const AT = { name: "by the lake", lat: 46.9, lng: 7.5 };
const stops = (count: number, fields: object = {}) => ({
  waypoints: Array.from({ length: count }, () => ({ ...STOP, ...fields })),
});

/** Within the bounds: priced, or refused for another reason than its shape. */
// biome-ignore format: several fit on a line
export const ACCEPTED: readonly (readonly [what: string, fields: object, refusal?: ErrorCode])[] = [
  ["the smallest request", {}], ["origin of 1 character", { origin: "x" }, "INVALID_LOCATION"],
  ["origin of 512 characters", { origin: "Zurich Airport".padEnd(512) }],
  ["destination of 1 character", { destination: "x" }, "INVALID_LOCATION"],
  ["destination of 512 characters", { destination: "Zermatt".padEnd(512) }],
  ["booking_type point_to_point", { booking_type: "point_to_point" }],
  ["booking_type hourly", { booking_type: "hourly", duration_hours: 4 }], ["passengers 1", { passengers: 1 }],
  ["passengers 50", { passengers: 50 }], ["passengers 2.0", { passengers: 2.0 }], ["adults null", { adults: null }],
  ["adults 0", { adults: 0 }], ["adults 50", { adults: 50 }], ["children 0", { children: 0 }],
  ["children 50", { children: 50, adults: 0 }], ["infants 0", { infants: 0 }],
  ["infants 50", { infants: 50, adults: 0 }],
  ["everyone 50", { passengers: 50, adults: 50, children: 50, infants: 50 }, "NO_ELIGIBLE_VEHICLE"],
  ["luggage 0", { luggage: 0 }], ["luggage 50", { luggage: 50 }], ["waiting_minutes 0", { waiting_minutes: 0 }],
  ["waiting_minutes 1440", { waiting_minutes: 1440 }], ["duration_hours null", { duration_hours: null }],
  ["duration_hours 0", { duration_hours: 0 }],
  ["duration_hours 0.5", { booking_type: "hourly", duration_hours: 0.5 }],
  ["duration_hours 240", { booking_type: "hourly", duration_hours: 240 }], ["waypoints null", { waypoints: null }],
  ["waypoints empty", { waypoints: [] }], ["10 waypoints", stops(10)],
  ["waypoint name of 1 character", stops(1, { name: "x", lat: 46.9, lng: 7.5 })],
  ["waypoint name of 512 characters", stops(1, { name: "x".repeat(512), lat: 46.9, lng: 7.5 })],
  ["waypoint at the south pole", stops(1, { lat: -90, lng: -180 }), "UNSUPPORTED_ROUTE"],
  ["waypoint at the north pole", stops(1, { lat: 90, lng: 180 }), "UNSUPPORTED_ROUTE"],
  ["waypoint with nulls", stops(1, { lat: null, lng: null, place_id: null, stop_duration_min: null })],
  ["place_id empty", stops(1, { place_id: "" })],
  ["place_id of 256 characters", stops(1, { place_id: "x".repeat(256) })],
  ["stop_duration_min 0", stops(1, { stop_duration_min: 0 })],
  ["stop_duration_min 720", stops(1, { stop_duration_min: 720 })], ["flight_number null", { flight_number: null }],
  ["flight_number of 2 characters", { flight_number: "U2" }],
  ["flight_number of 10 characters", { flight_number: "EZY 1234 A" }],
];

/** Outside the bounds, of the wrong type, or unknown; with the field that the answer must name. */
// biome-ignore format: several fit on a line
export const REFUSED: readonly (readonly [field: string, fields: object])[] = [
  ...["origin", "destination"].flatMap((field) => wrong(field, undefined, null, "", "x".repeat(513), 3, true, {}, ["Bern"])),
  ...wrong("pickup_datetime", "", "tomorrow", 1_800_000_000, true, {}, []),
  ...wrong("return_datetime", "", "tomorrow", 5, true),
  ["return_datetime", { booking_type: "hourly", duration_hours: 4, return_datetime: "2026-12-09T14:00:00+01:00" }],
  ...wrong("booking_type", "", "round_trip", "HOURLY", "x".repeat(33), 1, []),
  ...wrong("passengers", 0, 51, -1, 1.5, "2", true, [2]), ...wrong("adults", -1, 51, 1.5, "2", false),
  ...["children", "infants", "luggage"].flatMap((field) => wrong(field, -1, 51, 0.5, "1", true, {})),
  ...wrong("flight_number", "L", "LX 39 / LX 40", "LX-39", "  ", "LX\n39", "LX 39 LX 40"),
  ...wrong("waiting_minutes", -1, 1441, 0.5, "15"), ...wrong("duration_hours", -0.01, 240.01, "4", true, []),
  ["duration_hours", { booking_type: "hourly" }],
  ["duration_hours", { booking_type: "hourly", duration_hours: null }],
  ["duration_hours", { booking_type: "hourly", duration_hours: 0 }], ...wrong("waypoints", {}, "Bern", 1, false),
  ["waypoints", stops(11)], ["waypoints.0", { waypoints: ["Bern"] }], ["waypoints.1", { waypoints: [STOP, null] }],
  ...wrongStop("name", undefined, null, "", "x".repeat(513), 3), ...wrongStop("lat", -90.01, 90.01, "46.9", true),
  ...wrongStop("lng", -180.01, 180.01, "7.5", []), ["waypoints.0.lng", { waypoints: [{ ...STOP, lat: 46.9 }] }],
  ["waypoints.0.lat", { waypoints: [{ ...STOP, lng: 7.5, lat: null }] }],
  ...wrongStop("place_id", "x".repeat(257), 7, {}), ...wrongStop("stop_duration_min", -1, 721, 0.5, "15", true),
  ["waypoints.2.stop_duration_min", { waypoints: [STOP, AT, { ...STOP, stop_duration_min: 721 }] }],
  ...["price", "total_price", "currency", "fleet_id", "vehicle_class", "quote_id", "idempotency_key", "Origin", ""].flatMap((field) => wrong(field, 1)),
  ...["constructor", "toString", "hasOwnProperty", "prototype"].flatMap((field) => wrong(field, {})),
  ...["dwell", "stop_duration", "fleet_id", "constructor"].flatMap((field) => wrongStop(field, 1)),
];

export const REFUSED_BY = {
  "/quotes": [...wrong("distance_km", 10, null), ...wrong("duration_min", 10, null)],
  "/quote-intents": [
    ...wrong("distance_km", -0.01, 5000.01, "10", true),
    ...wrong("duration_min", -1, 100_001, 1.5, "10"),
  ],
} as const satisfies Record<string, readonly (readonly [string, object])[]>;

function wrong(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [field, { [field]: value }] as const);
}

function wrongStop(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [`waypoints.0.${field}`, { waypoints: [{ ...AT, [field]: value }] }] as const);
}
