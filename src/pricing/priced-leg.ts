import type { Catalog } from "../catalog/catalog.ts";
import type { Fare, Route, Season } from "../catalog/offer-schema.ts";
import { isWithin, type PickupTime, pickupTime } from "./calendar.ts";
import type { PriceLine } from "./price.ts";

/** The rules that price a leg. An `isAgreed` season is a client's own, charged even on fares that include seasons. */
export interface PriceRules extends Pick<Catalog, "tariff" | "fares"> {
  readonly seasons: readonly (Season & { readonly isAgreed?: true })[];
}

/** The outbound or the return journey, as measured. */
export interface MeasuredLeg {
  readonly pickupAt: Date;
  readonly ends: LegEnds;
  /** Rounded to 100 m for the price. */
  readonly distanceKm: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  /** Tolls and car trains on the route, charged without surcharge or discount. */
  readonly fees: readonly PriceLine[];
  /** Waiting at the pickup, then dwell at each stop. Each has its own free minutes. */
  readonly waits: readonly { readonly minutes: number; readonly atAirport: boolean }[];
  readonly hasStops: boolean;
  /** Whether it ends where it starts. */
  readonly isRoundTrip: boolean;
}

/** Charged hours of a hire, with the surcharges on them. */
export interface Hire {
  readonly hours: number;
  readonly surcharges: readonly Surcharge[];
}

/** A leg with the catalog's rules for its ends and times: all that its price depends on besides the vehicle class. */
export interface PricedLeg extends MeasuredLeg {
  readonly pickup: PickupTime;
  /** The pickup; for a hire, the start of each hour. */
  readonly times: readonly PickupTime[];
  /** Surcharges at the pickup. */
  readonly surcharges: readonly Surcharge[];
  /** Fixed fares between the ends at the pickup; for each vehicle class, the first that has a price applies. */
  readonly fares: readonly Fare[];
  /** For a hire or a round trip, the hire that covers it; otherwise `null`. */
  readonly hire: Hire | null;
}

/** `hireHours` are the requested hours, `null` for a transfer. */
export function pricedLeg(catalog: PriceRules, leg: MeasuredLeg, hireHours: number | null = null): PricedLeg {
  const { tariff, fares } = catalog;
  const { pickupAt, ends, isRoundTrip } = leg;
  const pickup = pickupTime(tariff, pickupAt);
  const hours = hireHours !== null || isRoundTrip ? billedHours(leg, hireHours ?? 0) : 0;
  const begins = Array.from({ length: hours }, (_, hour) => pickupTime(tariff, new Date(+pickupAt + hour * HOUR)));
  return {
    pickup,
    times: hireHours === null ? [pickup] : begins,
    surcharges: surchargesOver(catalog, ends, [pickup]),
    fares: faresOn(fares, ends, pickup),
    hire: hours > 0 ? { hours, surcharges: surchargesOver(catalog, ends, begins) } : null,
    ...leg,
  };
}

const HOUR = 3_600_000;

/** Hours to charge, rounded up: those requested, or those that the journey takes with its waits if they are more. */
function billedHours({ waits, drivingMinutes }: MeasuredLeg, hours: number): number {
  const dwell = waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((drivingMinutes + dwell) / 60));
}

/** A percentage of the fare; a negative one is a discount. */
export interface Surcharge {
  readonly kind: Exclude<Fare["includes"][number], "fees"> | "agreed";
  readonly label: string;
  readonly percent: number;
  /** A fixed amount in Rappen, added to the percentage. */
  readonly amount: number;
  /** Names of the holidays; empty for other kinds. */
  readonly holidays: readonly string[];
  /** Hours of the hire to which it applies, of all hours of the hire; for a transfer 1 of 1. */
  readonly hours: number;
  readonly ofHours: number;
  /** Vehicle classes to which it applies; `undefined` = all. */
  readonly classes: readonly string[] | undefined;
}

