import { crowFliesKm } from "./geo.ts";
import type { PlaceIndex } from "./place-index.ts";
import { isQualifier, satisfies } from "./qualifiers.ts";
import type { PlaceEntry } from "./schema.ts";
import { isSiteWord } from "./site-words.ts";

/** What a text names; several places where it could mean any of them. */
export interface Reading {
  readonly places: readonly PlaceEntry[];
  /** The text says more than the place, such as a street or a hotel. */
  readonly atItsTown: boolean;
}

const PART_OF_PLACE_KM = 10;
const AIRPORT_OF_CITY_KM = 50;

/**
 * Reads "hotel or street, postcode place, canton" from its pieces: one names the place, country, canton and postcode
 * decide between namesakes, the rest is the address. `undefined` where none names a place.
 */
export function readAddress(pieces: readonly string[], index: PlaceIndex): Reading | undefined {
  return readPieces(atSite(pieces, index), index) ?? readPieces(pieces, index);
}

/** "8001 zurich" and "zurich zh" as two pieces each; other parts of a folded text as they are. */
export function piecesOf(parts: readonly string[], index: PlaceIndex): readonly string[] {
  return parts.flatMap(withoutPostcode).flatMap((part) => withoutRegion(part, index));
}

/** "8001 zurich" as the postcode and the name; other parts as they are. */
export function withoutPostcode(part: string): readonly string[] {
  const match = /^((?:ch |fl |d |a |f |i )?\d{4,5}) (.+)$/.exec(part);
  return match ? [match[1] ?? "", match[2] ?? ""] : [part];
}

function withoutRegion(part: string, { called }: PlaceIndex): readonly string[] {
  const [, name = "", last = ""] = /^(.+) (\S+)$/.exec(part) ?? [];
  const isNameAndRegion = called(part).length === 0 && called(name).length > 0 && isQualifier(last);
  return isNameAndRegion ? [name, last] : [part];
}

/** "bahnhof", "3920", "zermatt" as "3920" and the station of Zermatt, where that is a place. */
function atSite(pieces: readonly string[], { called }: PlaceIndex): readonly string[] {
  const word = pieces.find(isSiteWord);
  if (word === undefined) return pieces;
  const others = pieces.filter((piece) => piece !== word);
  const sites = others.map((piece) => (called(`${word} ${piece}`).length > 0 ? `${word} ${piece}` : piece));
  return sites.some((piece, position) => piece !== others[position]) ? sites : pieces;
}

function readPieces(pieces: readonly string[], index: PlaceIndex): Reading | undefined {
  const { called, calledLocally, farCity } = index;
  // From the end: addresses name their place last, and a canton may be named like a town.
  for (let position = pieces.length - 1; position >= 0; position -= 1) {
    const piece = pieces[position] ?? "";
    const others = pieces.filter((_, other) => other !== position);
    const qualifiers = others.filter(isQualifier);
    const fits = (place: PlaceEntry) => qualifiers.every((qualifier) => satisfies(place, qualifier));
    const named = called(piece).filter(fits);
    const fitting = named.length > 0 ? named : calledLocally(piece).filter(fits);
    const rest = others.filter((other) => !isQualifier(other));
    if (fitting.length === 0 || rest.some(farCity)) continue;
    return {
      places: narrowed(fitting, pieces, position, index),
      atItsTown: rest.some((other) => called(other).length === 0),
    };
  }
  return undefined;
}

/**
 * Addresses go from small to large: "Zurich Airport, Zurich" is the airport, "Wengen, Lauterbrunnen" is Wengen, and
 * "Grindelwald, Bern" lies in that canton. All that is named where the parts do not lie together.
 */
function narrowed(
  fitting: readonly PlaceEntry[],
  pieces: readonly string[],
  position: number,
  { called, calledLocally }: PlaceIndex,
): readonly PlaceEntry[] {
  const region = pieces[position] ?? "";
  const isName = (piece: string) => !isQualifier(piece) && called(piece).length > 0;
  let found = fitting;
  for (const piece of pieces.slice(0, position).filter(isName).reverse()) {
    found = [...called(piece), ...calledLocally(piece)].filter(
      (place) => satisfies(place, region) || found.some((wider) => isPartOf(place, wider)),
    );
  }
  for (const piece of pieces.slice(position + 1).filter(isName)) {
    found = found.filter((place) => called(piece).some((wider) => isPartOf(place, wider)));
  }
  return found.length > 0 ? found : [...new Set([...fitting, ...pieces.filter(isName).flatMap(called)])];
}

/** Whether a place lies near enough to the larger one that an address names after it; a site has no parts. */
function isPartOf(place: PlaceEntry, wider: PlaceEntry): boolean {
  if (wider.kind === "airport" || wider.kind === "station") return place === wider;
  return crowFliesKm(place, wider) <= (place.kind === "airport" ? AIRPORT_OF_CITY_KM : PART_OF_PLACE_KM);
}
