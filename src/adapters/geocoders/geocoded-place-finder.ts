import { LRUCache } from "lru-cache";
import { PublicError } from "../../contract/errors.ts";
import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import type { PlaceWords } from "../../domain/catalog/places-schema.ts";
import { MOST_CANDIDATES } from "../../domain/places/addresses.ts";
import type { Gazetteer } from "../../domain/places/gazetteer.ts";
import { crowFliesKm } from "../../domain/places/geo.ts";
import { fold } from "../../domain/places/names.ts";
import type { Found, Location, Place, PlaceFinder, QuestionReason } from "../../domain/places/place-finder.ts";
import { withinDeadline } from "../upstream/deadline.ts";
import { createAddressWords } from "./address-words.ts";
import { type GeocodedPlace, type Geocoder, isServed } from "./geocoder.ts";
import { matchesAddress, TOWN_RADIUS_KM } from "./matches-address.ts";

export interface GeocodedPlaceFinderParts {
  /** Searched first. */
  readonly embedded: PlaceFinder;
  readonly gazetteer: Gazetteer;
  readonly geocoder: Geocoder;
  readonly serviceArea: ServiceArea;
  readonly words: PlaceWords;
  /** How long finding a text may take; those of a journey are found together. Default 5 seconds. */
  readonly deadlineMs?: number;
  /** How many answers are kept. Default 5,000. */
  readonly keepAnswers?: number;
}

const KEEP_MS = 10 * 60_000;
/** Results that are at most this far apart are one place. */
const SAME_RESULT_KM = 1;
/** Longer texts are not addresses and are not sent to a geocoder. */
const LONGEST_ADDRESS = 256;
/** An address this near to the center of a car-free place may lie in it. */
const CAR_FREE_TOWN_KM = 5;

/**
 * Searches the embedded places, then a foreign geocoder for what they do not contain: streets, hotels, hamlets. A
 * result is accepted where it is the only one that matches the text; otherwise results are returned as candidates.
 */
export function createGeocodedPlaceFinder(parts: GeocodedPlaceFinderParts): PlaceFinder {
  const { embedded, gazetteer, geocoder, serviceArea } = parts;
  const { deadlineMs = 5_000, keepAnswers = 5_000 } = parts;
  const wordsOf = createAddressWords(parts.words);
  const answers = new LRUCache<string, readonly GeocodedPlace[]>({ max: keepAnswers, ttl: KEEP_MS });

  return {
    ...embedded,
    find: (text, signal) =>
      withinDeadline(deadlineMs, "The geocoder did not respond in time.", signal, (limit) => findIn(text, limit)),
  };

  async function findIn(text: string, signal: AbortSignal): Promise<Location> {
    const known = await embedded.find(text, signal);
    const town = townOnly(known);
    const inSeveralTowns = isInSeveralTowns(known);
    if (!isAddress(text) || (!town && !inSeveralTowns && !isUnknown(known))) return known;

    const { results, near, meant } = await readingOf(text, known, signal);
    const taken = takenFrom(meant, text, known);
    if (taken) return foundAt(taken);
    if (meant.length > 0 && !inSeveralTowns) return questionOf(await candidatesOf(meant, signal), "name");
    if (near.length === 0 && matchesOf(text, results).some((place) => !isServed(place, serviceArea)))
      return inSeveralTowns ? known : { kind: "outside", name: text };
    const named = !town && known.kind === "question" ? known.candidates : [];
    const resolving = await Promise.all(named.map((candidate) => resolves(candidate, signal)));
    const catalogNames = named.filter((_, index) => resolving[index]);
    // A misspelled name of the catalog is likelier than a town of the geocoder, but not than a street or an address.
    const isMisspelled = !town && catalogNames.length > 0;
    const fit = isMisspelled ? near.filter(({ kind }) => kind === "address" || kind === "street") : near;
    const candidates = await candidatesOf(distinct(fit), signal);
    const asked = known.kind === "question" ? known.reason : "name";
    const reason = meant.length === 0 && candidates.length > 0 ? "similar" : asked;
    return questionOf([...new Set([...candidates, ...catalogNames])].slice(0, MOST_CANDIDATES), reason);
  }

  /**
   * What the geocoder finds: all `results`; `near`, those that are served and not far from the town of the text, if it
   * names one; `meant`, those near that match the text.
   */
  async function readingOf(text: string, known: Location, signal: AbortSignal) {
    const town = townOnly(known);
    const results = await resultsFor(text, signal);
    const isNear = (place: GeocodedPlace) => !town || crowFliesKm(place, town) <= TOWN_RADIUS_KM;
    const near = results.filter((place) => isServed(place, serviceArea) && isNear(place));
    return { results, near, meant: distinct(matchesOf(text, near)) };
  }

  async function resultsFor(text: string, signal: AbortSignal): Promise<readonly GeocodedPlace[]> {
    const key = cacheKeyOf(text);
    const kept = answers.get(key);
    if (kept) return kept;
    const found = await geocoder.search(text.trim(), signal);
    const results = found.filter(({ kind }) => kind !== "area");
    answers.set(key, results);
    return results;
  }

  /** A text that is the label of a result means that result, even where others contain the same words. */
  function matchesOf(text: string, places: readonly GeocodedPlace[]): readonly GeocodedPlace[] {
    const labeled = places.filter((place) => isLabelOf(text, place));
    return labeled.length > 0 ? labeled : places.filter((place) => matchesAddress(text, place, gazetteer, wordsOf));
  }

  function foundAt(place: GeocodedPlace): Location {
    const { label, town, country } = place;
    const [postcode] = /\b\d{4,5}\b/.exec(town) ?? [];
    const location = embedded.at(place, positionText(place));
    if (location.kind !== "found") return location;
    // Beyond a border the nearest town is in another country.
    const isAbroad = location.place.id === null && country !== null && country !== location.place.country;
    const region = isAbroad && { country, canton: undefined };
    const named = { ...location.place, name: label, ...(postcode && { postcode }), ...region };
    const isCarStop = location.carStop === location.place;
    const stop = isCarStop ? carFreeTownOf(place) : location;
    const { carStop = named, connection } = stop ?? {};
    return { ...location, place: named, carStop, ...(connection && { connection }) };
  }

  /** The car-free town of an address, by the town's name: the address may lie outside the extent of the place. */
  function carFreeTownOf({ town, ...position }: GeocodedPlace): Found | undefined {
    const carFree = gazetteer
      .placesNamed(town)
      .find((entry) => entry.carFree && crowFliesKm(entry, position) <= CAR_FREE_TOWN_KM);
    return carFree && embedded.byId(carFree.id);
  }

  function candidatesOf(places: readonly GeocodedPlace[], signal: AbortSignal): Promise<readonly string[]> {
    const first = places.slice(0, MOST_CANDIDATES);
    return Promise.all(
      first.map(async (place) => ((await findsItself(place, signal)) ? place.label : positionText(place))),
    );
  }

  /** Whether the label finds this place, and no other, when it is sent back to any process. */
  async function findsItself(place: GeocodedPlace, signal: AbortSignal): Promise<boolean> {
    const { label } = place;
    if (!isAddress(label)) return false;
    const known = gazetteer.geocode(label);
    if (known.kind === "found" && !known.isOnlyTownKnown) return crowFliesKm(known.place, place) <= SAME_RESULT_KM;
    const isInCatalog = known.kind === "question" && known.candidates.length > 1 && !isInSeveralTowns(known);
    if (known.kind === "outside" || isInCatalog) return false;
    try {
      const { meant } = await readingOf(label, known, signal);
      const taken = takenFrom(meant, label, known);
      return taken !== undefined && crowFliesKm(taken, place) <= SAME_RESULT_KM;
    } catch (error) {
      if (error instanceof PublicError) return false;
      throw error;
    }
  }

  /** Whether a candidate of the embedded places resolves; an address in a town needs a match of the geocoder. */
  async function resolves(candidate: string, signal: AbortSignal): Promise<boolean> {
    const known = gazetteer.geocode(candidate);
    if (!townOnly(known)) return true;
    const { meant } = await readingOf(candidate, known, signal);
    return takenFrom(meant, candidate, known) !== undefined;
  }
}

