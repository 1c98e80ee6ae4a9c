import type { Catalog } from "../catalog/catalog.ts";
import type { Place } from "../places/place-finder.ts";
import type { Zones } from "../places/zones.ts";
import type { PriceLine } from "../pricing/price.ts";
import { type PricedLeg, pricedLeg } from "../pricing/priced-leg.ts";
import type { LegEnds } from "../pricing/routes.ts";
import type { MeasuredRoute } from "../routing/router.ts";
import type { LocatedPoint } from "./locate-points.ts";
import { isOnePlace, waitsOf } from "./waits-of.ts";

interface LegFacts {
  readonly route: MeasuredRoute;
  readonly points: readonly LocatedPoint[];
  readonly pickupAt: Date;
  readonly waitingMinutes: number;
  /** `null` for a transfer. */
  readonly hireHours: number | null;
}

/** Where a journey starts and ends, as the rules of the catalog name it. */
export function endsOf(points: readonly LocatedPoint[], zones: Zones): LegEnds {
  const [from = null, to = null] = [points[0], points[points.length - 1]].map((point) => point?.place ?? null);
  const endAt = (place: Place | null) => ({ placeId: place?.id ?? null, zoneIds: place ? zones.of(place) : [] });
  return { from: endAt(from), to: endAt(to) };
}

/** One direction of a journey, ready to be priced. */
export function legOf(catalog: Catalog, zones: Zones, facts: LegFacts): PricedLeg {
  const { route, points, pickupAt, waitingMinutes, hireHours } = facts;
  const [from, to] = [points[0], points[points.length - 1]];
  const between = points.slice(1, -1);
  const isRoundTrip = from !== undefined && to !== undefined && isOnePlace(from, to);
  return pricedLeg(
    catalog,
    {
      pickupAt,
      ends: endsOf(points, zones),
      distanceKm: route.distanceKm,
      drivingMinutes: route.durationMinutes,
      fees: feesOf(route),
      waits: waitsOf(points, waitingMinutes),
      hasStops: between.some((stop) => ![from, to].some((end) => end && isOnePlace(stop, end))),
      isRoundTrip,
    },
    hireHours,
  );
}

function feesOf({ feesRappen, carTrainsRappen }: MeasuredRoute): readonly PriceLine[] {
  return [
    { label: "Car train", rappen: carTrainsRappen },
    { label: "Tolls", rappen: feesRappen - carTrainsRappen },
  ];
}
