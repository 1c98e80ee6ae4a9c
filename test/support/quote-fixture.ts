import { notice } from "../../src/contract/notices.ts";
import { charge } from "../../src/domain/pricing/charge.ts";
import { KEPT_MILLISECONDS, QUOTE_VALIDITY_MILLISECONDS, type StoredQuote } from "../../src/domain/quotes/quote.ts";
import type { IdempotencyRecord, QuoteEntry } from "../../src/domain/sales/quote-store.ts";

/** When the quote of `aQuote()` is issued. */
export const ISSUED_AT = "2026-11-20T10:41:07.250Z";

type Leg = StoredQuote["legs"][number];
const TRAIN = { means: "train", minutes: 12, everyMinutes: 20, included: false } as const;
const END = { means: null, minutes: null, everyMinutes: null, included: false } as const;

const RETURN_PICKUP = { at: "2027-01-22T13:30:00.000Z", freeUntil: "2027-01-22T13:45:00.000Z" };

/** The pickup at Zurich Airport. */
function aLeg(overrides: Partial<Leg>): Leg {
  const at = "2027-01-15T13:30:00.000Z";
  const { place = "Zurich Airport" } = overrides;
  return {
    ...{ direction: "outbound", place, town: place, exact: true, action: "pickup", at, departsAt: at },
    ...{ landing: false, freeUntil: null, means: "car", minutes: 115, everyMinutes: null, included: true },
    ...overrides,
  };
}

/** Zurich Airport to Zermatt via Bern for five people, with every field set and most different from their defaults. */
export function aQuote(overrides: Partial<StoredQuote> = {}): StoredQuote {
  return {
    id: "quote_AAAAAAAAAAAAAAAAAAAAAA",
    ownerSubject: "agent|7f3a",
    requestId: "req_1",
    issuedAt: ISSUED_AT,
    expiresAt: "2026-11-20T11:11:07.250Z",
    origin: "Flughafen Zürich, Ankunft\u20282 \u{1f6ec}",
    destination: 'Zermatt "Bahnhof"\n(Täsch)',
    originPlace: { name: "Zurich Airport", country: "CH", kind: "airport" },
    destinationPlace: { name: "Zermatt", country: "CH", kind: "resort" },
    stops: [
      { name: "Bern", at: null, place: { name: "Bern", country: "CH", kind: "town" }, dwellMinutes: 25 },
      {
        name: "Grandma \u{1f475}",
        at: { lat: 46.6889, lng: 7.6754, near: "Spiez" },
        place: { name: "Spiez", country: "CH", kind: "position" },
        dwellMinutes: 0,
      },
      { name: "Visp", at: null, place: { name: "Visp", country: "CH", kind: "town" }, dwellMinutes: null },
    ],
    arriveBy: null,
    savings: [],
    pickupAt: "2027-01-15T13:30:00.000Z",
    returnAt: "2027-01-22T13:30:00.000Z",
    legs: [
      aLeg({
        departsAt: "2027-01-15T13:50:00.000Z",
        landing: true,
        freeUntil: "2027-01-15T14:30:00.000Z",
        minutes: 86,
      }),
      aLeg({ action: "stop", place: "Bern", at: "2027-01-15T15:16:00.000Z", departsAt: "2027-01-15T15:41:00.000Z" }),
      aLeg({ action: "drop_off", place: "Täsch", at: "2027-01-15T17:36:00.000Z", departsAt: null, ...TRAIN }),
      aLeg({ action: "arrive", place: "Zermatt", at: null, departsAt: null, ...END }),
      aLeg({ direction: "return", action: "leave", place: "Zermatt", at: null, departsAt: null, ...TRAIN }),
      aLeg({ direction: "return", place: "Täsch", ...RETURN_PICKUP, minutes: 220 }),
      aLeg({ direction: "return", action: "drop_off", at: "2027-01-22T17:10:00.000Z", departsAt: null, ...END }),
    ],
    freeCancellationUntil: "2027-01-14T13:30:00.000Z",
    returnFreeCancellationUntil: "2027-01-21T13:30:00.000Z",
    passengers: 5,
    adults: 3,
    children: 1,
    infants: 1,
    luggage: 6,
    waitingMinutes: 20,
    hireHours: null,
    largeLuggage: 4,
    flightNumber: "LX 39",
    specialItems: [
      { kind: "skis", count: 2 },
      { kind: "child_seat", count: 1 },
    ],
    route: {
      authority: "SERVER_VERIFIED",
      automaticallyPayable: true,
      distanceKm: 243.7,
      durationMinutes: 221,
      measuredAt: "2026-11-20T10:41:07.113Z",
      contractVersion: "2026-10",
      fingerprint: "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184",
      basis: "EMBEDDED_ROAD_NETWORK",
    },
    ends: { corridor: null, origin: "zurich-airport", destination: "zermatt", stops: ["bern", "spiez", "visp"] },
    returnRoute: { distanceKm: 243.1, durationMinutes: 220 },
    currency: "CHF",
    tariffVersion: "2026-11",
    terms: {
      operator: { name: "Alpenglanz", phone: "+41 00 000 00 00", email: "bookings@alpenglanz.example" },
      policies: [{ key: "cancellation", version: "2026-11-01", text: "Free until 24 hours before." }],
      catalogVersion: "0123456789ab",
    },
    vatPercent: null,
    options: [
      {
        fleetId: 1,
        vehicleClass: "van",
        vehicleType: "Mercedes-Benz V-Class",
        passengerCapacity: 7,
        luggageCapacity: 7,
        largeLuggageCapacity: 5,
        smallLuggageCapacity: 2,
        onRequest: false,
        totalRappen: 98_765,
        vatRappen: null,
        charges: [charge("transfer", 98_765, { km: 244 })],
      },
      {
        fleetId: 2,
        vehicleClass: "minibus",
        vehicleType: "Mercedes-Benz Sprinter",
        passengerCapacity: 16,
        luggageCapacity: 16,
        largeLuggageCapacity: 12,
        smallLuggageCapacity: 4,
        onRequest: true,
        totalRappen: 145_000,
        vatRappen: null,
        charges: [charge("transfer", 145_000, { km: 244 })],
      },
    ],
    publishesPriceLines: true,
    requiresManualConfirmation: false,
    notices: [notice("TOLL", { name: "Lötschberg" })],
    ...overrides,
  };
}

export function aRecord(overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    keyHash: "key-hash-1",
    requestHash: "request-hash-1",
    answer: '{"quote_id":"quote_AAAAAAAAAAAAAAAAAAAAAA","total":987.65,"note":"Zürich \\u2028 \\"ok\\""}',
    createdAt: ISSUED_AT,
    ...overrides,
  };
}

/** An entry with a quote and a record named after `name`, issued at `instant`. */
export function anEntry(name: string, instant = ISSUED_AT): QuoteEntry {
  const expiresAt = new Date(Date.parse(instant) + QUOTE_VALIDITY_MILLISECONDS).toISOString();
  return {
    quote: aQuote({ id: `quote_${name}`, issuedAt: instant, expiresAt }),
    record: aRecord({
      keyHash: `key_hash_${name}`,
      answer: JSON.stringify({ quote_id: `quote_${name}` }),
      createdAt: instant,
    }),
  };
}

/** The first instant at which a quote of this expiry, or a record of this creation, is no longer found. */
export function purgedFrom(instant: string): Date {
  return new Date(Date.parse(instant) + KEPT_MILLISECONDS);
}
