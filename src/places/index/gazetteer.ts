import type { PlaceData } from "../../catalog/load-places.ts";
import type { FarCity, PlaceEntry, Site } from "../../catalog/places-schema.ts";
import { piecesOf, type Reading, readAddress, withoutPostcode } from "../addresses/address.ts";
import { crowFliesKm } from "../geo.ts";
import { fold, partsOf, siteName, terminalIn, withoutAirportWord, withoutStationWord } from "./names.ts";
import { createNamesInLabel, type NameMeanings } from "./names-in-label.ts";
import { createNearMisses, withSiteWords } from "./near-misses.ts";
import { createPlaceIndex, isSite, namesOf } from "./place-index.ts";
import { createSites } from "./sites.ts";

export type Geocoded =
  | {
      readonly kind: "place";
      readonly place: PlaceEntry;
      readonly isOnlyTownKnown: boolean;
      readonly hasUnknownTerminal?: boolean;
    }
  | { readonly kind: "site"; readonly site: Site; readonly town: PlaceEntry; readonly label: string }
  /**
   * `isOnlyTownKnown` where the text is an address that may be in several towns; `areSimilar` where the candidates only
   * have similar names, so that the traveler has to choose.
   */
  | {
      readonly kind: "unclear";
      readonly candidates: readonly string[];
      readonly isOnlyTownKnown?: true;
      readonly areSimilar?: true;
    }
  | { readonly kind: "outside"; readonly name: string; readonly lat: number; readonly lng: number };

const MOST_CANDIDATES = 5;
/** Two towns in one text that lie farther apart are different places. */
const TOGETHER_KM = 15;
/** A text with more comma parts is an address: names have fewer. */
const MOST_NAME_PARTS = 3;
/** Words between a name and a town that make the text no address in the town: "a hotel near Bern", "Bern or Thun". */
// biome-ignore format: several fit on a line
const JOINING = new Set([
  "and", "or", "und", "oder", "et", "ou", "e", "o", "near", "around", "between", "from", "outside", "bei", "nahe",
  "zwischen", "pres", "entre", "tra", "fra",
]);
/** Words that make the name of a town that of another one: "New Glarus". */
// biome-ignore format: several fit on a line
const PREFIXES = new Set([
  "new", "neu", "alt", "ober", "unter", "nieder", "gross", "klein", "val", "mont", "monte", "pont", "ponte", "bourg",
  "san", "santa", "st",
]);

