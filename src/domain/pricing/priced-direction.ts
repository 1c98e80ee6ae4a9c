import { HOUR } from "../../ops/durations.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Fare, PlaceFee, RuleRoute, Season, Zone } from "../catalog/offer-schema.ts";
import { isWithin, type PickupTime, pickupTime } from "./calendar.ts";
import { percentOf, type Surcharge } from "./charge.ts";
import { dearestWay, type Ways } from "./dearest-way.ts";

/** The rules that price a direction. An `isAgreed` season is a client's own, charged even on fares that include seasons. */
export interface PriceRules extends Pick<Catalog, "tariff" | "fares" | "zones" | "placeFees"> {
  readonly seasons: readonly (Season & { readonly isAgreed?: true })[];
}

/** The price rules of the catalog, with those agreed with the client. */
export function rulesFor(catalog: Catalog, clientId: string | undefined): PriceRules {
  const client = catalog.clients.find(({ id }) => id === clientId);
  if (!client) return catalog;
  const { id, label, percent = 0 } = client;
  return label === undefined
    ? netRules(catalog, percent)
    : { ...catalog, seasons: [...catalog.seasons, { id, label, percent, isAgreed: true }] };
}

/** Rates and fixed fares changed by the percentage, in whole Rappen, so that no line and no sentence names it. */
function netRules({ tariff, fares, ...others }: PriceRules, percent: number): PriceRules {
  const net = (rappen: number) => rappen + percentOf(rappen, percent);
  const netOf = <Amounts extends Readonly<Record<string, number>>>(amounts: Amounts) =>
    Object.fromEntries(Object.entries(amounts).map(([name, rappen]) => [name, net(rappen)])) as Amounts;
  // Waiting is not part of the fare.
  const rates = Object.entries(tariff.rates).map(([id, { waitingStepRappen, minimumHours, ...rate }]) => {
    return [id, { ...netOf(rate), waitingStepRappen, minimumHours }] as const;
  });
  return {
    ...others,
    tariff: { ...tariff, rates: Object.fromEntries(rates) },
    fares: fares.map((fare) => ({ ...fare, rappen: netOf(fare.rappen) })),
  };
}

/** The outbound or the return journey, as measured. */
export interface MeasuredDirection {
  readonly pickupAt: Date;
  /** When the car leaves, after the waiting at the pickup; absent for none. */
  readonly departsAt?: Date;
  /** Origin, stops and destination in order of travel. */
  readonly points: readonly RulePoint[];
  /** Rounded to 100 m for the price. */
  readonly distanceKm: number;
  /** Kilometers on car trains that are not charged, and no part of `distanceKm`; absent for none. */
  readonly freeKm?: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  readonly trainsRappen: number;
  readonly tollsRappen: number;
  /** Waiting at the pickup, with the stays at that place, then the stays at each other. Each has its own free minutes. */
  readonly waits: readonly Wait[];
  /** Whether closed roads make the way far longer than usual; absent for no. */
  readonly isDetour?: boolean;
  /** Whether a fixed fare between its ends applies: on no detour, without stops or with stops that are on its way. */
  readonly keepsFixedFare: boolean;
  /** Whether it ends where it starts. */
  readonly isRoundTrip: boolean;
  /** Whether it is a hire without a destination, which is no transfer. */
  readonly staysThere: boolean;
  /** The ways between any two of its points; empty without stops. */
  readonly ways: Ways;
}

interface Wait {
  readonly minutes: number;
  readonly atAirport: boolean;
  readonly hasStays: boolean;
  /** Its name. */
  readonly place: string;
}

/** Charged hours of a hire. */
interface Hire {
  /** As requested; 0 for a round trip, on which the driver waits. */
  readonly requestedHours: number;
  /** The surcharges at the start of each charged hour. */
  readonly hours: readonly (readonly Surcharge[])[];
}

/** A direction with the catalog's rules for its points and times: all that its price depends on besides the vehicle class. */
export interface PricedDirection extends MeasuredDirection {
  readonly pickup: PickupTime;
  /** The pickup; for a hire, the start of each hour. */
  readonly times: readonly PickupTime[];
  /** Surcharges at the pickup. */
  readonly surcharges: readonly Surcharge[];
  /** Fees of its places, each as often as it is charged. */
  readonly placeFees: readonly PlaceFee[];
  /** Fixed fares between the ends at the pickup; for each vehicle class, the first that has a price applies. */
  readonly fares: readonly Fare[];
  /** The same at each later hour until the car leaves; the dearest of these times decides. */
  readonly later: readonly Pick<PricedDirection, "surcharges" | "fares">[];
  /** For a hire or a round trip, the hire that covers it; otherwise `null`. */
  readonly hire: Hire | null;
  /** That hire, if the drive with fewer stops takes longer, for as many hours. */
  readonly longestHire: Hire | null;
}

