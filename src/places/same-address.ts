import { fold, partsOf } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { crowFliesKm } from "./geo.ts";
import type { GeocodedPlace } from "./geocoder.ts";
import { isQualifier, isSaidBy } from "./qualifiers.ts";

/** An address lies this near to the middle of the town it names. */
export const TOWN_RADIUS_KM = 25;
/** And this near to a village or quarter, of which maps say only that the address lies within. */
const VILLAGE_RADIUS_KM = 3;

/**
 * Whether a place is what a text says, each part of it. Geocoders forgive typing errors, unknown house numbers and
 * neighbouring towns; a price must not.
 */
export function says(text: string, place: GeocodedPlace, gazetteer: Gazetteer): boolean {
  const pieces = place.label.split(",").map(wordsOf);
  const town = wordsOf(place.town).filter((word) => !isNumber(word));
  const parts = partsOf(fold(text));
  return parts.every((part) => isNamed(part) || isRegion(part));

  /** In the words of the label and of what it lies in, or as the same town in another language. */
  function isNamed(part: string): boolean {
    const words = wordsOf(part);
    const around = place.within.map(wordsOf).filter((name) => isAround(name, words));
    const known = new Set([...pieces, ...around].flat());
    return (words.every((word) => known.has(word)) && numbersStandIn(words)) || isItsTown(part);
  }

  /** A house number stands beside its street, a postcode beside its town. */
  function numbersStandIn(words: readonly string[]): boolean {
    const names = words.filter((word) => !isNumber(word));
    return words
      .filter(isNumber)
      .every((number) =>
        pieces.some(
          (piece) =>
            piece.includes(number) && (names.length === 0 || names.some((name) => piece.includes(name))),
        ),
      );
  }

  /** A quarter or village; a canton of the same name is much larger. */
  function isAround(name: readonly string[], words: readonly string[]): boolean {
    if (name.length === 0 || !name.every((word) => words.includes(word))) return false;
    const said = name.join(" ");
    const named = gazetteer.placesNamed(said);
    if (named.length === 0) return !isQualifier(said);
    return named.some((known) => crowFliesKm(known, place) <= VILLAGE_RADIUS_KM);
  }

  function isItsTown(part: string): boolean {
    const named = gazetteer.geocode(part);
    if (named.kind !== "place" || crowFliesKm(named.place, place) > TOWN_RADIUS_KM) return false;
    return gazetteer.placesNamed(place.town).includes(named.place);
  }

  /** Country, canton or postcode. "Bern" is the canton where another part says the town, and else the town. */
  function isRegion(part: string): boolean {
    if (!isQualifier(part) || !isSaidBy(part, place.country, [...place.within, place.town])) return false;
    const others = parts.filter((other) => other !== part);
    return gazetteer.placesNamed(part).length === 0 || others.some(saysTown);
  }

  function saysTown(part: string): boolean {
    const words = wordsOf(part);
    const isTown = town.length > 0 && town.every((word) => words.includes(word));
    const isVillage = place.within.some((name) => isAround(wordsOf(name), words));
    return isTown || isVillage || isItsTown(part);
  }
}

function isNumber(word: string): boolean {
  return /^\d+[a-z]?$/.test(word);
}

/** Words as they are compared: "Bahnhofstr." is "Bahnhofstrasse". */
function wordsOf(text: string): readonly string[] {
  return fold(text)
    .split(/[ ,]+/)
    .map((word) => word.replace(/str$/, "strasse"))
    .filter((word) => word !== "" && word !== "ch");
}
