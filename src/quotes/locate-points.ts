import { type FieldError, PublicError } from "../contract/errors.ts";
import type { Found, PlaceFinder } from "../places/place-finder.ts";
import type { RouteStop } from "../routing/router.ts";
import type { JourneyPoint } from "./journey.ts";

export type LocatedPoint = JourneyPoint & Omit<Found, "kind">;

/**
 * Finds every point of a journey. Throws INVALID_LOCATION naming all fields that are unclear, or UNSUPPORTED_ROUTE
 * where a place is known but not served.
 */
export async function locatePoints(
  points: readonly JourneyPoint[],
  places: PlaceFinder,
  signal: AbortSignal,
): Promise<readonly LocatedPoint[]> {
  const located: LocatedPoint[] = [];
  const unclear: FieldError[] = [];
  const candidates: string[] = [];
  for (const point of points) {
    const { field, text, position } = point;
    const location = position ? places.at(position, text) : await places.find(text, signal);
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