/** `hireHours` are the requested hours, `null` for a transfer. */
export function pricedDirection(
  rules: PriceRules,
  measured: MeasuredDirection,
  hireHours: number | null = null,
): PricedDirection {
  const { tariff, placeFees } = rules;
  const { pickupAt, departsAt = pickupAt, points, isRoundTrip } = measured;
  const pickup = pickupTime(tariff, pickupAt);
  const surchargesAt = (time: PickupTime) => surchargesOn(rules, points, time);
  const faresAt = (time: PickupTime) => faresOn(rules, endsOf(points), time);
  const isTimed = hireHours !== null || isRoundTrip;
  const hoursFor = (minutes: number) => (isTimed ? billedHours(measured, minutes, hireHours ?? 0) : 0);
  const hours = hoursFor(measured.drivingMinutes);
  const longest = dearestWay(measured.ways, ({ drivingMinutes }) => drivingMinutes)?.drivingMinutes ?? 0;
  const begins = Array.from({ length: Math.max(hours, hoursFor(longest)) }, (_, hour) =>
    pickupTime(tariff, new Date(+pickupAt + hour * HOUR)),
  );
  const surcharges = begins.map(surchargesAt);
  const hireOf = (hours: number): Hire | null =>
    hours > 0 ? { requestedHours: hireHours ?? 0, hours: surcharges.slice(0, hours) } : null;
  return {
    pickup,
    times: hireHours === null ? [pickup] : begins.slice(0, hours),
    surcharges: surchargesAt(pickup),
    placeFees: placeFees.flatMap((fee) => points.filter((_, index) => isChargedAt(fee, points, index)).map(() => fee)),
    fares: faresAt(pickup),
    later: hoursUntil(departsAt, pickupAt).map((at) => {
      const time = pickupTime(tariff, at);
      return { surcharges: surchargesAt(time), fares: faresAt(time) };
    }),
    hire: hireOf(hours),
    longestHire: hireOf(begins.length),
    ...measured,
  };
}

/** The departure and the whole hours between: what is charged changes at whole hours only. */
function hoursUntil(departsAt: Date, pickupAt: Date): readonly Date[] {
  const hours = Math.ceil((+departsAt - +pickupAt) / HOUR);
  return Array.from({ length: hours }, (_, hour) => new Date(Math.min(+departsAt, +pickupAt + (hour + 1) * HOUR)));
}

/** The car picks up everywhere but at the last point, and drops off everywhere but at the first. */
function isChargedAt({ places, at }: PlaceFee, points: readonly RulePoint[], index: number): boolean {
  const point = points[index];
  if (index === (at === "pickup" ? points.length - 1 : at === "drop_off" ? 0 : -1)) return false;
  return point !== undefined && places.some((id) => isAt(id, point));
}

/** Hours to charge, rounded up: those requested, or those that the drive takes with its waits if they are more. */
function billedHours({ waits }: MeasuredDirection, drivingMinutes: number, hours: number): number {
  const dwell = waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((Math.ceil(drivingMinutes - 1e-9) + dwell) / 60));
}

/** The surcharges at a time: the pickup of a transfer, or the start of an hour of a hire. */
function surchargesOn(
  { tariff: { night, holidays }, seasons }: Pick<PriceRules, "tariff" | "seasons">,
  points: readonly RulePoint[],
  time: PickupTime,
): readonly Surcharge[] {
  const { holiday } = time;
  const ends = endsOf(points);
  const now = seasons.filter((season) => isWithin(season, time));
  // A stop in the places of a discount, or of a season that replaces the holiday surcharge, does not make it cheaper.
  const isReplaced = now.some(({ replacesHolidays, routes }) => replacesHolidays && isOnRoute(routes, ends));
  return [
    ...(time.night
      ? [{ id: "night", kind: "night" as const, label: "", percent: night.percent, amount: night.rappen ?? 0 }]
      : []),
    ...(holiday !== undefined && !isReplaced
      ? [{ id: "holidays", kind: "holidays" as const, label: holiday, percent: holidays.percent, amount: 0 }]
      : []),
    ...now
      .filter(({ percent, routes }) => isOnRoute(routes, percent < 0 ? ends : points))
      .map(({ isAgreed, id, label, percent, classes }) => {
        const kind = isAgreed ? ("agreed" as const) : ("seasons" as const);
        return { id, kind, label, percent, amount: 0, classes };
      }),
  ].filter(({ percent, amount }) => percent !== 0 || amount > 0);
}

