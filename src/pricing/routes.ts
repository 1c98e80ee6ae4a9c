import type { Fare, Route } from "../catalog/offer-schema.ts";
import { isWithin, type PickupTime } from "./calendar.ts";

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
export function faresOn(fares: readonly Fare[], ends: LegEnds, pickup: PickupTime): readonly Fare[] {
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
