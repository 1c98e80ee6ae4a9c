import { LRUCache } from "lru-cache";
import { PublicError } from "../contract/errors.ts";
import type { ServiceArea } from "../published/schema.ts";
import { fold } from "./fold.ts";
import type { Gazetteer, Geocoded } from "./gazetteer.ts";
import { crowFliesKm } from "./geo.ts";
import { type GeocodedPlace, type Geocoder, isServed } from "./geocoder.ts";
import type { Found, Location, PlaceFinder } from "./place-finder.ts";
import { says, TOWN_RADIUS_KM } from "./same-address.ts";
import type { PlaceEntry } from "./schema.ts";

export interface GeocodedPlaceFinderParts {
  /** Asked first. */
  readonly embedded: PlaceFinder;
  readonly gazetteer: Gazetteer;
  readonly geocoder: Geocoder;
  readonly serviceArea: ServiceArea;
  /** How long and how many answers are kept. Default 10 minutes and 5,000. */
  readonly keepMs?: number;
  readonly keepAnswers?: number;
}

const MOST_CANDIDATES = 5;
/** Results nearer to each other are one place. */
const SAME_PLACE_KM = 1;
/** Longer texts are no addresses, and no geocoder's business. */
const LONGEST_ADDRESS = 256;
/** Of the middle of a car-free place. */
const CAR_FREE_TOWN_KM = 5;

type Unclear = Extract<Location, { readonly kind: "unclear" }>;

/**
 * The embedded places first, a foreign geocoder for what they do not know: streets, hotels, hamlets. A result is taken
 * where it is the only one that says what the text says; all others are offered as candidates.
 */
export function createGeocodedPlaceFinder(parts: GeocodedPlaceFinderParts): PlaceFinder {
  const { embedded, gazetteer, geocoder, serviceArea } = parts;
  const { keepMs = 10 * 60_000, keepAnswers = 5_000 } = parts;
  const answers = new LRUCache<string, readonly GeocodedPlace[]>({ max: keepAnswers, ttl: keepMs });

  return { find, at: embedded.at, byId: embedded.byId, nameOf: embedded.nameOf };

  async function find(text: string, signal: AbortSignal): Promise<Location> {
    const known = await embedded.find(text, signal);
    const geocoded = gazetteer.geocode(text);
    const town = townOnly(geocoded);
    const inSeveralTowns = isInSeveralTowns(geocoded);
    if (!isAddress(text) || (!town && !inSeveralTowns && !isUnknown(known))) return known;

    const { results, near, meant } = await readingOf(text, geocoded, signal);
    const taken = takenFrom(meant, text, geocoded);
    if (taken) return foundAt(taken, text);
    if (meant.length > 0 && !inSeveralTowns)
      return { kind: "unclear", candidates: await candidatesOf(meant, signal) };
    if (near.length === 0 && meantBy(text, results).some((place) => !isServed(place, serviceArea)))
      return inSeveralTowns ? known : { kind: "outside", name: text };
    const ours = town ? townsNamed(town) : known.kind === "unclear" ? known.candidates : [];
    // A name of ours with a typing error is likelier than the town that a geocoder makes of it, but no street.
    const isMisspelt = !town && ours.length > 0;
    const fit = isMisspelt ? near.filter(({ kind }) => kind === "address" || kind === "street") : near;
    const offered = await candidatesOf(distinct(fit), signal);
    return { kind: "unclear", candidates: [...new Set([...offered, ...ours])].slice(0, MOST_CANDIDATES) };
  }

  /** What the geocoder knows of a text: all, what is served around the town, and of that what the text says. */
  async function readingOf(text: string, geocoded: Geocoded, signal: AbortSignal) {
    const town = townOnly(geocoded);
    const results = await resultsFor(text, signal);
    const isNear = (place: GeocodedPlace) => !town || crowFliesKm(place, town) <= TOWN_RADIUS_KM;
    const near = results.filter((place) => isServed(place, serviceArea) && isNear(place));
    return { results, near, meant: distinct(meantBy(text, near)) };
  }

  async function resultsFor(text: string, signal: AbortSignal): Promise<readonly GeocodedPlace[]> {
    const key = asWritten(text);
    const kept = answers.get(key);
    if (kept) return kept;
    const found = await geocoder.search(text.trim(), signal);
    const results = found.filter(({ kind }) => kind !== "area");
    answers.set(key, results);
    return results;
  }

  /** A label that is sent back means its place, whatever else shares its words. */
  function meantBy(text: string, places: readonly GeocodedPlace[]): readonly GeocodedPlace[] {
    const labelled = places.filter((place) => isItsLine(text, place));
    return labelled.length > 0 ? labelled : places.filter((place) => says(text, place, gazetteer));
  }

  function foundAt(place: GeocodedPlace, text: string): Location {
    const { label } = place;
    const location = embedded.at(place, positionText(place));
    if (location.kind !== "found") return location;
    const named = { ...location.place, name: label };
    const isCarStop = location.carStop === location.place;
    const dropOff = isCarStop ? carFreeTownOf(place) : location;
    const notes = isItsLine(text, place) ? [] : [`"${text}" was placed at ${label}.`];
    return {
      ...location,
      place: named,
      carStop: dropOff?.carStop ?? named,
      notes: [...notes, ...(dropOff?.notes ?? [])],
    };
  }

  /** A car-free place ends where its address does, be that farther from its middle than positions are believed. */
  function carFreeTownOf({ town, ...position }: GeocodedPlace): Found | undefined {
    const carFree = gazetteer
      .placesNamed(town)
      .find((entry) => entry.carFree && crowFliesKm(entry, position) <= CAR_FREE_TOWN_KM);
    return carFree && embedded.byId(carFree.id);
  }

  function candidatesOf(places: readonly GeocodedPlace[], signal: AbortSignal): Promise<readonly string[]> {
    const offered = places.slice(0, MOST_CANDIDATES);
    return Promise.all(
      offered.map(async (place) => ((await findsItself(place, signal)) ? place.label : positionText(place))),
    );
  }

  /** Whether the label finds this place, and no other, when it is sent back, by whatever process reads it. */
  async function findsItself(place: GeocodedPlace, signal: AbortSignal): Promise<boolean> {
    const { label } = place;
    if (!isAddress(label)) return false;
    const known = gazetteer.geocode(label);
    if (known.kind === "place" && !known.atItsTown) return crowFliesKm(known.place, place) <= SAME_PLACE_KM;
    const isOfOurs = known.kind === "unclear" && known.candidates.length > 1 && !isInSeveralTowns(known);
    if (known.kind === "outside" || isOfOurs) return false;
    try {
      const { meant } = await readingOf(label, known, signal);
      const taken = takenFrom(meant, label, known);
      return taken !== undefined && crowFliesKm(taken, place) <= SAME_PLACE_KM;
    } catch (error) {
      if (error instanceof PublicError) return false;
      throw error;
    }
  }

  /** A town as a text that finds it. */
  function townsNamed(town: PlaceEntry): readonly string[] {
    const named = gazetteer.geocode(town.name);
    if (named.kind === "unclear") return named.candidates;
    return named.kind === "place" && named.place === town ? [town.name] : [positionText(town)];
  }
}