/**
 * The embedded places by name. Tried in this order: IATA code, alone or beside a name; exact name or alias after
 * folding, comma parts in any order; "hotel or street, place", where country, canton or postcode select among places of
 * the same name; the same without the word for "station", for towns whose station is no place of its own; far cities;
 * an address and its only town without a comma; near misses, which are returned as candidates and never accepted.
 */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const nearMisses = createNearMisses(index);
  const sites = createSites(data.sites, index);
  const namesInWords = createNamesInLabel(index);
  const towns = data.places.filter((place) => !isSite(place));

  const { byId, isQualifier, areaSatisfies } = index;
  return { geocode, placesNamed, namesIn, towns, byId, isQualifier, areaSatisfies };

  function geocode(text: string): Geocoded {
    const known = geocodeKnown(text);
    if (known?.kind === "place" && !known.isOnlyTownKnown) return known;
    const site = siteIn(text);
    if (site) return site;
    return asQuestion(text, atMisspelledSite(text) ?? known ?? geocodeNear(text));
  }

  /** A far city, or what a text that names no place may have meant. */
  function geocodeNear(text: string): Geocoded {
    const parts = partsOf(fold(text));
    const spellings = [parts.map(withoutStationWord), parts.map(withoutAirportWord), parts.flatMap(withoutPostcode)];
    const city = [parts, ...spellings].map(farCityOf).find((found) => found !== undefined);
    if (city) return { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
    const near = nearMisses(parts, piecesOf(parts, index));
    if (near.isBesideMore) return besideItsTown(text, near.places);
    if (near.places.length === 0) return { kind: "unclear", candidates: corrected(text) };
    return { ...unclear(near.places, false, near.names), ...(near.areSimilar && { areSimilar: true }) };
  }

  /** A single candidate that lacks a word of the text may be another place: the traveler has to choose. */
  function asQuestion(text: string, geocoded: Geocoded): Geocoded {
    if (geocoded.kind !== "unclear") return geocoded;
    const [only, ...others] = geocoded.candidates;
    const lacksWord = only !== undefined && others.length === 0 && wordCount(only) < wordCount(withSiteWords(text));
    return lacksWord ? { ...geocoded, areSimilar: true } : geocoded;
  }

  /** How many words name the place: "Gare de Genève, Switzerland" has two. */
  function wordCount(text: string): number {
    const pieces = piecesOf(partsOf(fold(text)), index).filter((piece) => !isQualifier(piece));
    return siteOrName(pieces.join(" ")).split(" ").length;
  }

  /** The site that a text names; candidates where it names several, or has a similar name. */
  function siteIn(text: string): Geocoded | undefined {
    const found = sites.find(text);
    const [site, ...others] = found.sites;
    const town = site && byId(site.town);
    if (!site || !town) return undefined;
    if (found.by === "name" && others.length === 0) return { kind: "site", site, town, label: sites.labelOf(site) };
    const candidates = found.sites.slice(0, MOST_CANDIDATES).map(sites.labelOf);
    return { kind: "unclear", candidates, ...(found.by === "name without town" && { areSimilar: true }) };
  }

  /** The airports or stations of a text whose word for them is misspelled, so that none counts as a hotel in the town. */
  function atMisspelledSite(text: string): Geocoded | undefined {
    const spelled = withSiteWords(text);
    const meant = spelled === text ? undefined : geocode(spelled);
    if (meant?.kind === "place" && (isSite(meant.place) || !meant.isOnlyTownKnown)) return unclear([meant.place]);
    if (meant?.kind === "site") return { kind: "unclear", candidates: [meant.label] };
    return meant?.kind === "unclear" && meant.candidates.length > 0 ? meant : undefined;
  }

  /** Candidates for texts such as "Hotel Bellevue, Zermat", with the misspelled part corrected. */
  function corrected(text: string): readonly string[] {
    const parts = text.split(",");
    if (parts.length < 2 || parts.length > MOST_NAME_PARTS) return [];
    const texts = parts.flatMap((part, position) => {
      const near = nearMisses(partsOf(fold(part)), []);
      if (near.isBesideMore || read(part)) return [];
      return near.places.map(({ name }) =>
        parts.map((each, other) => (other === position ? name : each.trim())).join(", "),
      );
    });
    return texts.filter((each) => geocodeKnown(each)?.kind === "place").slice(0, MOST_CANDIDATES);
  }

  /** Reads "Inselspital Bern" and "Lausanne EPFL" as if there were a comma between the town and the rest. */
  function besideItsTown(text: string, towns: readonly PlaceEntry[]): Geocoded {
    const found = new Map<PlaceEntry, { readonly candidate: string; readonly geocoded: Geocoded }>();
    for (const { index: gap } of text.trim().matchAll(/(?<!,)\s+(?!,)/g)) {
      const [before, after] = [text.trim().slice(0, gap), text.trim().slice(gap).trim()];
      const [last, first] = [fold(before).split(" ").at(-1) ?? "", fold(after).split(" ")[0] ?? ""];
      if (JOINING.has(last) || PREFIXES.has(last) || JOINING.has(first)) continue;
      const candidate = `${before.replace(/\s+(?:in|im|at|en|à|a)$/i, "")}, ${after}`;
      const geocoded = geocodeKnown(candidate);
      if (geocoded?.kind === "place" && towns.includes(geocoded.place) && !found.has(geocoded.place))
        found.set(geocoded.place, { candidate, geocoded });
    }
    const [[town, only] = [], ...others] = [...found];
    if (town && only && others.length === 0) {
      // "Guarda Val Lugano" may be in either town, however the text has to be split.
      if (towns.some((other) => crowFliesKm(town, other) > TOGETHER_KM)) return { ...unclear(towns), areSimilar: true };
      return only.geocoded;
    }
    const candidates = [...found.values()].map(({ candidate }) => candidate);
    return { kind: "unclear", candidates: candidates.slice(0, MOST_CANDIDATES) };
  }

  function geocodeKnown(text: string): Geocoded | undefined {
    const reading = read(text);
    return reading && resultOf(reading);
  }

  /** Every place that the text could mean, including those with this local name. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...index.calledLocally(fold(text))];
  }

  /** What each name in a label may mean: that of the whole label, if it is one, and those of its words. */
  function namesIn(label: string): readonly NameMeanings[] {
    const geocoded = geocode(label);
    return [geocoded.kind === "outside" ? [geocoded] : placesNamed(label), ...namesInWords(label)];
  }

  function read(text: string): Reading | undefined {
    const reading = readFolded(text);
    return reading && { ...reading, places: toTheLetter(text, reading.places) };
  }

  function readFolded(text: string): Reading | undefined {
    const folded = fold(text);
    const iata = text.trim().length === 3 ? index.airport(folded) : undefined;
    if (iata) return { places: [iata], isOnlyTownKnown: false };
    const all = partsOf(folded);
    const parts = withoutTerminals(all);
    const reading = readParts(parts) ?? readTownOfStation(parts);
    const hasUnknownTerminal = parts !== all && index.called(all.join(" ")).length === 0;
    return reading && (hasUnknownTerminal ? { ...reading, hasUnknownTerminal } : reading);
  }

  /** A terminal is part of its airport; beside a city it shows that the airport is meant, but not which. */
  function withoutTerminals(parts: readonly string[]): readonly string[] {
    if (!parts.some(terminalIn)) return parts;
    const names = parts.flatMap((part) => terminalIn(part)?.name ?? part).filter((name) => name !== "");
    if (readParts(names)?.places.every(({ kind }) => kind === "airport")) return names;
    const [only = "", ...others] = parts;
    const named = terminalIn(only);
    return named && others.length === 0 && index.called(named.name).length > 0 ? [named.name, named.terminal] : parts;
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0 ? { places: named, isOnlyTownKnown: false } : readAddress(piecesOf(parts, index), index);
  }

  function readTownOfStation(parts: readonly string[]): Reading | undefined {
    const towns = parts.map(withoutStationWord);
    // A far station may be named after a town of ours: the Gare de Lyon stands in Paris.
    const isStation = towns.some((town, position) => town !== parts[position]) && !farCityOf(parts);
    const reading = isStation ? readParts(towns) : undefined;
    return reading && { ...reading, isOnlyTownKnown: true };
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    // "Belp, Bern" is Belp, although Bern's airport is called Bern-Belp.
    const areTowns = parts.length > 1 && parts.every((part) => index.called(part).some((place) => !isSite(place)));
    for (const order of permutations(parts)) {
      const named = index.called(order.join(" "));
      if (named.some((place) => !isSite(place) || !areTowns)) return named;
    }
    return [];
  }

  function resultOf({ places: found, isOnlyTownKnown, isDoubtful, hasUnknownTerminal }: Reading): Geocoded {
    const [only, ...others] = found;
    if (only && others.length === 0 && !isDoubtful) {
      return { kind: "place", place: only, isOnlyTownKnown, ...(hasUnknownTerminal && { hasUnknownTerminal }) };
    }
    return unclear(found, isOnlyTownKnown);
  }

  function unclear(
    places: readonly PlaceEntry[],
    isOnlyTownKnown = false,
    meant: readonly string[] = [],
  ): Geocoded & { readonly kind: "unclear" } {
    const candidates = places.slice(0, MOST_CANDIDATES).map((place) => unambiguousName(place, meant));
    return { kind: "unclear", candidates, ...(isOnlyTownKnown && { isOnlyTownKnown }) };
  }

  function farCityOf(parts: readonly string[]): FarCity | undefined {
    return [parts.join(" "), ...[...parts].reverse()].map(index.farCity).find((city) => city !== undefined);
  }

  /** A text that resolves to this place alone when it is sent back, if possible one of the folded names `meant`. */
  function unambiguousName(place: PlaceEntry, meant: readonly string[]): string {
    const { name, aliases, canton, country, postcodes } = place;
    const qualified = [canton, country, ...postcodes].flatMap((qualifier) =>
      qualifier ? [`${name}, ${qualifier}`] : [],
    );
    const spelled = namesOf(place).filter((each) => meant.includes(fold(each)));
    const texts = [...spelled, name, ...qualified, ...aliases];
    return (
      texts.find((text) => {
        const found = read(text)?.places ?? [];
        return found.length === 1 && found[0] === place;
      }) ?? `${place.lat}, ${place.lng}`
    );
  }
}
export type Gazetteer = ReturnType<typeof createGazetteer>;

/** Folding makes "Brugg" and "Brügg" one name: keeps the places that the text names with their accents. */
function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
  if (found.length < 2) return found;
  const written = text.normalize("NFC").toLowerCase();
  const literal = found.filter((place) => namesOf(place).some((name) => written.includes(name.toLowerCase())));
  return found.filter((place) => literal.includes(place) || !literal.some((other) => haveNameInCommon(place, other)));
}

function haveNameInCommon(one: PlaceEntry, other: PlaceEntry): boolean {
  const names = new Set(namesOf(one).map(siteOrName));
  return namesOf(other).some((name) => names.has(siteOrName(name)));
}

function siteOrName(name: string): string {
  const folded = fold(name);
  return siteName(folded) ?? folded;
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, position) =>
    permutations(parts.filter((_, other) => other !== position)).map((rest) => [part, ...rest]),
  );
}
