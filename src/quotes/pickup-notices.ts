import { type Notice, notice } from "../contract/notices.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { PricedJourney } from "./quote.ts";

/** Where the car waits for the travelers, from when waiting counts, and what they state at checkout. */
export function pickupNotices(
  points: readonly LocatedPoint[],
  { isHire, hasReturn }: { readonly isHire: boolean; readonly hasReturn: boolean },
): readonly Notice[] {
  const atOrigin = points
    .slice(0, 1)
    .flatMap(({ place, carStop }) => [
      ...(isElsewhere({ place, carStop }) ? [notice("PICKUP_IN", { place: carStop.name })] : []),
      ...(place.kind === "airport"
        ? [isHire ? notice("FLIGHT_NUMBER") : notice("AIRPORT_PICKUP", { place: place.name })]
        : []),
    ]);
  const atDestination = points
    .slice(-1)
    .flatMap(({ place, carStop }) => [
      ...(isElsewhere({ place, carStop }) ? [notice("RETURN_PICKUP_IN", { place: carStop.name })] : []),
      ...(place.kind === "airport" ? [notice("RETURN_AIRPORT_PICKUP", { place: place.name })] : []),
    ]);
  return hasReturn ? [...atOrigin, ...atDestination] : atOrigin;
}

/** Where the journey ends for the car, where that is not its destination. */
export function dropOffOf(points: readonly LocatedPoint[]): PricedJourney["dropOff"] {
  const last = points[points.length - 1];
  if (!last || !isElsewhere(last)) return null;
  const carFree = last.notes.find(({ code }) => code === "CAR_FREE");
  return { place: last.carStop.name, onward: String(carFree?.values.onward ?? "") };
}

/** In a car-free place the car cannot come to the door. */
function isElsewhere({ place, carStop }: Pick<LocatedPoint, "place" | "carStop">): boolean {
  return carStop.name !== place.name;
}