/** The surcharges at the given times: the pickup of a transfer, or the start of each hour of a hire. */
function surchargesOver(
  { tariff, seasons }: Pick<PriceRules, "tariff" | "seasons">,
  ends: LegEnds,
  times: readonly PickupTime[],
): readonly Surcharge[] {
  const ofHours = times.length;
  const replacing = seasons.filter(({ replacesHolidays, routes }) => replacesHolidays && isOnRoute(routes, ends));
  const holidays = times
    .filter((time) => !replacing.some((season) => isWithin(season, time)))
    .flatMap(({ holiday }) => holiday ?? []);
  const { night } = tariff;
  return [
    {
      kind: "night" as const,
      label: "Night surcharge",
      percent: night.percent,
      amount: night.rappen ?? 0,
      holidays: [],
      hours: times.filter((time) => time.night).length,
      classes: undefined,
    },
    {
      kind: "holidays" as const,
      label: "Holiday surcharge",
      percent: tariff.holidays.percent,
      amount: 0,
      holidays: [...new Set(holidays)],
      hours: holidays.length,
      classes: undefined,
    },
    ...seasons.map((season) => ({
      kind: season.isAgreed ? ("agreed" as const) : ("seasons" as const),
      label: season.label,
      percent: season.percent,
      amount: 0,
      holidays: [],
      hours: isOnRoute(season.routes, ends) ? times.filter((time) => isWithin(season, time)).length : 0,
      classes: season.classes,
    })),
  ]
    .filter(({ hours, percent, amount }) => hours > 0 && (percent !== 0 || amount > 0))
    .map((surcharge) => ({ ofHours, ...surcharge }));
}

/** An end of a leg, by the ids that rules of the catalog use. */
interface LegEnd {
  /** `null` for a position or an address. */
  readonly placeId: string | null;
  /** The town that the place is a part of. */
  readonly partOf?: string | undefined;
  readonly zoneIds: readonly string[];
}

export interface LegEnds {
  readonly from: LegEnd;
  readonly to: LegEnd;
}

/** Whether a rule with these routes applies between the ends; without routes it applies everywhere. */
export function isOnRoute(routes: readonly Route[] | undefined, ends: LegEnds): boolean {
  return routes === undefined || routes.some((route) => precisionOn(route, ends) !== undefined);
}

/**
 * The fixed fares between the ends at a pickup, in order of precedence: fares limited to certain days or hours first,
 * then places before zones. The catalog's checks reject fares of equal rank.
 */
function faresOn(fares: readonly Fare[], ends: LegEnds, pickup: PickupTime): readonly Fare[] {
  const ranked: { readonly fare: Fare; readonly rank: number }[] = [];
  for (const fare of fares) {
    const rank = rankOn(fare, ends);
    if (rank !== undefined && isValid(fare, pickup)) ranked.push({ fare, rank });
  }
  return ranked.sort((a, b) => b.rank - a.rank).map(({ fare }) => fare);
}

function isValid(fare: Fare, pickup: PickupTime): boolean {
  const { validFrom = pickup.day, validTo = pickup.day } = fare;
  return validFrom <= pickup.day && pickup.day <= validTo && isWithin(fare, pickup);
}

/** The higher rank takes precedence; `undefined` if the fare is for other ends. */
function rankOn(fare: Fare, ends: LegEnds): number | undefined {
  const precisions = fare.routes.map((route) => precisionOn(route, ends)).filter((each) => each !== undefined);
  return precisions.length === 0 ? undefined : (isForSomeTimes(fare) ? MOST_PRECISE + 1 : 0) + Math.max(...precisions);
}

export function isForSomeTimes({ dates, weekdays, hours }: Fare): boolean {
  return dates !== undefined || weekdays !== undefined || hours !== undefined;
}

const OWN_PLACE = 3;
const TOWN_OF_PART = 2;
const MOST_PRECISE = 2 * OWN_PLACE;

/**
 * How exactly a route names its two ends: two places before one, then a place itself before the town that it is a part
 * of; `undefined` if it leads elsewhere.
 */
function precisionOn({ from, to, bothWays = false }: Route, ends: LegEnds): number | undefined {
  const there = sumOf(precisionAt(from, ends.from), precisionAt(to, ends.to));
  const back = bothWays ? sumOf(precisionAt(from, ends.to), precisionAt(to, ends.from)) : undefined;
  return there === undefined || back === undefined ? (there ?? back) : Math.max(there, back);
}

function precisionAt(id: string | undefined, { placeId, partOf, zoneIds }: LegEnd): number | undefined {
  if (id === undefined) return 0;
  if (id === placeId) return OWN_PLACE;
  if (id === partOf) return TOWN_OF_PART;
  return zoneIds.includes(id) ? 0 : undefined;
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
