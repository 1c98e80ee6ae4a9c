import type { Catalog } from "../catalog/catalog.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import { createAddresses, MOST_CANDIDATES } from "./addresses.ts";
import { createLocations, isSpot } from "./locations.ts";
import { fold, partsOf, SHORTEST_MISSPELLED } from "./names.ts";
import { createOtherNames } from "./other-names.ts";
import { createPartialNames, withSiteWords } from "./partial-names.ts";
import type { Location, QuestionReason } from "./place-finder.ts";
import { createPlaceIndex } from "./place-index.ts";
import { createSites } from "./sites.ts";
import { isTooLong, withoutFraming } from "./words.ts";

/** How a text is read: the first reading that finds a place, or asks about some, decides. */
// biome-ignore format: a row for each reading
export const READINGS = [
  { name: "name", reads: "A name, alias or IATA code and nothing else but its country, canton, postcode, street or larger place, in any order.", example: "8001 Zürich, Switzerland" },
  { name: "postcode", reads: "A postcode alone is the place that has it, or a question with those that do.", example: "postcode 3920" },
  { name: "flight", reads: "A town with an airport, beside a word about a flight, is a question with airport and town.", example: "we land at Zurich" },
  { name: "framedName", reads: "A name between words that say what happens there.", example: "please pick me up at Zurich Airport, arrivals" },
  { name: "chain", reads: "A word of the names of several sites is a question with them.", example: "The Hilton" },
  { name: "site", reads: "A site without its town, misspelled, or only of a kind, is a question; so is one of several with the name.", example: "Kantonsspital" },
  { name: "misspelledSiteWord", reads: "A misspelled word for airport or station is a question with what it would name.", example: "Zurich Airprt" },
  { name: "address", reads: "A town and unknown words, with a comma between them, is an address in the town.", example: "Hotel Bellevue, Zermatt" },
  { name: "farCity", reads: "A city far outside the service area; where nothing else is named, also before other words.", example: "London" },
  { name: "misspelledName", reads: "A name, alone or as a comma part, with one letter too many, missing, wrong or swapped with its neighbor is a question; so is a well-known one with two, where no other word is a name.", example: "Intrlakn" },
  { name: "nameAtAnEnd", reads: "A name at either end is the town of an address; with a word for a street, a lake, nearness or another place (New) it is a question.", example: "The Crown Andermatt" },
  { name: "nameAmongWords", reads: "A station, an airport or a site between other words is a question; so is a misspelled name before or after them.", example: "Sheraton Malpensa Airport Hotel" },
] as const;
export type ReadingName = (typeof READINGS)[number]["name"];

/** What a whole text names: a place or only its town, and a site. */
interface Named {
  readonly place: Location | undefined;
  readonly site?: Location | undefined;
  /** Absent where the text contains more than a name. */
  readonly exact?: Location | undefined;
}
type Reader = (text: string, named: Named) => Location | undefined;

const UNKNOWN: Location = { kind: "unknown" };

export type Gazetteer = ReturnType<typeof createGazetteer>;

