import type { PlaceData } from "../catalog/catalog.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import { createAddresses, type Meaning, MOST_CANDIDATES, MOST_NAME_PARTS } from "./addresses.ts";
import type { Position } from "./geo.ts";
import { fold, partsOf } from "./names.ts";
import { createOtherNames } from "./other-names.ts";
import { createPartialNames, withSiteWords } from "./partial-names.ts";
import { createPlaceIndex, isSite } from "./place-index.ts";
import { createSites } from "./sites.ts";
import { firstWordsOf, withoutFraming } from "./words.ts";

/** How a text is read: the first reading that finds a place, or asks about some, decides. */
// biome-ignore format: a row for each reading
export const READINGS = [
  { name: "name", reads: "A name, alias or IATA code and nothing else but its country, canton, postcode, street or larger place, in any order.", example: "8001 Zürich, Switzerland" },
  { name: "postcode", reads: "A postcode alone is the place that has it, or a question with those that do.", example: "CH-3920" },
  { name: "flight", reads: "A town with an airport, beside a word about a flight, is a question with airport and town.", example: "we land at Zurich" },
  { name: "framedName", reads: "A name between words that say what happens there.", example: "please pick me up at Zurich Airport, arrivals" },
  { name: "chain", reads: "A word of the names of several sites is a question with them.", example: "The Hilton" },
  { name: "site", reads: "A site without its town, misspelled, or only of a kind, is a question; so is one of several with the name.", example: "Kantonsspital" },
  { name: "misspelledSiteWord", reads: "A misspelled word for airport or station is a question with what it would name.", example: "Zurich Airprt" },
  { name: "address", reads: "A town and unknown words, with a comma between them, is an address in the town.", example: "Hotel Bellevue, Zermatt" },
  { name: "farCity", reads: "A city far outside the service area.", example: "London" },
  { name: "misspelledName", reads: "A name with one letter too many, missing, wrong or swapped with its neighbor is a question; so is a well-known one with two, where no other word is a name.", example: "Intrlakn" },
  { name: "postcodeNearby", reads: "The postcode of a place beside the town is a question with that place.", example: "8058 Zürich" },
  { name: "nameAtAnEnd", reads: "A name at either end is the town of an address; with a word for a street, a lake or nearness it is a question.", example: "The Crown Andermatt" },
  { name: "misspelledPart", reads: "An address with a misspelled town is a question with the corrected address.", example: "Hotel Bellevue, Zermat" },
  { name: "nameAmongWords", reads: "A station, an airport or a site between other words is a question.", example: "Sheraton Malpensa Airport Hotel" },
] as const;
export type ReadingName = (typeof READINGS)[number]["name"];

/** What a whole text names: a place or only its town, and a site. */
interface Named {
  readonly place: Meaning | undefined;
  readonly site?: Meaning | undefined;
  /** Absent where the text contains more than a name. */
  readonly exact?: Meaning | undefined;
}
type Reader = (text: string, named: Named) => Meaning | undefined;

/** A text that takes more steps is a question; none of a thousand that people would write takes 700. */
const MOST_STEPS = 1_000;
const UNKNOWN: Meaning = { kind: "unknown" };
const TOO_LONG: Meaning = { kind: "question", candidates: [], reason: "long" };

export type Gazetteer = ReturnType<typeof createGazetteer>;

