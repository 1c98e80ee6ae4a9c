import { randomBytes } from "node:crypto";
import { z } from "zod/v3";
import { CONNECTION_MEANS } from "../catalog/places-schema.ts";
import type { Charge } from "../contract/charges.ts";
import type { Position } from "../places/geo.ts";
import type { RouteAuthority } from "../routing/router.ts";

/** How long a quote is valid after its issue, in milliseconds. */
export const QUOTE_VALIDITY_MILLISECONDS = 30 * 60 * 1000;

const listOf = <T extends z.ZodTypeAny>(item: T) => z.array(item).readonly();

const QuotedStop = z.object({
  /** As the caller described it. */
  name: z.string(),
  /** `null` if `name` is the place; otherwise the position that was sent, of which `name` is only a label. */
  at: z
    .object({
      lat: z.number(),
      lng: z.number(),
      /** The catalog's place there, or the nearest town. */
      near: z.string(),
    })
    .readonly()
    .nullable()
    .default(null),
  /** `null` = the dwell was not stated, 0 = drive through. */
  dwellMinutes: z.number().nullable(),
});

/** Same shape as in src/contract/notices.ts. */
const Part = z.object({
  text: z.string().optional(),
  count: z.number().optional(),
  classes: listOf(z.string()).optional(),
});
const QuotedNotice = z.object({
  code: z.string(),
  values: z.record(z.union([z.string(), z.number(), listOf(Part)])),
  text: z.string(),
});

/** What one vehicle class costs for the whole journey. */
const PricedOption = z.object({
  /** Identifies the option within its quote; 1 or greater. */
  fleetId: z.number(),
  vehicleClass: z.string(),
  vehicleType: z.string(),
  passengerCapacity: z.number(),
  luggageCapacity: z.number(),
  largeLuggageCapacity: z.number(),
  smallLuggageCapacity: z.number(),
  /** Priced, but needs manual confirmation. */
  onRequest: z.boolean(),
  /** VAT included, rounded. */
  totalRappen: z.number(),
  /** VAT in `totalRappen`; `null` if it is not shown. */
  vatRappen: z.number().nullable(),
  /** They add up to `totalRappen`. */
  charges: z.custom<readonly Charge[]>(Array.isArray),
});
export type PricedOption = Readonly<z.output<typeof PricedOption>>;

/** The route behind a price. */
const QuotedRoute = z.object({
  authority: z.custom<RouteAuthority>((value) => typeof value === "string"),
  automaticallyPayable: z.boolean(),
  /** One decimal. Outbound journey only. */
  distanceKm: z.number(),
  /** Driving time without dwell. Outbound journey only. */
  durationMinutes: z.number(),
  /** ISO 8601 UTC; `null` if nothing was measured. */
  measuredAt: z.string().nullable(),
  contractVersion: z.string(),
  fingerprint: z.string(),
  /** Engine and data, e.g. `EMBEDDED_ROAD_NETWORK`; `null` if nothing was measured. */
  basis: z.string().nullable(),
});

const instant = z.string().nullable();

/** Fields of the request that are stored as they were sent. */
const Stated = z.object({
  passengers: z.number(),
  children: z.number(),
  infants: z.number(),
  /** Luggage units. */
  luggage: z.number(),
  /** Part of `luggage`; `null` = not stated. */
  largeLuggage: z.number().nullable(),
  specialItems: listOf(z.object({ kind: z.string(), count: z.number() }).readonly()),
  /** Flight of the outbound journey; `null` = not stated. */
  flightNumber: z.string().nullable(),
  /** Waiting at the pickup. */
  waitingMinutes: z.number(),
  /** Hours of hire, or `null` for a point-to-point transfer. */
  hireHours: z.number().nullable(),
});

/** Same shape as `RoutePath` in src/routing. */
const RoutePath = z.object({
  stops: listOf(z.object({ name: z.string(), lat: z.number(), lng: z.number() }).readonly()),
  legs: listOf(z.string()),
});

