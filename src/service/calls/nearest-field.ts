import { nearestName } from "../../domain/catalog/nearest-name.ts";

/** Other names that callers use for our fields, apart from misspellings. */
// biome-ignore format: a table reads by its columns
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  origin: ["from", "start", "pickup", "pickup_location", "pickup_address", "pickup_place", "departure", "source"],
  destination: ["to", "end", "dropoff", "drop_off", "dropoff_location", "dropoff_address", "arrival", "dest"],
  pickup_datetime: ["pickup_time", "pickup_date", "pickup_at", "datetime", "date", "time", "departure_time", "when"],
  arrive_by: ["arrival_time", "arrival_datetime", "arrive_at", "arrival_by", "be_there_by", "latest_arrival"],
  flight_number: ["flight", "flight_no", "flight_nr"],
  return_datetime: ["return", "return_time", "return_date", "return_at"],
  passengers: ["pax", "people", "persons", "guests", "passenger_count", "num_passengers", "party_size"],
  children: ["kids", "child", "num_children"],
  infants: ["babies", "baby", "infant"],
  luggage: ["bags", "baggage", "suitcases", "luggage_count", "pieces"],
  waypoints: ["stops", "via", "stopovers", "intermediate_stops"],
  waiting_minutes: ["waiting", "wait_min", "waiting_min", "waiting_time"],
  duration_hours: ["hours", "hire_hours"],
  booking_type: ["type", "trip_type", "service_type"],
  stop_duration_min: ["dwell", "dwell_min", "dwell_minutes", "stop_duration", "stop_minutes", "wait_minutes", "duration", "duration_min", "minutes", "stay", "stay_min"],
  name: ["location", "place", "address", "label", "stop", "text"],
  kind: ["type", "item", "item_type", "name"],
  count: ["quantity", "qty", "number", "amount", "how_many"],
  lat: ["latitude"],
  lng: ["lon", "long", "longitude"],
  quote_id: ["quote", "id", "quoteid"],
  fleet_id: ["fleet", "option", "option_id", "vehicle_id"],
  traveler_approval: ["approval", "approved", "traveller_approval", "consent"],
  policy_key: ["policy", "key"],
  route_key: ["route", "route_id"],
};
const LONGEST_NAME = 40;

/** The field of `known` of which an unknown name is a synonym or misspelling; `undefined` if there is none. */
export function nearestField(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > LONGEST_NAME) return undefined;
  const snakeCase = unknown
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  if (known.includes(snakeCase)) return snakeCase;
  return known.find((field) => SYNONYMS[field]?.includes(snakeCase)) ?? nearestName(snakeCase, known);
}
