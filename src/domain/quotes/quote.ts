import { randomBytes } from "node:crypto";
import type { Charge } from "../../contract/charges.ts";
import type { Notice } from "../../contract/notices.ts";
import { DAY, MINUTE } from "../../ops/durations.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Policy, VehicleClass } from "../catalog/catalog-schema.ts";
import type { Operator } from "../catalog/load-operator.ts";
import type { CONNECTION_MEANS } from "../catalog/places-schema.ts";
import type { Position } from "../places/geo.ts";
import type { Place } from "../places/place-finder.ts";
import type { RouteAuthority } from "../routing/router.ts";
import type { Saving } from "./savings.ts";

/** How long a quote is valid after its issue, in milliseconds. */
export const QUOTE_VALIDITY_MILLISECONDS = 30 * MINUTE;

/** What a text or position of the request was read as. */
export interface NamedPlace {
  /** In the catalog, of an address, or for a position the place there or the nearest town. */
  readonly name: string;
  /** The town in which it is; absent if that is itself, and for an airport. */
  readonly town?: string | undefined;
  /** Code of the country. */
  readonly country?: string | undefined;
  readonly kind: Place["kind"] | "address" | "site";
}

interface QuotedStop {
  /** As the caller described it. */
  readonly name: string;
  readonly place: NamedPlace;
  /**
   * `null` if `name` is the place; otherwise the position that was sent, of which `name` is only a label, and the
   * catalog's place there or the nearest town.
   */
  readonly at: (Position & { readonly near: string }) | null;
  /** `null` = the dwell was not stated, 0 = drive through. */
  readonly dwellMinutes: number | null;
}

type Capacities = Pick<
  VehicleClass,
  "passengerCapacity" | "luggageCapacity" | "largeLuggageCapacity" | "smallLuggageCapacity"
>;

/** What one vehicle class costs for the whole journey. */
export interface PricedOption extends Capacities {
  /** Identifies the option within its quote; 1 or greater. */
  readonly fleetId: number;
  readonly vehicleClass: string;
  readonly vehicleType: string;
  /** Priced, but needs manual confirmation. */
  readonly onRequest: boolean;
  /** VAT included, rounded. */
  readonly totalRappen: number;
  /** VAT in `totalRappen`; `null` if it is not shown. */
  readonly vatRappen: number | null;
  /** They add up to `totalRappen`. */
  readonly charges: readonly Charge[];
}

/** The route behind a price. */
interface QuotedRoute {
  readonly authority: RouteAuthority;
  readonly automaticallyPayable: boolean;
  /** One decimal. Outbound journey only. */
  readonly distanceKm: number;
  /** Driving time without dwell. Outbound journey only. */
  readonly durationMinutes: number;
  /** `null` if nothing was measured. */
  readonly measuredAt: string | null;
  readonly contractVersion: string;
  readonly fingerprint: string;
  /** Engine and data, e.g. `EMBEDDED_ROAD_NETWORK`; `null` if nothing was measured. */
  readonly basis: string | null;
}

/** Fields of the request that are stored as they were sent. */
interface Stated {
  readonly passengers: number;
  readonly children: number;
  readonly infants: number;
  /** Luggage units. */
  readonly luggage: number;
  /** Part of `luggage`; `null` = not stated. */
  readonly largeLuggage: number | null;
  readonly specialItems: readonly { readonly kind: string; readonly count: number }[];
  /** Flight of the outbound journey; `null` = not stated. */
  readonly flightNumber: string | null;
  /** Waiting at the pickup. */
  readonly waitingMinutes: number;
  /** Hours of hire, or `null` for a point-to-point transfer. */
  readonly hireHours: number | null;
}

/** One place where one has to be, and how the journey goes on from there. */
export interface Leg {
  readonly direction: "outbound" | "return";
  /** Name of the place, in the catalog where it is one of its places. */
  readonly place: string;
  /** The place of the catalog there, or the nearest town: never the caller's words or an address. */
  readonly town: string;
  /** Whether the place is one spot, such as an airport, or was named with an address; otherwise it is still to be agreed. */
  readonly exact: boolean;
  /** What one does there. */
  readonly action: "leave" | "pickup" | "stop" | "visit" | "resume" | "pass" | "drop_off" | "arrive" | "hire_end";
  /** When the car is there; `null` where the car is not ("leave", "visit", "arrive") and where unknown. */
  readonly at: string | null;
  /** When the car goes on, after waiting or a stay; `null` where it does not. */
  readonly departsAt: string | null;
  /** Whether `at` is the landing of the traveler's flight, after which the car is met: at a pickup of a transfer. */
  readonly landing: boolean;
  /**
   * Until when the driver waits at no charge, at a pickup of a transfer; otherwise `null`. Where vehicle classes differ,
   * the earliest.
   */
  readonly freeUntil: string | null;
  /** By what the journey goes on; `null` at the end of a direction. */
  readonly means: "car" | (typeof CONNECTION_MEANS)[number] | null;
  /** How long that takes; `null` if unknown. */
  readonly minutes: number | null;
  /** Interval of the connection; `null` for the car and where unknown. */
  readonly everyMinutes: number | null;
  /** Whether the price includes it. */
  readonly included: boolean;
}

/** What the catalog said when the journey was priced. */
export interface QuotedTerms {
  readonly operator: Omit<Operator, "logo" | "color" | "languages" | "meetingPoints" | "corridorTexts">;
  readonly policies: readonly Pick<Policy, "key" | "version" | "text">[];
  /** Digest of the catalog's files. */
  readonly catalogVersion: string;
}

