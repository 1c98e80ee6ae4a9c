import type { Catalog } from "../catalog/catalog.ts";
import type { Fare, Route, Season } from "../catalog/offer-schema.ts";
import { isWithin, type PickupTime, pickupTime } from "./calendar.ts";
import type { PriceLine } from "./price.ts";

/** What prices a leg. A season that is agreed with a client is charged on fares that include the others. */
export interface PriceRules extends Pick<Catalog, "tariff" | "fares"> {
  readonly seasons: readonly (Season & { readonly isAgreed?: true })[];
}

/** The outbound or the return journey, as measured. */
export interface MeasuredLeg {
  readonly pickupAt: Date;
  readonly ends: LegEnds;
  /** Priced to the hectometer. */
  readonly distanceKm: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  /** Tolls and car trains on the route, charged as they are. */
  readonly fees: readonly PriceLine[];
  /** Waiting at the pickup and dwell at each place where the car stops, each with its own free part. */
  readonly waits: readonly { readonly minutes: number; readonly atAirport: boolean }[];
  readonly hasStops: boolean;
  /** Whether it ends where it starts, so that the driver waits for the return. */
  readonly isRoundTrip: boolean;
}

/** Hours of hire with what is charged on top of them. */
export interface Hire {
  readonly hours: number;
  readonly surcharges: readonly Surcharge[];
}

/** A leg with what the catalog says of its ends and its times: all that its price depends on besides the class. */
export interface PricedLeg extends MeasuredLeg {
  readonly pickup: PickupTime;
  /** The pickup; of a hire, the beginning of each hour. */
  readonly times: readonly PickupTime[];
  /** At the pickup. */
  readonly surcharges: readonly Surcharge[];
  /** Between its ends at the pickup; the first that prices a class holds. */
  readonly fares: readonly Fare[];
  /** The hire that takes as long; `null` where no price depends on it. */
  readonly hire: Hire | null;
}

/** `hireHours` are the hours that were asked for, `null` for a transfer. */
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

/** Started hours, never fewer than the journey itself takes with its stops. */
function billedHours({ waits, drivingMinutes }: MeasuredLeg, hours: number): number {
  const dwell = waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((drivingMinutes + dwell) / 60));
}

/** A percentage of the fare; a negative one is a discount. */
export interface Surcharge {
  readonly kind: Exclude<Fare["includes"][number], "fees"> | "agreed";
  readonly label: string;
  readonly percent: number;
  /** Rappen on top of it, whatever the fare. */
  readonly amount: number;
  /** Names of the holidays that it is for; empty for the others. */
  readonly holidays: readonly string[];
  /** Hours of the hire that begin within it, of all its hours; of a transfer 1 of 1, by its pickup. */
  readonly hours: number;
  readonly ofHours: number;
  /** `undefined`: of every vehicle class. */
  readonly classes: readonly string[] | undefined;
}

/** The surcharges at the pickup of a transfer, or at the beginning of each hour of a hire. */
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

/** Where a leg starts or ends, as rules of the catalog name it. */
interface LegEnd {
  /** `null` for a position or an address. */
  readonly placeId: string | null;
  readonly zoneIds: readonly string[];
}

export interface LegEnds {
  readonly from: LegEnd;
  readonly to: LegEnd;
}

/** Whether a rule applies between the ends; one without routes applies everywhere. */
export function isOnRoute(routes: readonly Route[] | undefined, ends: LegEnds): boolean {
  return routes === undefined || routes.some((route) => precisionOn(route, ends) !== undefined);
}

/**
 * The fixed fares between the ends at a pickup, the one that takes precedence first: a fare of certain days or hours
 * before one of all days, then places before zones. Two that are equal in this are a fault of the catalog.
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

/** Higher takes precedence; `undefined` where the fare is for other ends. */
function rankOn(fare: Fare, ends: LegEnds): number | undefined {
  const precisions = fare.routes.map((route) => precisionOn(route, ends)).filter((each) => each !== undefined);
  return precisions.length === 0 ? undefined : (isForSomeTimes(fare) ? 3 : 0) + Math.max(...precisions);
}

export function isForSomeTimes({ dates, weekdays, hours }: Fare): boolean {
  return dates !== undefined || weekdays !== undefined || hours !== undefined;
}

/** How many of its ends name the very places, 0 to 2; `undefined` where it leads elsewhere. */
function precisionOn({ from, to, bothWays = false }: Route, ends: LegEnds): number | undefined {
  const there = sumOf(precisionAt(from, ends.from), precisionAt(to, ends.to));
  const back = bothWays ? sumOf(precisionAt(from, ends.to), precisionAt(to, ends.from)) : undefined;
  return there === undefined || back === undefined ? (there ?? back) : Math.max(there, back);
}

function precisionAt(id: string | undefined, { placeId, zoneIds }: LegEnd): number | undefined {
  if (id === undefined) return 0;
  if (id === placeId) return 1;
  return zoneIds.includes(id) ? 0 : undefined;
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