/** One place where one has to be, and how the journey goes on from there. Instants are ISO 8601 UTC. */
const Leg = z.object({
  direction: z.enum(["outbound", "return"]),
  /** Name of the place, in the catalog where it is one of its places. */
  place: z.string(),
  /** The place of the catalog there, or the nearest town: never the caller's words or an address. */
  town: z.string(),
  /** Whether the place is one spot, such as an airport or an address; otherwise it is somewhere in the town. */
  exact: z.boolean(),
  /** What one does there. */
  action: z.enum(["leave", "pickup", "stop", "pass", "drop_off", "arrive", "hire_end"]),
  /** When the car is there; `null` where the car is not ("leave", "arrive") and where unknown. */
  at: instant,
  /** When the car goes on, after waiting or a stay; `null` where it does not. */
  departsAt: instant,
  /** By what the journey goes on; `null` at the end of a direction. */
  means: z.enum(["car", ...CONNECTION_MEANS]).nullable(),
  /** How long that takes; `null` if unknown. */
  minutes: z.number().nullable(),
  /** Interval of the connection; `null` for the car and where unknown. */
  everyMinutes: z.number().nullable(),
  /** Whether the price includes it. */
  included: z.boolean(),
});
export type Leg = Readonly<z.output<typeof Leg>>;

const CarStop = z.object({ place: z.string(), onward: z.string() }).readonly().nullable();

/** What the catalog said when the journey was priced. */
const QuotedTerms = z.object({
  operator: z
    .object({
      name: z.string(),
      phone: z.string(),
      email: z.string(),
      website: z.string().optional(),
      termsUrl: z.string().optional(),
      vatNumber: z.string().optional(),
    })
    .readonly(),
  policies: listOf(z.object({ key: z.string(), version: z.string(), text: z.string() }).readonly()),
  /** Digest of the catalog's files. */
  catalogVersion: z.string(),
});
export type QuotedTerms = Readonly<z.output<typeof QuotedTerms>>;

const PricedJourney = Stated.extend({
  /** The caller's own text. */
  origin: z.string(),
  destination: z.string(),
  stops: listOf(QuotedStop.readonly()),
  pickupAt: z.string(),
  returnAt: z.string().nullable(),
  adults: z.number(),
  /** Where to be, when, and by what the journey goes on; outbound first. */
  legs: listOf(Leg.readonly()),
  /** End of the outbound journey or of the hire, stops and car trains included. These instants are ISO 8601 UTC. */
  arrivalAt: instant,
  returnArrivalAt: instant,
  /** Until when each pickup can be canceled at no charge. */
  freeCancellationUntil: instant,
  returnFreeCancellationUntil: instant,
  /** The car stop of a car-free destination, and the way on from there; `null` if the car reaches the destination. */
  carStopAtDestination: CarStop,
  /** The same for a car-free origin, where the return also ends. */
  carStopAtOrigin: CarStop,
  route: QuotedRoute.readonly(),
  /** The outbound route in the catalog's road network, for the map; `null` if there is none. */
  path: RoutePath.readonly().nullable(),
  /** Catalog ids of the outbound journey. */
  ends: z
    .object({
      /** Key of the published corridor; `null` if the journey follows none. */
      corridor: z.string().nullable(),
      /** Id of a place, or of the zone of an address or position; `null` outside of both. */
      origin: z.string().nullable(),
      destination: z.string().nullable(),
      stops: listOf(z.string().nullable()).default([]),
    })
    .readonly(),
  /** The measured return journey, if there is one. */
  returnRoute: QuotedRoute.pick({ distanceKm: true, durationMinutes: true }).readonly().nullable(),
  /** ISO 4217. */
  currency: z.string(),
  /** Version of the tariff. */
  tariffVersion: z.string(),
  terms: QuotedTerms.readonly(),
  /** VAT included in the prices; `null` across a border or if the tariff has none. */
  vatPercent: z.number().nullable(),
  options: listOf(PricedOption.readonly()),
  /** Whether callers see the lines of the prices. */
  publishesPriceLines: z.boolean(),
  /** Whether the operator must confirm the journey, whichever the option. */
  requiresManualConfirmation: z.boolean(),
  /** Sentences for the traveler: the texts of `notices`. */
  limitations: listOf(z.string()),
  notices: listOf(QuotedNotice.readonly()),
});