/** The terms of the catalog, which a quote keeps: a later catalog does not change what was sold. */
export function termsOf({ operator, policies, version }: Catalog): QuotedTerms {
  const { logo: _, color: __, languages: ___, meetingPoints: ____, corridorTexts: _____, ...seller } = operator;
  return {
    operator: seller,
    policies: policies.map(({ key, version, text }) => ({ key, version, text })),
    catalogVersion: version,
  };
}

/** What a journey is in the catalog, without personal data. */
export interface ListedEnds {
  /** Key of the published corridor; `null` if the journey follows none. */
  readonly corridor: string | null;
  /** Id of a place, or of the zone of an address or position; `null` outside of both. */
  readonly origin: string | null;
  readonly destination: string | null;
  /** The same for the stops, in order of travel. */
  readonly stops: readonly (string | null)[];
}

/** A measured journey with its prices: the content of an estimate or a quote. Instants are ISO 8601 UTC. */
export interface PricedJourney extends Stated {
  /** The caller's own text. */
  readonly origin: string;
  readonly destination: string;
  /** What the two were read as. */
  readonly originPlace: NamedPlace;
  readonly destinationPlace: NamedPlace;
  readonly stops: readonly QuotedStop[];
  readonly pickupAt: string;
  /** Where it was asked for in place of the pickup, the instant by which the car is there. */
  readonly arriveBy: string | null;
  readonly returnAt: string | null;
  readonly adults: number;
  /** Where to be, when, and by what the journey goes on; outbound first. */
  readonly legs: readonly Leg[];
  /** Until when each pickup can be canceled at no charge. */
  readonly freeCancellationUntil: string | null;
  readonly returnFreeCancellationUntil: string | null;
  readonly route: QuotedRoute;
  /** Catalog ids of the outbound journey. */
  readonly ends: ListedEnds;
  /** The measured return journey, if there is one. */
  readonly returnRoute: Pick<QuotedRoute, "distanceKm" | "durationMinutes"> | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Version of the tariff. */
  readonly tariffVersion: string;
  readonly terms: QuotedTerms;
  /** VAT included in the prices; `null` across a border or if the tariff has none. */
  readonly vatPercent: number | null;
  readonly options: readonly PricedOption[];
  /** Whether callers see the lines of the prices. */
  readonly publishesPriceLines: boolean;
  /** Whether the operator must confirm the journey, whichever the option. */
  readonly requiresManualConfirmation: boolean;
  readonly savings: readonly Saving[];
  /** Their texts are the limitations. */
  readonly notices: readonly Notice[];
  /** Absent outside of the sandbox. A rehearsal is not a sale, and a server without the sandbox does not find it. */
  readonly rehearsal?: QuotedRehearsal | undefined;
}

interface QuotedRehearsal {
  /** The sandbox names in the request. */
  readonly names: readonly string[];
  /** How long the quote is valid, if less than usual. */
  readonly validMilliseconds?: number | undefined;
}

/** A quote as stored. It never changes: whether it has expired follows from `expiresAt`. */
export interface StoredQuote extends PricedJourney {
  /** Opaque, at most 64 characters, unguessable, never issued twice. */
  readonly id: string;
  /** The caller who created it: token subject (`sub`), or client and subject. */
  readonly ownerSubject: string;
  readonly requestId: string;
  readonly issuedAt: string;
  /** The quote is valid strictly before this instant. */
  readonly expiresAt: string;
  /** Of a quote that the operator has confirmed, when it expired before: links from then stay valid. */
  readonly unconfirmedExpiresAt?: string | undefined;
}

/**
 * A quote as a store has kept it, perhaps written by an earlier release. Every store reads quotes with this function
 * alone, so that a field that a release adds gets its default here. Throws if it is not a quote.
 */
export function readStoredQuote(kept: unknown): StoredQuote {
  const quote = kept as StoredQuote;
  if (!Array.isArray(quote.options) || !Array.isArray(quote.notices)) throw new Error("what was stored is not a quote");
  return quote;
}

/** Makes a priced journey a new quote of its caller. */
export function issueQuote(
  journey: PricedJourney,
  { subject, requestId, now }: { readonly subject: string; readonly requestId: string; readonly now: Date },
): StoredQuote {
  const validMilliseconds = journey.rehearsal?.validMilliseconds ?? QUOTE_VALIDITY_MILLISECONDS;
  return {
    // 128 random bits.
    id: `q_${randomBytes(16).toString("base64url")}`,
    ownerSubject: subject,
    requestId,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + validMilliseconds).toISOString(),
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
export interface Journey extends Stated {
  /** Origin, stops and destination in travel order; at least two. */
  readonly points: readonly JourneyPoint[];
  /** The pickup, or the latest arrival. */
  readonly pickupAt: Date | ArriveBy;
  readonly returnAt: Date | null;
  /** `null` = as many as passengers. */
  readonly adults: number | null;
  /** The caller's own metrics, on estimates only, at least one; the other, `null`, is measured. */
  readonly callerMetrics: { readonly distanceKm: number | null; readonly durationMinutes: number | null } | null;
}

/** How long quotes are found after they expire, and idempotency records after they are created, in milliseconds. */
export const KEPT_MILLISECONDS = DAY;

/** When a quote that expires at `instant`, or a record created then, is no longer found; milliseconds since 1970. */
export function keptUntil(instant: string): number {
  return Date.parse(instant) + KEPT_MILLISECONDS;
}
