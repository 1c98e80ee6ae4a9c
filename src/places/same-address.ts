import { fold, partsOf } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { crowFliesKm } from "./geo.ts";
import type { GeocodedPlace } from "./geocoder.ts";
import { isQualifier } from "./qualifiers.ts";

/** An address lies this near to the middle of the town it names. */
export const TOWN_RADIUS_KM = 25;

/**
 * Whether a place is what a text says, each part of it: in the place's own words, or naming in another language a town
 * that these words name too. Geocoders forgive typing errors, unknown house numbers and neighbouring towns; a price
 * must not.
 */
export function says(text: string, place: GeocodedPlace, gazetteer: Gazetteer): boolean {
  const own = [...place.label.split(","), ...place.within];
  const known = new Set(own.flatMap(wordsOf));
  const parts = partsOf(fold(text));
  const names = parts.filter((part) => !isQualifier(part) || /\d/.test(part));
  return (names.length > 0 ? names : parts).every((part) => {
    if (wordsOf(part).every((word) => known.has(word))) return true;
    const named = gazetteer.geocode(part);
    if (named.kind !== "place" || crowFliesKm(named.place, place) > TOWN_RADIUS_KM) return false;
    return own.some((name) => gazetteer.placesNamed(name).includes(named.place));
  });
}

/** Words as they are compared: "Bahnhofstr." is "Bahnhofstrasse". */
function wordsOf(text: string): readonly string[] {
  return fold(text)
    .split(/[ ,]+/)
    .map((word) => word.replace(/str$/, "strasse"))
    .filter((word) => word !== "" && word !== "ch");
}
