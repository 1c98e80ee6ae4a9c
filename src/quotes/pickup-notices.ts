import { type Notice, notice } from "../contract/notices.ts";
import type { LocatedPoint } from "./locate-points.ts";

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

/** In a car-free place the car cannot come to the door. */
function isElsewhere({ place, carStop }: Pick<LocatedPoint, "place" | "carStop">): boolean {
  return carStop.name !== place.name;
}