/** The embedded places by name. A guess is returned as a candidate and never accepted. */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const sites = createSites(data.sites, index);
  const addresses = createAddresses(index, (name) => sites.called(name).length > 0);
  const { wholeName, read, askFor, asking, farCityOf, placesOfPostcode, piecesOf, airportsOf } = addresses;
  const others = createOtherNames(index, data.sites, sites, addresses);
  const { withNamesElsewhere, choiceOf, areApart, placesIn, sitesIn } = others;
  const partial = createPartialNames(index, addresses, placesIn);
  const { byId, isQualifier, areaSatisfies, work, words } = index;
  const towns = data.places.filter((place) => !isSite(place));
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
    postcodeNearby: (text) => askFor(partial.inPostcode(piecesIn(text)), "name"),
    nameAtAnEnd: partial.nameAtAnEnd,
    misspelledPart: (text) => asking(corrected(text), "name"),
    nameAmongWords,
  };

  return { geocode, firstReading, placesNamed, namesIn, towns, byId, isQualifier, areaSatisfies, words };

  function geocode(written: string): Meaning {
    const text = words.withoutArrows(written).trim();
    if (firstWordsOf(text) !== text) return TOO_LONG;
    const meaning = work.within(MOST_STEPS, () => meaningOf(text), TOO_LONG);
    return work.within(MOST_STEPS, () => withNamesElsewhere(text, meaning), TOO_LONG);
  }

  function meaningOf(text: string): Meaning {
    const unframed = withoutFraming(text, words).at(-1);
    const read = firstReading(text) ?? firstReading(unframed ?? "");
    return read?.meaning ?? UNKNOWN;
  }

  /** The reading that decides about the text, with what it found. */
  function firstReading(text: string): { readonly name: ReadingName; readonly meaning: Meaning } | undefined {
    const named = namedBy(text);
    for (const { name } of READINGS) {
      const meaning = readers[name](text, named);
      if (meaning && meaning.kind !== "unknown")
        return { name, meaning: name === "site" ? meaning : orSimilar(text, meaning) };
    }
    return undefined;
  }

  function namedBy(text: string): Named {
    const place = wholeName(text);
    if (place?.kind === "place" && !place.isOnlyTownKnown) {
      // "Seefeld" is short for a resort in Tyrol and for a quarter of Zürich.
      const namesakes = fold(text) === fold(place.place.name) ? [] : sites.called(text);
      const apart = namesakes.flatMap(sites.meaningOf).filter((site) => areApart(place, site));
      return { place, exact: apart.length > 0 ? choiceOf([place, ...apart]) : place };
    }
    const site = siteIn(text);
    if (site?.kind !== "site") return { place, site };
    return { place, site, exact: place && areApart(place, site) ? choiceOf([place, site]) : site };
  }

  /** The place within "please pick me up at Zurich Airport, arrivals". */
  function framedName(text: string): Meaning | undefined {
    return withoutFraming(text, words)
      .map((within) => namedBy(within).exact)
      .find((exact) => exact !== undefined);
  }

  /** "We land at Zurich" may mean the airport. */
  function flight(text: string): Meaning | undefined {
    if (!partsOf(fold(text)).some(words.containsFlightWord)) return undefined;
    const named = placesIn(text);
    const airports = named.some(isSite) ? [] : airportsOf(named);
    return airports.length > 0 ? askFor([...airports, ...named], "similar") : undefined;
  }

  function chain(text: string): Meaning | undefined {
    const found = sites.withAllWords(text);
    return found.length > 1 ? choiceOf(found.flatMap(sites.meaningOf)) : undefined;
  }

  function farCity(text: string): Meaning | undefined {
    const parts = partsOf(fold(text)).flatMap(words.withoutPostcode);
    const city = farCityOf(parts) ?? farCityOf(parts.map(words.withoutStationWord).map(words.withoutAirportWord));
    return city && { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
  }

  function misspelledName(text: string): Meaning {
    const { near, meant, isSimilar } = partial.misspelled(nameOf(text));
    return askFor(near, isSimilar ? "similar" : "name", meant);
  }

  /** "Sheraton Malpensa Airport Hotel" names an airport between other words, "25hours Hotel Zürich West" a quarter. */
  function nameAmongWords(text: string): Meaning {
    const named = placesIn(text).filter(isSite);
    return named.length > 0 ? askFor(named, "similar") : choiceOf(sitesIn(text));
  }

  function piecesIn(text: string): readonly string[] {
    return piecesOf(partsOf(fold(text)));
  }

  function nameOf(text: string): string {
    return partsOf(fold(text)).join(" ");
  }

  /** A single candidate that lacks a word of the text may be another place: the traveler has to choose. */
  function orSimilar(text: string, meaning: Meaning): Meaning {
    if (meaning.kind !== "question") return meaning;
    const [only, ...rest] = meaning.candidates;
    const lacksWord =
      only !== undefined && rest.length === 0 && wordCount(only) < wordCount(withSiteWords(text, words));
    return lacksWord ? { ...meaning, reason: "similar" } : meaning;
  }

  /** How many words name the place: "Gare de Genève, Switzerland" has two. */
  function wordCount(text: string): number {
    const pieces = piecesIn(text).filter((piece) => !isQualifier(piece));
    return words.siteOrName(pieces.join(" ")).split(" ").length;
  }

  /** The site that a text names; a question where it names several, or has a similar name. */
  function siteIn(text: string): Meaning | undefined {
    if (words.airport.has(fold(text))) return anyAirport();
    const { by, sites: found } = sites.find(text);
    if (by === "kind" || words.isSiteWord(fold(text))) return { kind: "question", candidates: [], reason: "town" };
    const [site, ...rest] = found;
    if (!site) return undefined;
    if (by === "name" && rest.length === 0) return sites.meaningOf(site)[0];
    const labels = found.map(sites.labelOf);
    const isSimilar = by === "name without town" || by === "similar name";
    // "Chamonix Montblanc" is as near to the name of the town as to that of a hotel.
    const place = by === "misspelled name" || by === "similar name" ? misspelledName(text) : UNKNOWN;
    const places = place.kind === "question" && place.reason === "name" ? place.candidates : [];
    return asking([...places, ...labels], isSimilar ? "similar" : "name");
  }

  /** "The airport": the best-known ones, and the others by their codes. */
  function anyAirport(): Meaning {
    const all = [...index.airports].sort((a, b) => Number(b.main ?? false) - Number(a.main ?? false));
    const candidates = all.slice(0, MOST_CANDIDATES).map(({ name, iata }) => (iata ? `${name} (${iata})` : name));
    const others = all.slice(MOST_CANDIDATES).map(({ name, iata }) => iata ?? name);
    return { kind: "question", candidates, ...(others.length > 0 && { others }), reason: "similar" };
  }

  /** The airports or stations of a text whose word for them is misspelled, so that none counts as a hotel in the town. */
  function misspelledSiteWord(text: string): Meaning | undefined {
    const spelled = withSiteWords(text, words);
    const meaning = spelled === text ? UNKNOWN : geocode(spelled);
    return meaning.kind === "question" ? meaning : choiceOf([meaning], "name");
  }

  /** Candidates for texts such as "Hotel Bellevue, Zermat", with the misspelled part corrected. */
  function corrected(text: string): readonly string[] {
    const parts = text.split(",");
    if (parts.length < 2 || parts.length > MOST_NAME_PARTS) return [];
    const texts = parts.flatMap((part, position) => {
      if (read(part)) return [];
      return partial
        .misspelled(nameOf(part))
        .near.map(({ name }) => parts.map((each, other) => (other === position ? name : each.trim())).join(", "));
    });
    return texts.filter((each) => wholeName(each)?.kind === "place" && geocode(each).kind === "place");
  }

  /** Every place that the text could mean, including those with this local name. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...index.calledLocally(fold(text))];
  }

  /**
   * What each name in the label of a position may mean: that of the whole label, if it is one, and those of its words.
   * Words around a name count: "Pick up Nancy" names no town.
   */
  function namesIn(
    written: string,
    position: Position,
  ): readonly (readonly (Position & { readonly name: string })[])[] {
    const label = firstWordsOf(written.trim());
    const whole = () => {
      const { place, site } = namedBy(label);
      const city = place || site ? undefined : farCity(label);
      if (others.isOfSiteAt(label, position)(fold(label))) return [];
      return city?.kind === "outside" ? [city] : placesNamed(label);
    };
    return [work.within(MOST_STEPS, whole, []), ...others.namesInLabel(written, position)];
  }
}
