import type { Gazetteer } from "../../domain/places/gazetteer.ts";
import { crowFliesKm } from "../../domain/places/geo.ts";
import { fold, partsOf } from "../../domain/places/names.ts";
import type { AddressWords } from "./address-words.ts";
import type { GeocodedPlace } from "./geocoder.ts";

/** How far an address may lie from the center of the town that it names. */
export const TOWN_RADIUS_KM = 25;
/** How far an address may lie from the village or quarter that the map names for it. */
const VILLAGE_RADIUS_KM = 3;
/** Names of towns and regions have no more words. */
const MOST_TOWN_WORDS = 4;

/**
 * Whether a geocoder's result matches every part of a text. Geocoders tolerate typing errors, unknown house numbers and
 * neighboring towns; a price must not.
 */
export function matchesAddress(
  text: string,
  place: GeocodedPlace,
  gazetteer: Gazetteer,
  wordsOf: AddressWords,
): boolean {
  const { generic, ignored } = gazetteer.words;
  const [name = [], ...otherPieces] = place.label.split(",").map(wordsOf);
  const townPiece = wordsOf(place.town);
  const postcode = townPiece.find(isNumber);
  const town = townPiece.filter((word) => !isNumber(word));
  const parts = partsOf(fold(text));
  return parts.every((part) => {
    const others = parts.filter((other) => other !== part);
    return isNamed(part) || isRegion(part, others) || endsWithTown(part);
  });

  /** Whether the part has only words of the label and of the areas around it, or names the town in another language. */
  function isNamed(part: string): boolean {
    const words = wordsOf(part);
    const around = place.within.map(wordsOf).filter((area) => isAround(area, words));
    // "Hôtel du Lac" does not match another hotel in a Rue du Lac: a street counts as a whole or not at all.
    const pieces = otherPieces.filter(
      (piece) => isTownPiece(piece) || piece.every((word) => isNumber(word) || words.includes(word)),
    );
    const known = new Set([name, ...pieces, ...around].flat());
    const isKnown = words.every((word, at) =>
      isNumber(word) ? standsBeside(words, at, around) : known.has(word) || ignored.has(word),
    );
    const identifies = words.some((word) => !generic.has(word));
    return (isKnown && identifies && !namesElsewhere(words)) || isItsTown(part);
  }

  /** Whether the number at `at` is next to what it belongs to: a house number to its street, a postcode to its town. */
  function standsBeside(words: readonly string[], at: number, around: readonly (readonly string[])[]): boolean {
    const number = words[at] ?? "";
    const neighbors = [words.slice(0, at).reverse(), words.slice(at + 1)].flatMap(
      (side) => side.find((word) => !isNumber(word)) ?? [],
    );
    const isBeside = (piece: readonly string[]) =>
      neighbors.length === 0 || neighbors.some((word) => piece.includes(word));
    return (
      [name, ...otherPieces].some((piece) => piece.includes(number) && isBeside(piece)) ||
      (number === postcode && around.some(isBeside))
    );
  }

  /** Whether the part ends with another town: "bahnhofstrasse 1 zurich", but the result is a house in Frauenfeld. */
  function namesElsewhere(words: readonly string[]): boolean {
    const last = words.slice(words.findLastIndex(isNumber) + 1).join(" ");
    if (last === "" || isItsTown(last)) return false;
    const named = gazetteer.placesNamed(last);
    return named.length > 0 && named.every((known) => crowFliesKm(known, place) > VILLAGE_RADIUS_KM);
  }

  /** Whether the words name this area, and it is a quarter or village rather than a canton or distant town. */
  function isAround(area: readonly string[], words: readonly string[]): boolean {
    if (area.length === 0 || !area.every((word) => words.includes(word))) return false;
    const areaName = area.join(" ");
    const named = gazetteer.placesNamed(areaName);
    if (named.length === 0) return !gazetteer.isQualifier(areaName);
    return named.some((known) => crowFliesKm(known, place) <= VILLAGE_RADIUS_KM);
  }

  function isTownPiece(piece: readonly string[]): boolean {
    return townPiece.length > 0 && piece.join(" ") === townPiece.join(" ");
  }

  function isItsTown(part: string): boolean {
    const named = gazetteer.geocode(part);
    if (named.kind !== "found" || crowFliesKm(named.place, place) > TOWN_RADIUS_KM) return false;
    return !named.place.isSite && gazetteer.placesNamed(place.town).some(({ id }) => id === named.place.id);
  }

  /** Whether the part is the place's country, canton or postcode. "Bern" is the canton only beside its town. */
  function isRegion(part: string, others: readonly string[]): boolean {
    const { isQualifier, areaSatisfies } = gazetteer;
    if (!isQualifier(part) || !areaSatisfies(part, place.country, [...place.within, place.town])) return false;
    return gazetteer.placesNamed(part).length === 0 || others.some(namesTown);
  }

  function namesTown(part: string): boolean {
    const words = wordsOf(part);
    const isTown = town.length > 0 && town.every((word) => words.includes(word));
    const isVillage = place.within.some((area) => isAround(wordsOf(area), words));
    return isTown || isVillage || isItsTown(part);
  }

  /**
   * Whether the part ends with the town, as in "hotel bristol geneve" and "1936 verbier vs". A region counts only after
   * its town, since "Hotel Suisse" is a name.
   */
  function endsWithTown(part: string): boolean {
    const words = part.split(" ");
    return Array.from({ length: Math.min(MOST_TOWN_WORDS, words.length - 1) }, (_, index) => -1 - index).some((at) => {
      const [before, end] = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
      if (!/\p{L}/u.test(before)) return false;
      const isEnd = isItsTown(end) || (namesTown(before) && isRegion(end, [before]));
      return isEnd && (isNamed(before) || endsWithTown(before));
    });
  }
}

function isNumber(word: string): boolean {
  return /^\d+[a-z]?$/.test(word);
}
