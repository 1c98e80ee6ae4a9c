import { PublicError } from "../contract/errors.ts";
import { isSameStop } from "../routing/in-town.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";

/** Throws INVALID_LOCATION where a transfer would stay at one place: it has no distance, but a minimum price. */
export function checkEnds(points: readonly LocatedPoint[]): void {
  const [origin, ...others] = points;
  if (!origin || others.some((point) => !isSameStop(stopOf(origin), stopOf(point)))) return;
  const { name } = origin.carStop;
  throw new PublicError("INVALID_LOCATION", `destination: The journey starts and ends at ${name}.`, {
    fieldErrors: [
      {
        field: "destination",
        message: `Same place as origin, ${name}; send another place, or both ends as "lat, lng".`,
      },
    ],
    nextAction:
      "Ask the traveler where the journey ends; send the coordinates of two addresses in one town, and booking_type hourly for a hire.",
  });
}
