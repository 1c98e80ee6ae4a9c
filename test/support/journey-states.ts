import type { Fields } from "./mcp-client.ts";

const BACK = { return_datetime: "2026-12-12T10:00:00+01:00" };
const HIRE = { booking_type: "hourly", duration_hours: 6, destination: undefined };
const LONG = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch";

export interface JourneyState {
  readonly journey: Readonly<Record<string, unknown>>;
  /** Changes what the service answers. */
  readonly change?: (offer: Fields) => Fields;
  /** How long the offer still holds when the page is opened. */
  readonly secondsLeft?: number;
}

/** Journeys in every state that pages and card show, each of which can be paid. */
// biome-ignore format: a table reads by its rows
export const JOURNEY_STATES: Readonly<Record<string, JourneyState>> = {
  "one way": { journey: { destination: "Interlaken" } },
  "to a car-free place": { journey: {}, secondsLeft: 299 },
  "to an address in one": { journey: { destination: "Hotel Schweizerhof, Zermatt" } },
  "from one": { journey: { origin: "Zermatt", destination: "Geneva Airport" } },
  "between two": { journey: { origin: "Zermatt", destination: "Wengen", ...BACK } },
  "there and back": {
    journey: { ...BACK, passengers: 3, adults: 2, children: 1, flight_number: "LX 39", special_items: [{ kind: "child_seat", count: 1 }, { kind: "skis", count: 3 }] },
    secondsLeft: 45,
  },
  "to a car park at night": { journey: { destination: "Saas-Fee", pickup_datetime: "2026-12-08T22:30:00+01:00", ...BACK } },
  "with stops": {
    journey: { origin: "Bern", destination: "Lugano", waypoints: [{ name: "Wengen", stop_duration_min: 30 }, { name: "Altdorf" }] },
  },
  "over midnight": { journey: { destination: "Interlaken", pickup_datetime: "2026-12-08T23:30:00+01:00" } },
  "a hire": { journey: { ...HIRE, origin: "Zurich" }, secondsLeft: 299 },
  "a hire from a car-free place": { journey: { ...HIRE, origin: "Zermatt" } },
  "beside classes on request": { journey: { origin: "Geneva Airport", destination: "Verbier", passengers: 14, luggage: 4 } },
  "a rehearsal": { journey: { destination: "Sandbox: pass avoided" } },
  "with long names and prices": {
    journey: { destination: "Verbier", origin: "St. Gallen-Altenrhein Airport", ...BACK },
    change: (offer) => ({ ...offer, origin: `${LONG} ${LONG}`, vehicle_type: `${LONG} ${LONG}`, total_price: 123456.55 }),
  },
};
