import { LRUCache } from "lru-cache";
import type { ServiceArea } from "../published/schema.ts";
import { fold } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { crowFliesKm } from "./geo.ts";
import { type GeocodedPlace, type Geocoder, isServed } from "./geocoder.ts";
import type { Location, PlaceFinder } from "./place-finder.ts";
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
    const town = townOnly(text);
    const isAddress = /\p{L}/u.test(text) && text.length <= LONGEST_ADDRESS;
    if (!isAddress || (!town && !isUnknown(known))) return known;

    const results = await resultsFor(text, signal);
    const isNear = (place: GeocodedPlace) => !town || crowFliesKm(place, town) <= TOWN_RADIUS_KM;
    const near = results.filter((place) => isServed(place, serviceArea) && isNear(place));
    const meant = distinct(meantBy(text, near));
    const [only, ...others] = meant;
    if (only && others.length === 0) return foundAt(only, text);
    if (only) return { kind: "unclear", candidates: candidatesOf(meant) };
    if (near.length === 0 && meantBy(text, results).some((place) => !isServed(place, serviceArea)))
      return { kind: "outside", name: text };
    if (town)
      return {
        kind: "unclear",
        candidates: [...candidatesOf(distinct(near)), ...townsNamed(town)].slice(0, MOST_CANDIDATES),
      };
    // A name of ours with a typing error is likelier than what a geocoder makes of it.
    return isUnknown(known) && known.candidates.length > 0
      ? known
      : { kind: "unclear", candidates: candidatesOf(distinct(near)) };
  }

  /** The town, where the catalogue knows of an address no more than that. */
  function townOnly(text: string): PlaceEntry | undefined {
    const geocoded = gazetteer.geocode(text);
    return geocoded.kind === "place" && geocoded.atItsTown ? geocoded.place : undefined;
  }

  async function resultsFor(text: string, signal: AbortSignal): Promise<readonly GeocodedPlace[]> {
    const key = fold(text);
    const kept = answers.get(key);
    if (kept) return kept;
    const found = await geocoder.search(text.trim(), signal);
    const results = found.filter(({ kind }) => kind !== "area");
    answers.set(key, results);
    return results;
  }

  /** A label that is sent back means its place, whatever else shares its words. */
  function meantBy(text: string, places: readonly GeocodedPlace[]): readonly GeocodedPlace[] {
    const labelled = places.filter(({ label }) => fold(label) === fold(text));
    return labelled.length > 0 ? labelled : places.filter((place) => says(text, place, gazetteer));
  }

  function foundAt(place: GeocodedPlace, text: string): Location {
    const { label } = place;
    const location = embedded.at(place, positionText(place));
    if (location.kind !== "found") return location;
    const named = { ...location.place, name: label };
    const notes = fold(label) === fold(text) ? [] : [`"${text}" was placed at ${label}.`];
    return {
      ...location,
      place: named,
      carStop: location.carStop === location.place ? named : location.carStop,
      notes: [...notes, ...location.notes],
    };
  }

  function candidatesOf(places: readonly GeocodedPlace[]): readonly string[] {
    return places.slice(0, MOST_CANDIDATES).map((place) => candidateFor(place, places));
  }

  /** The label where it finds this place when it is sent back, otherwise the position. */
  function candidateFor(place: GeocodedPlace, rivals: readonly GeocodedPlace[]): string {
    const { label } = place;
    const isShared = rivals.some((rival) => rival !== place && fold(rival.label) === fold(label));
    const known = gazetteer.geocode(label);
    const isOther =
      known.kind === "place"
        ? crowFliesKm(known.place, place) > (known.atItsTown ? TOWN_RADIUS_KM : SAME_PLACE_KM)
        : known.kind === "outside" || known.candidates.length > 1;
    if (isShared || isOther || label.length > LONGEST_ADDRESS) return positionText(place);
    // The geocoder was right about the label a moment ago; it need not be asked when the candidate comes back.
    answers.set(fold(label), [place]);
    return label;
  }

  /** A town as a text that finds it. */
  function townsNamed(town: PlaceEntry): readonly string[] {
    const named = gazetteer.geocode(town.name);
    if (named.kind === "unclear") return named.candidates;
    return named.kind === "place" && named.place === town ? [town.name] : [positionText(town)];
  }
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