/** The embedded places by name. A guess is returned as a candidate and never accepted. */
export function createGazetteer(data: Catalog, index = createPlaceIndex(data)) {
  const locations = createLocations(data);
  const sites = createSites(data.sites, index, locations);
  const addresses = createAddresses(index, locations, (name) => sites.called(name).length > 0);
  const { wholeName, read, askFor, asking, candidatesOf, farCityOf, placesOfPostcode, airportsOf } = addresses;
  const others = createOtherNames(index, locations, sites, addresses);
  const { withNamesElsewhere, areApart, placesIn, sitesIn, cityAtStart, namesInLabel } = others;
  const partial = createPartialNames(index, addresses, others);
  const { isQualifier, satisfies, areaSatisfies, words } = index;
  const choiceOf = (several: readonly Location[], reason: QuestionReason = "similar") =>
    asking(several.flatMap(candidatesOf), reason);
  const readers: Readonly<Record<ReadingName, Reader>> = {
    name: (_, { exact }) => exact,
    postcode: placesOfPostcode,
    flight,
    framedName,
    chain,
    site: (_, { site }) => site,
    misspelledSiteWord,
    address: (_, { place }) => place,
    farCity,
    misspelledName,
    nameAtAnEnd: partial.nameAtAnEnd,
    nameAmongWords,
  };

  return { geocode, firstReading, placesNamed, namesInLabel, locations, isQualifier, areaSatisfies, words };

  function geocode(written: string): Location {
    const text = words.withoutArrows(written).trim();
    if (isTooLong(text)) return { kind: "question", candidates: [], reason: "long" };
    const onLand = words.withoutLake(text);
    const location = withNamesElsewhere(onLand, locationOf(onLand));
    if (onLand === text || location.kind === "found") return location;
    return choiceOf([askFor(words.lakesIn(text).flatMap(index.called), "similar"), location]);
  }

  function locationOf(text: string): Location {
    const read = firstReading(text) ?? firstReading(withoutFraming(text, words).at(-1) ?? "");
    if (read) return read.location;
    const city = cityAtStart(text);
    return city ? locations.ofCity(city) : UNKNOWN;
  }

  /** The reading that decides about the text, with what it found. */
  function firstReading(text: string): { readonly name: ReadingName; readonly location: Location } | undefined {
    const named = namedBy(text);
    for (const { name } of READINGS) {
      const location = readers[name](text, named);
      if (location && location.kind !== "unknown") return { name, location };
    }
    return undefined;
  }

  function namedBy(text: string): Named {
    const place = wholeName(text);
    if (place?.kind === "found" && !place.isOnlyTownKnown) {
      // "Seefeld" is short for a resort in Tyrol and for a quarter of Zürich.
      const apart = sites.called(text).filter((site) => areApart(place.place, site));
      return { place, exact: apart.length > 0 ? choiceOf([place, ...apart.map(locations.of)]) : place };
    }
    const site = siteIn(text);
    if (site?.kind !== "found") return { place, site };
    const isElsewhere = place?.kind === "found" && areApart(place.place, site.place);
    return { place, site, exact: isElsewhere ? choiceOf([place, site]) : site };
  }

  /** The place within "please pick me up at Zurich Airport, arrivals". */
  function framedName(text: string): Location | undefined {
    const named = withoutFraming(text, words).map((within) => namedBy(within).exact);
    return named.find((exact) => exact !== undefined);
  }

  /** "We land at Zurich" may mean the airport. */
  function flight(text: string): Location | undefined {
    if (!partsOf(fold(text)).some(words.containsFlightWord)) return undefined;
    const named = placesIn(text);
    const airports = named.some(isSpot) ? [] : airportsOf(named);
    return airports.length > 0 ? askFor([...airports, ...named], "similar") : undefined;
  }

  function chain(text: string): Location | undefined {
    const found = sites.withAllWords(text);
    return found.length > 1 ? askFor(found, "similar") : undefined;
  }

  function farCity(text: string): Location | undefined {
    const parts = partsOf(fold(text)).flatMap(words.withoutPostcode);
    const city = farCityOf(parts) ?? farCityOf(parts.map(words.withoutStationWord).map(words.withoutAirportWord));
    return city && locations.ofCity(city);
  }

  /**
   * The place whose name the text nearly is ("Zermat"), or a comma part of it: of "Hotel Bellevue, Zermat" the traveler
   * has to choose, because the candidate lacks the hotel.
   */
  function misspelledName(text: string): Location {
    const parts = partsOf(fold(text));
    return misspelledAmong([parts.join(" "), ...parts], parts);
  }

  function misspelledAmong(names: readonly string[], parts: readonly string[]): Location {
    const qualifiers = parts.filter(isQualifier);
    for (const name of names) {
      const { near, meant, isSimilar } = partial.misspelled(name);
      const fitting = near.filter((place) => qualifiers.every((qualifier) => satisfies(place, qualifier)));
      const lacksPart = name !== parts.join(" ") && parts.some((part) => part !== name && !isQualifier(part));
      if (fitting.length > 0) return askFor(fitting, isSimilar || lacksPart ? "similar" : "name", meant);
    }
    return UNKNOWN;
  }

  /**
   * "Sheraton Malpensa Airport Hotel" names an airport between other words, "25hours Hotel Zürich West" a quarter,
   * "Arosa Lenzerheide" two towns, and "Montreaux Jazz Festival" a misspelled one.
   */
  function nameAmongWords(text: string): Location {
    const places = placesIn(text);
    const several = places.length > 1 ? places : [];
    const named = [places.filter(isSpot), sitesIn(text), several].find(({ length }) => length > 0);
    if (named) return askFor(named, "similar");
    const long = words.wordsOf(text).filter((word) => word.length >= SHORTEST_MISSPELLED && !index.names.has(word));
    return misspelledAmong([long[0] ?? "", long.at(-1) ?? ""], partsOf(fold(text)));
  }

  /** The site that a text names; a question where it names several, or has a similar name. */
  function siteIn(text: string): Location | undefined {
    if (words.airport.has(fold(text))) return anyAirport();
    const { sites: found, reason, isMisspelled } = sites.find(text);
    if (reason === "town" || words.isSiteWord(fold(text))) return { kind: "question", candidates: [], reason: "town" };
    const [site, ...rest] = found;
    if (!site) return undefined;
    if (reason === "name" && !isMisspelled && rest.length === 0) return locations.of(site);
    // "Chamonix Montblanc" is as near to the name of the town as to that of a hotel.
    const place = isMisspelled ? misspelledName(text) : UNKNOWN;
    const isNear = place.kind === "question" && place.reason === "name";
    return choiceOf([isNear ? place : UNKNOWN, askFor(found, reason)], reason);
  }

  /** "The airport": the best-known ones, and the others by their codes. */
  function anyAirport(): Location {
    const all = [...index.airports].sort((a, b) => Number(b.main) - Number(a.main));
    const candidates = all.slice(0, MOST_CANDIDATES).map(({ name, iata }) => (iata ? `${name} (${iata})` : name));
    const others = all.slice(MOST_CANDIDATES).map(({ name, iata }) => iata ?? name);
    return { kind: "question", candidates, ...(others.length > 0 && { others }), reason: "similar" };
  }

  /** The airports or stations of a text whose word for them is misspelled, so that none counts as a hotel in the town. */
  function misspelledSiteWord(text: string): Location | undefined {
    const spelled = withSiteWords(text, words);
    const location = spelled === text ? UNKNOWN : geocode(spelled);
    const isAddress = location.kind === "found" && location.isOnlyTownKnown;
    return location.kind === "question" ? location : choiceOf([location], isAddress ? "similar" : "name");
  }

  /** Every place that the text could mean, including those with this local name. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...index.calledLocally(fold(text))];
  }
}