/** A point of a journey, by the ids that rules of the catalog use. */
export interface RulePoint {
  /** `null` for a position or an address. */
  readonly placeId: string | null;
  /** The town that the place is a part of. */
  readonly partOf?: string | undefined;
  readonly zoneIds: readonly string[];
}

function endsOf(points: readonly RulePoint[]): readonly RulePoint[] {
  return points.length > 2 ? points.filter((_, index) => index === 0 || index === points.length - 1) : points;
}

/**
 * Whether a rule with these routes applies to a journey over the points, between any two of them in order of travel;
 * without routes it applies everywhere.
 */
export function isOnRoute(routes: readonly RuleRoute[] | undefined, points: readonly RulePoint[]): boolean {
  return (
    routes === undefined ||
    points.some((from, index) =>
      points.slice(index + 1).some((to) => routes.some((route) => precisionOn(route, from, to) !== ELSEWHERE)),
    )
  );
}

/**
 * The fixed fares between the ends at a pickup, in order of precedence: fares limited to certain days or hours first,
 * then places before zones, and narrow zones before wide ones. The catalog's checks reject fares of equal rank.
 */
function faresOn(
  { fares, zones }: Pick<PriceRules, "fares" | "zones">,
  [from, to]: readonly RulePoint[],
  pickup: PickupTime,
): readonly Fare[] {
  if (!from || !to) return [];
  return fares
    .filter((fare) => {
      const { validFrom = pickup.day, validTo = pickup.day } = fare;
      return validFrom <= pickup.day && pickup.day <= validTo && isWithin(fare, pickup);
    })
    .map((fare) => {
      const precisions = fare.routes.map((route) => precisionOn(route, from, to) + narrownessOf(route, zones));
      const precision = Math.max(...precisions);
      return { fare, rank: precision + (isForSomeTimes(fare) ? MOST_PRECISE + 1 : 0) };
    })
    .filter(({ rank }) => rank !== ELSEWHERE)
    .sort((a, b) => b.rank - a.rank)
    .map(({ fare }) => fare);
}

/**
 * How narrow the zones at the ends of a route are, always less than a place adds: places, postcodes and circles are
 * narrower than cantons, and these than countries.
 */
export function narrownessOf({ from, to }: RuleRoute, zones: readonly Zone[]): number {
  const of = (end: string | undefined) => {
    const zone = zones.find(({ id }) => id === end);
    return !zone || zone.countries ? 0 : zone.cantons ? 1 : 2;
  };
  return (of(from) + of(to)) / 8;
}

export function isForSomeTimes({ dates, weekdays, hours }: Fare): boolean {
  return dates !== undefined || weekdays !== undefined || hours !== undefined;
}

const OWN_PLACE = 3;
const TOWN_OF_PART = 2;
const MOST_PRECISE = 2 * OWN_PLACE;
/** Of a rule for other places, and of every sum with it. */
const ELSEWHERE = Number.NEGATIVE_INFINITY;

/**
 * How exactly a route names its two ends: two places before one, then a place itself before the town that it is a part
 * of.
 */
function precisionOn({ from, to, bothWays }: RuleRoute, start: RulePoint, end: RulePoint): number {
  const there = precisionAt(from, start) + precisionAt(to, end);
  return bothWays ? Math.max(there, precisionAt(from, end) + precisionAt(to, start)) : there;
}

/** Whether the point is in the place or zone with this id. */
export function isAt(id: string, point: RulePoint): boolean {
  return precisionAt(id, point) !== ELSEWHERE;
}

function precisionAt(id: string | undefined, { placeId, partOf, zoneIds }: RulePoint): number {
  if (id === undefined) return 0;
  if (id === placeId) return OWN_PLACE;
  if (id === partOf) return TOWN_OF_PART;
  return zoneIds.includes(id) ? 0 : ELSEWHERE;
}