/** The town of an address, where the catalog contains nothing more of it. */
function townOnly(known: Location): Place | undefined {
  return known.kind === "found" && known.isOnlyTownKnown ? known.place : undefined;
}

/** Whether the text is an address that several places of the catalog could contain. */
function isInSeveralTowns(known: Location): boolean {
  return known.kind === "question" && known.reason === "address";
}

/** The only match. A text that fits several towns must be its full label, since the right result may be missing. */
function takenFrom(
  [only, ...others]: readonly GeocodedPlace[],
  text: string,
  known: Location,
): GeocodedPlace | undefined {
  if (!only || others.length > 0) return undefined;
  return isInSeveralTowns(known) && !isLabelOf(text, only) ? undefined : only;
}

function isLabelOf(text: string, { label }: GeocodedPlace): boolean {
  return fold(label) === fold(text);
}

function isAddress(text: string): boolean {
  return /\p{L}/u.test(text) && !/\p{Cc}/u.test(text) && text.length <= LONGEST_ADDRESS;
}

/** The text without differences of case and spaces. Accents remain, since a geocoder distinguishes Brugg from Brügg. */
function cacheKeyOf(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").replace(/ ?, ?/g, ",").trim();
}

/** Whether nothing was recognized, or only one misspelled name. */
function isUnknown(location: Location): boolean {
  return location.kind === "unknown" || (location.kind === "question" && location.candidates.length <= 1);
}

function questionOf(candidates: readonly string[], reason: QuestionReason): Location {
  return candidates.length > 0 ? { kind: "question", candidates, reason } : { kind: "unknown" };
}

function positionText({ lat, lng }: { readonly lat: number; readonly lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** The results in their order, without those that lie close to an earlier one. */
function distinct(places: readonly GeocodedPlace[]): readonly GeocodedPlace[] {
  const kept: GeocodedPlace[] = [];
  for (const place of places) {
    if (!kept.some((other) => crowFliesKm(other, place) <= SAME_RESULT_KM)) kept.push(place);
  }
  return kept;
}
