import { detailOf, type FieldError, PublicError } from "../../contract/errors.ts";
import { fold } from "../places/names.ts";
import { type Found, type Location, type PlaceFinder, townText } from "../places/place-finder.ts";
import type { RouteStop } from "../routing/router.ts";
import type { JourneyPoint } from "./quote.ts";

export type LocatedPoint = JourneyPoint & Omit<Found, "kind">;
type Outside = Extract<Location, { readonly kind: "outside" }>;
type Unclear = Exclude<Location, Found | Outside>;

/**
 * Finds all points of a journey concurrently; if several fail, the first of them is reported. Throws INVALID_LOCATION
 * with all fields that are unclear, UNSUPPORTED_ROUTE if a place is known but not served, or UPSTREAM_UNAVAILABLE if a
 * geocoder is unavailable or too slow. `onFound` gets the points that were found, also if others were not.
 */
export async function locatePoints(
  points: readonly JourneyPoint[],
  places: PlaceFinder,
  signal: AbortSignal,
  onFound: (points: readonly (LocatedPoint | undefined)[]) => void = () => {},
): Promise<readonly LocatedPoint[]> {
  const lookUps = points.map(async (point) => {
    const { position, text } = point;
    return { point, location: position ? places.at(position, text) : await places.find(text, signal) };
  });
  const unclear: { readonly error: FieldError; readonly location: Unclear; readonly text: string }[] = [];
  const ended = await Promise.allSettled(lookUps);
  const found = ended.map((lookUp) => (lookUp.status === "fulfilled" ? pointAt(lookUp.value) : undefined));
  onFound(found);
  for (const lookUp of ended) {
    if (lookUp.status === "rejected") throw lookUp.reason;
    const { point, location } = lookUp.value;
    if (location.kind === "outside") throw outside(point, location);
    // A hire that ends where it starts has two points with the field `origin`.
    if (location.kind !== "found" && !unclear.some(({ error }) => error.field === point.field))
      unclear.push({ location, text: point.text, error: { field: point.field, ...unclearError(location) } });
  }
  const fieldErrors = unclear.map(({ error }) => error);
  if (fieldErrors.length === 0) return found.filter((point) => point !== undefined);
  throw new PublicError("INVALID_LOCATION", detailOf(fieldErrors), {
    fieldErrors,
    nextAction: nextActionOf(unclear),
    unmatchedPlaces: unclear.flatMap(({ location, text }) => (location.kind === "contradiction" ? [] : [text])),
  });
}

function pointAt({ point, location }: { readonly point: JourneyPoint; readonly location: Location }) {
  return location.kind === "found" ? Object.assign({}, point, location) : undefined;
}

function unclearError(location: Unclear): Omit<FieldError, "field"> {
  if (location.kind === "contradiction") {
    const { name, km, near } = location;
    return {
      message: `${name} lies ${Math.round(km)} km from the coordinates sent with it, which are near ${townText(near)}: omit lat and lng to go to ${name}, or send a label that does not name it to stop near ${townText(near)}.`,
    };
  }
  if (location.kind === "unknown") return { message: "No place of this name is known." };
  const { candidates, others, reason } = location;
  if (reason === "long") return { message: "This text is too long: send the name of the place and its town." };
  if (reason === "town") return { message: "Several places have this name: send it with its town." };
  const quoted = candidates.map((candidate) => `"${candidate}"`).join(", ");
  if (others) return { message: `Say which one: ${quoted}; others are ${others.join(", ")}.`, candidates };
  if (reason === "similar") return { message: `This place is not known; similar ones are: ${quoted}.`, candidates };
  const message = candidates.length === 1 ? `Did you mean ${quoted}?` : `Several places have this name: ${quoted}.`;
  return { message, candidates };
}

/** What to do about each field, once where it is the same. */
function nextActionOf(unclear: readonly { readonly error: FieldError; readonly location: Unclear }[]): string {
  const actions = new Map(unclear.map(({ error, location }) => [error.field, actionOf(location)]));
  const [first = "", ...others] = new Set(actions.values());
  return others.length === 0 ? first : Array.from(actions, ([field, action]) => `${field}: ${action}`).join(" ");
}

function actionOf(location: Unclear): string {
  if (location.kind === "contradiction") return "Resend as described in field_errors.";
  const { candidates, reason } = location.kind === "question" ? location : { candidates: [], reason: undefined };
  const [candidate] = candidates;
  if (candidates.length > 1 || reason === "similar")
    return "Ask the traveler which place is meant, and send that candidate unchanged; if it is none of them, ask for its town and send name and town.";
  if (candidate === undefined)
    return 'If this is a region, ask the traveler for a town in it; otherwise ask for the right name and its town. Send "name, town", "street, town", a larger town nearby, an IATA code, or the place as "lat, lng", e.g. "47.58, 12.17".';
  return `Send the candidate unchanged, e.g. "${candidate}".`;
}

function outside({ field, position }: JourneyPoint, { name, isPosition, swapped, near }: Outside): PublicError {
  const message = `${isPosition ? `The position of ${name}` : name} lies outside the service area.`;
  const detail = detailOf([{ field, message }]);
  if (!swapped) {
    return new PublicError("UNSUPPORTED_ROUTE", detail, {
      fieldErrors: [{ field, message }],
      nextAction: isPosition
        ? "Check the digits of the coordinates. If they are right, tell the traveler that the place is not served, and ask for another one."
        : `Tell the traveler that ${name} is not served${near ? `; the nearest town that is served is ${townText(near)}` : ""}. Ask the traveler for another place.`,
    });
  }
  const { lat, lng } = swapped;
  const text = `${lat}, ${lng}`;
  const fieldErrors: readonly FieldError[] = position
    ? Object.entries(swapped).map(([name, value]) => ({
        field: field.replace(/name$/, name),
        message: `lat and lng are swapped: send ${value}.`,
      }))
    : [{ field, message: "Latitude and longitude are swapped.", candidates: [text] }];
  return new PublicError("UNSUPPORTED_ROUTE", `${detail} Latitude and longitude are swapped.`, {
    fieldErrors,
    nextAction: `Send latitude before longitude: ${text}.`,
  });
}

/** Kinds of places that are a single spot, unlike a town. */
const SPOTS = ["station", "airport"];

export function stopOf(point: Omit<Found, "kind"> & { readonly text?: string }): RouteStop {
  const { place, carStop, isOnlyTownKnown, text } = point;
  const { name, lat, lng, roadNode, kind, isPosition } = carStop;
  // At a car-free place every car stops at the same spot.
  const isAnywhereInTown = carStop.id === place.id && !isPosition && !SPOTS.includes(kind);
  // Sorted, so that "Inselspital, Bern" and "Bern Inselspital" are the same address.
  const words = isAnywhereInTown && isOnlyTownKnown ? text && fold(text).split(/[ ,]+/).sort() : undefined;
  return {
    name,
    lat,
    lng,
    roadNode,
    placeId: place.id,
    isAnywhereInTown,
    ...(isPosition && { isPosition }),
    ...(words && { address: words.join(" ") }),
  };
}