/** The town, where the catalogue knows of an address no more than that. */
function townOnly(geocoded: Geocoded): PlaceEntry | undefined {
  return geocoded.kind === "place" && geocoded.atItsTown ? geocoded.place : undefined;
}

/** An address in one of several towns, or beside an airport that the rest of it does not name. */
function isInSeveralTowns(geocoded: Geocoded): boolean {
  return geocoded.kind === "unclear" && geocoded.atItsTown === true;
}

/** The only place that is meant. Of several towns the geocoder may know one alone: there it takes its own line. */
function takenFrom(
  [only, ...others]: readonly GeocodedPlace[],
  text: string,
  geocoded: Geocoded,
): GeocodedPlace | undefined {
  if (!only || others.length > 0) return undefined;
  return isInSeveralTowns(geocoded) && !isItsLine(text, only) ? undefined : only;
}

function isItsLine(text: string, { label }: GeocodedPlace): boolean {
  return fold(label) === fold(text);
}

function isAddress(text: string): boolean {
  return /\p{L}/u.test(text) && !/\p{Cc}/u.test(text) && text.length <= LONGEST_ADDRESS;
}

/** A text's key: as it is written but for case and spaces, since to a geocoder Brugg and Brügg are two. */
function asWritten(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").replace(/ ?, ?/g, ",").trim();
}

/** Whether nothing at all, or at most a name with a typing error, was recognised; several readings stay several. */
function isUnknown(location: Location): location is Unclear {
  return location.kind === "unclear" && location.candidates.length <= 1;
}

function positionText({ lat, lng }: { readonly lat: number; readonly lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** One of each group of results that lie close together, in their order. */
function distinct(places: readonly GeocodedPlace[]): readonly GeocodedPlace[] {
  const kept: GeocodedPlace[] = [];
  for (const place of places) {
    if (!kept.some((other) => crowFliesKm(other, place) <= SAME_PLACE_KM)) kept.push(place);
  }
  return kept;
}