/** A measured journey with its prices: the content of an estimate or a quote. Instants are ISO 8601 UTC. */
export type PricedJourney = Readonly<z.output<typeof PricedJourney>>;

/** A quote as stored. It never changes: whether it has expired follows from `expiresAt`. */
export const StoredQuote = z
  .object({
    /** Opaque, at most 64 characters, unguessable, never issued twice. */
    id: z.string(),
    /** The caller who created it: token subject (`sub`), or client and subject. */
    ownerSubject: z.string(),
    requestId: z.string(),
    /** ISO 8601 UTC. */
    issuedAt: z.string(),
    /** ISO 8601 UTC. The quote is valid strictly before this instant. */
    expiresAt: z.string(),
  })
  .merge(PricedJourney);
export type StoredQuote = Readonly<z.output<typeof StoredQuote>>;

/**
 * A quote as a store has kept it, perhaps written by an earlier release. Every store reads quotes with this function
 * alone: fields that the quote lacks get their defaults. Throws if it is not a quote.
 */
export function readStoredQuote(kept: unknown): StoredQuote {
  return StoredQuote.parse(kept);
}

/** Makes a priced journey a new quote of its caller. */
export function issueQuote(
  journey: PricedJourney,
  { subject, requestId, now }: { readonly subject: string; readonly requestId: string; readonly now: Date },
): StoredQuote {
  return {
    // 128 random bits.
    id: `q_${randomBytes(16).toString("base64url")}`,
    ownerSubject: subject,
    requestId,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + QUOTE_VALIDITY_MILLISECONDS).toISOString(),
    ...journey,
  };
}

export function isExpired(quote: StoredQuote, now: Date): boolean {
  return now.getTime() >= Date.parse(quote.expiresAt);
}

/** A point of a journey as the caller described it. */
export interface JourneyPoint {
  /** The request field, e.g. `waypoints.2.name`; named in errors. */
  readonly field: string;
  readonly text: string;
  /** If present, `text` is only a label. */
  readonly position: Position | null;
  /** `null` = not stated, 0 = drive through. Always `null` at both ends. */
  readonly dwellMinutes: number | null;
}

export interface ArriveBy {
  readonly arriveBy: Date;
}

/** A journey to be priced. */
export interface Journey extends Readonly<z.output<typeof Stated>> {
  /** Origin, stops and destination in travel order; at least two. */
  readonly points: readonly JourneyPoint[];
  /** The pickup, or the latest arrival. */
  readonly pickupAt: Date | ArriveBy;
  readonly returnAt: Date | null;
  /** `null` = as many as passengers. */
  readonly adults: number | null;
  /** The caller's own metrics, on estimates only; a metric that is `null` is measured. */
  readonly callerMetrics: { readonly distanceKm: number | null; readonly durationMinutes: number | null } | null;
}

/** Whether the quote was issued in the sandbox. A server without the sandbox does not serve it. */
export function isRehearsal({ notices }: Pick<StoredQuote, "notices">): boolean {
  return notices.some(({ code }) => code === "REHEARSAL");
}

/** How long quotes are found after they expire, and idempotency records after they are created, in milliseconds. */
export const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** When a quote that expires at `instant`, or a record created then, is no longer found; milliseconds since 1970. */
export function keptUntil(instant: string): number {
  return Date.parse(instant) + KEPT_MILLISECONDS;
}
