import { type ClassTariff, chargedKm, surchargesOf } from "./charge.ts";
import { dearestWay, feesOf, type Way } from "./dearest-way.ts";
import type { PricingRequest } from "./price.ts";
import type { PricedDirection } from "./priced-direction.ts";

/** Another journey that this one costs at least as much as, and the charge that says why. */
export interface LeastJourney extends Pick<PricingRequest, "outbound" | "isHire"> {
  readonly code: "stops_minimum" | "part_minimum" | "transfer_minimum";
}

/**
 * With fewer stops a journey may be dearer, because the way is longer, takes longer or has higher fees. Its waits, the
 * fees of its places and its surcharges are never more than with all of them, so that those of the whole count.
 */
export function leastJourneys(by: ClassTariff, { outbound, isHire, parts }: PricingRequest): readonly LeastJourney[] {
  const asTransfer = isHire && !outbound.staysThere;
  return [
    ...waysWithFewerStops(by, outbound, isHire).map(
      (outbound) => ({ code: "stops_minimum", outbound, isHire }) as const,
    ),
    ...(asTransfer ? [outbound, ...waysWithFewerStops(by, outbound, false)] : []).map(
      (outbound) => ({ code: "transfer_minimum", outbound, isHire: false }) as const,
    ),
    ...parts.map((outbound) => ({ code: "part_minimum", outbound, isHire: false }) as const),
  ];
}

/**
 * The dearest by kilometers and fees, and by fees alone, which decide where the kilometers are below a minimum; and the
 * way without stops, which may have a fixed fare.
 */
function waysWithFewerStops(by: ClassTariff, direction: PricedDirection, isHire: boolean): readonly PricedDirection[] {
  const percents = [direction, ...direction.later].map(({ surcharges }) =>
    surchargesOf(surcharges, by.vehicleClass)
      .filter(({ kind }) => !isHire || kind === "agreed")
      .reduce((sum, each) => sum + each.percent, 100),
  );
  const kmRappen = (by.rate.perKmRappen * Math.max(...percents)) / 100;
  const ways = [
    dearestWay(direction.ways, (way) => way.distanceKm * kmRappen + feesOf(way)),
    dearestWay(direction.ways, feesOf),
  ].filter((way) => way !== undefined);
  const { longestHire: hire, fares, keepsFixedFare } = direction;
  const hasFare = !keepsFixedFare && fares.some(({ rappen }) => by.vehicleClass in rappen);
  const direct = hasFare ? direction.ways[0]?.at(-1) : undefined;
  return [
    ...(direct ? [{ ...direction, ...direct, hire, keepsFixedFare: true }] : []),
    ...ways.filter((way) => isMore(way, direction)).map((way) => ({ ...direction, ...way, hire })),
  ];
}

/** Whether the price of a way may be higher: mostly none is, and no other price has to be worked out. */
function isMore(way: Way, { distanceKm, hire, longestHire, ...fees }: PricedDirection): boolean {
  const isLonger = (longestHire?.hours.length ?? 0) > (hire?.hours.length ?? 0);
  return isLonger || chargedKm(way.distanceKm) > chargedKm(distanceKm) || feesOf(way) > feesOf(fees);
}
