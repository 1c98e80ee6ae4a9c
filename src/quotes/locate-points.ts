import { type FieldError, PublicError } from "../contract/errors.ts";
import { withinDeadline } from "../ops/deadline.ts";
import type { Found, PlaceFinder } from "../places/place-finder.ts";
import type { RouteStop } from "../routing/router.ts";
import type { JourneyPoint } from "./journey.ts";

export type LocatedPoint = JourneyPoint & Omit<Found, "kind">;

/**
 * Finds every point of a journey. Throws INVALID_LOCATION naming all fields that are unclear, UNSUPPORTED_ROUTE where a
 * place is known but not served, or UPSTREAM_UNAVAILABLE where a geocoder is down or too slow.
 */
export function locatePoints(
  points: readonly JourneyPoint[],
  places: PlaceFinder,
  signal: AbortSignal,
): Promise<readonly LocatedPoint[]> {
  const { deadlineMs } = places;
  const locate = (limit: AbortSignal) => locateAll(points, places, limit);
  return deadlineMs === undefined
    ? locate(signal)
    : withinDeadline(deadlineMs, "The geocoder is too slow now.", signal, locate);
}

/** Looks the points up together; of several failures the first point's is thrown. */
async function locateAll(
  points: readonly JourneyPoint[],
  places: PlaceFinder,
  signal: AbortSignal,
): Promise<readonly LocatedPoint[]> {
  const lookUps = points.map(async (point) => {
    const { position, text } = point;
    return { point, location: position ? places.at(position, text) : await places.find(text, signal) };
  });
  const located: LocatedPoint[] = [];
  const unclear: FieldError[] = [];
  const candidates: string[] = [];
  for (const lookUp of await Promise.allSettled(lookUps)) {
    if (lookUp.status === "rejected") throw lookUp.reason;
    const { point, location } = lookUp.value;
    const { field } = point;
    if (location.kind === "outside") {
      throw new PublicError("UNSUPPORTED_ROUTE", `${field}: ${location.name} lies outside the service area.`);
    }
    if (location.kind === "found") {
      located.push({ ...point, ...location });
    } else {
      const offered = location.kind === "unclear" ? location.candidates : [location.name];
      candidates.push(...offered);
      unclear.push({
        field,
        message: location.kind === "unclear" ? unclearMessage(offered) : contradictionMessage(location),
      });
    }
  }
  const [first] = unclear;
  if (!first) return located;
  throw new PublicError("INVALID_LOCATION", `${first.field}: ${first.message}`, {
    fieldErrors: unclear,
    nextAction: candidates[0]
      ? `Send one of the candidates as it stands, e.g. "${candidates[0]}".`
      : 'Send a town, resort, airport or station with its usual name, an IATA code, or "lat, lng".',
  });
}

function unclearMessage(candidates: readonly string[]): string {
  if (candidates.length === 0) return "No place of this name is known.";
  const quoted = candidates.map((candidate) => `"${candidate}"`).join(", ");
  return candidates.length === 1 ? `Did you mean ${quoted}?` : `Several places are meant: ${quoted}.`;
}

function contradictionMessage({ name, km }: { readonly name: string; readonly km: number }): string {
  return `${name} lies ${Math.round(km)} km from the coordinates sent with it: send coordinates of that place, or the name "${name}" alone.`;
}

export function stopOf({ place, carStop }: Pick<LocatedPoint, "place" | "carStop">): RouteStop {
  const { name, lat, lng, roadNode } = carStop;
  return { name, lat, lng, roadNode, placeId: place.id };
}
