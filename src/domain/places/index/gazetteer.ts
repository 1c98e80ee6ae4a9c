import type { PlaceData } from "../../catalog/load-places.ts";
import type { PlaceEntry, Site } from "../../catalog/places-schema.ts";
import { airportsOf, piecesOf, withoutPostcode } from "../addresses/address.ts";
import { crowFliesKm, type Position } from "../geo.ts";
import { WORD, withoutFraming } from "./framing.ts";
import { createKnownPlaces, type Geocoded, MOST_CANDIDATES, MOST_NAME_PARTS } from "./known-places.ts";
import { fold, partsOf } from "./names.ts";
import { createNamesInLabel, type NameMeanings } from "./names-in-label.ts";
import { createNearMisses, withSiteWords } from "./near-misses.ts";
import { createPlaceIndex, isSite, namesOf } from "./place-index.ts";
import { createSites } from "./sites.ts";
import { createSplitAtTown, TOGETHER_KM } from "./split-at-town.ts";

/** What a whole text names: places, or only their town; a site, or several. */
interface Named {
  readonly known: Geocoded | undefined;
  readonly site?: Geocoded | undefined;
  /** Absent where the text contains more than a name. */
  readonly exact?: Geocoded;
}

const MOST_DIRECTIONS = 4;
/** Between two names, of which neither contains words of the other. */
const BORDERS = /[()[\];/|]/g;
/** Shorter names are also words and abbreviations. */
const SHORTEST_NAME = 4;
/** A text of more words is a question; those that people write have up to ten, and an address in a sentence twenty. */
const MOST_WORDS = 32;
/** A text that takes more steps is a question; none of a thousand that people would write takes 700. */
const MOST_STEPS = 1_000;

/** How a text is read: the first reading that finds a place, or asks about some, decides. */
export const READINGS = [
  {
    name: "name",
    reads:
      "A name, alias or IATA code and nothing else but its country, canton, postcode, street or larger place, in any order.",
    example: "8001 Zürich, Switzerland",
  },
  {
    name: "postcode",
    reads: "A postcode alone is the place that has it, or a question with those that do.",
    example: "CH-3920",
  },
  { name: "journey", reads: "The two ends of a journey are a question with both.", example: "Geneva to Verbier" },
  {
    name: "flight",
    reads: "A town with an airport, beside a word about a flight, is a question with airport and town.",
    example: "we land at Zurich",
  },
  {
    name: "framedName",
    reads: "A name between words that say what happens there; an article stands before a station or a site only.",
    example: "please pick me up at Zurich Airport, arrivals",
  },
  { name: "chain", reads: "A word of the names of several sites is a question with them.", example: "The Hilton" },
  {
    name: "site",
    reads: "A site without its town, misspelled, or only of a kind, is a question; so is one of several with the name.",
    example: "Kantonsspital",
  },
  {
    name: "misspelledSiteWord",
    reads: "A misspelled word for airport or station is a question with what it would name.",
    example: "Zurich Airprt",
  },
  {
    name: "address",
    reads: "A town and unknown words, with a comma between them, is an address in the town.",
    example: "Hotel Bellevue, Zermatt",
  },
  { name: "farCity", reads: "A city far outside the service area.", example: "London" },
  {
    name: "misspelledName",
    reads: "A name with one letter too many, missing, wrong or swapped with its neighbor is a question.",
    example: "Interlakn",
  },
  {
    name: "postcodeNearby",
    reads: "The postcode of a place beside the town is a question with that place.",
    example: "8058 Zürich",
  },
  {
    name: "nameAtAnEnd",
    reads:
      "A name at either end is the town of an address, unless a word makes it a street, a lake, another town or a place near it.",
    example: "The Crown Andermatt",
  },
  { name: "badlyMisspelledName", reads: "A well-known name with two such letters is a question.", example: "Intrlakn" },
  {
    name: "misspelledPart",
    reads: "An address with a misspelled town is a question with the corrected address.",
    example: "Hotel Bellevue, Zermat",
  },
  {
    name: "nameAmongWords",
    reads: "A station, an airport or a site between other words is a question.",
    example: "Sheraton Malpensa Airport Hotel",
  },
] as const;
type ReadingName = (typeof READINGS)[number]["name"];
type Reader = (text: string, named: Named) => Geocoded | undefined;

/** The embedded places by name. A guess is returned as a candidate and never accepted. */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const { misspelled, misspelledTwice, contained, inPostcode } = createNearMisses(index);
  const sites = createSites(data.sites, index);
  const { namesIn: namesInWords, mentionsIn } = createNamesInLabel(index);
  const knownPlaces = createKnownPlaces(index, (name) => sites.called(name).length > 0);
  const { read, geocodeKnown, unclear, unambiguousName, farCityOf } = knownPlaces;
  const splitAtTown = createSplitAtTown(knownPlaces, index.words, namedWithin);
  const towns = data.places.filter((place) => !isSite(place));

  const { byId, isQualifier, areaSatisfies, work, words } = index;
  const { isSiteWord, siteOrName, withoutAirportWord, withoutStationWord } = words;
  const readers: Readonly<Record<ReadingName, Reader>> = {
    name: (_, { exact }) => exact,
    postcode: placesOfPostcode,
    journey: journeyIn,
    flight: flightTo,
    framedName,
    chain: (text) => choiceOf(severalOf(sites.withAllWords(text))),
    site: (_, { site }) => site,
    misspelledSiteWord: (text) => asQuestion(text, atMisspelledSite(text)),
    address: (text, { known }) => asQuestion(text, known),
    farCity,
    misspelledName: (text) => asQuestion(text, misspelledName(text)),
    postcodeNearby: (text) => asQuestion(text, unclear(inPostcode(piecesIn(text)))),
    nameAtAnEnd: (text) => asQuestion(text, nameAtAnEnd(text)),
    badlyMisspelledName: (text) => ({ ...unclear(misspelledTwice(partsOf(fold(text)).join(" "))), areSimilar: true }),
    misspelledPart: (text) => asQuestion(text, { kind: "unclear", candidates: corrected(text) }),
    nameAmongWords: (text) => asQuestion(text, amongOtherWords(text)),
  };

  return { geocode, firstReading, placesNamed, namesIn, towns, byId, isQualifier, areaSatisfies, words };

  function geocode(written: string): Geocoded {
    const text = written.trim();
    if (firstWordsOf(text) !== text) return { kind: "unclear", candidates: [] };
    return work.within(
      MOST_STEPS,
      () => withoutNameElsewhere(text, meaningOf(text)),
      () => ({ kind: "unclear", candidates: [] }),
    );
  }

  function meaningOf(text: string): Geocoded {
    const [unframed] = withoutFraming(text, words).slice(-1);
    const read = firstReading(text) ?? (unframed && firstReading(unframed.text));
    return read?.meant ?? { kind: "unclear", candidates: [] };
  }

  /** The reading that decides about the text, with what it found. */
  function firstReading(text: string): { readonly name: ReadingName; readonly meant: Geocoded } | undefined {
    const named = namedBy(text);
    for (const { name } of READINGS) {
      const meant = readers[name](text, named);
      if (isAnswer(meant)) return { name, meant };
    }
    return undefined;
  }

  /** What the whole text names: `exact` where it contains nothing that is unknown. */
  function namedBy(text: string): Named {
    const known = geocodeKnown(text);
    if (known?.kind !== "place" || known.isOnlyTownKnown) {
      const site = siteIn(text);
      if (site?.kind !== "site") return { known, site };
      return { known, site, exact: known?.kind === "place" && areApart(known, site) ? choiceOf([known, site]) : site };
    }
    // "Seefeld" is short for a resort in Tyrol and for a quarter of Zürich.
    const namesakes = fold(text) === fold(known.place.name) ? [] : sites.called(text);
    const far = namesakes.flatMap(geocodedSite).filter((site) => areApart(known, site));
    return { known, exact: far.length > 0 ? choiceOf([known, ...far]) : known };
  }

  /** What was found, or a question where the text names something else that lies apart from it. */
  function withoutNameElsewhere(text: string, found: Geocoded): Geocoded {
    const at = positionOf(found);
    if (!at) return found;
    const elsewhere = mentionsIn(text.replace(BORDERS, ","), everythingCalled).filter(
      ({ name, meanings }) =>
        meanings.every((meaning) => crowFliesKm(meaning.at, at) > TOGETHER_KM) &&
        !isPartOfName(name, found) &&
        !isNameOfBuilding(name, text, found),
    );
    const named = elsewhere.flatMap(({ meanings }) => meanings.flatMap(({ geocoded }) => geocoded ?? []));
    return elsewhere.length > 0 ? choiceOf([found, ...named].slice(0, MOST_CANDIDATES)) : found;
  }

  /** All places, sites and far cities of a name. */
  function everythingCalled(name: string): readonly { readonly at: Position; readonly geocoded?: Geocoded }[] {
    const city = index.farCity(name);
    const places = name.length < SHORTEST_NAME || words.ordinary.has(name) ? [] : index.called(name);
    return [
      ...places.map((place) => ({ at: place, geocoded: { kind: "place", place, isOnlyTownKnown: false } as const })),
      ...sitesCalled(name).flatMap((site) => geocodedSite(site).map((geocoded) => ({ at: site, geocoded }))),
      ...(city && !words.ordinary.has(name) ? [{ at: city }] : []),
    ];
  }

  /** The sites of a name; a filler at its end may begin another name, as in "Schatzalp, La Punt". */
  function sitesCalled(name: string): readonly Site[] {
    const ends = name.split(" ");
    const isCut = [ends[0], ends.at(-1)].some((word) => words.filler.has(word ?? ""));
    return sites.called(name).filter((site) => !isCut || namesOf(site).some((each) => fold(each) === name));
  }

  /**
   * Whether the name of a town is that of a building, by other words in its comma part beside that of the town that was
   * found: "Hotel Lugano, Davos", but not "near Lugano, Davos".
   */
  function isNameOfBuilding(name: string, text: string, found: Geocoded): boolean {
    if (found.kind !== "place" || index.called(name).length === 0) return false;
    const parts = partsOf(fold(text));
    const [part = "", ...others] = parts.filter((each) => ` ${each} `.includes(` ${name} `));
    const rest = part
      .replace(name, "")
      .split(" ")
      .filter((word) => word !== "");
    return (
      others.length === 0 &&
      rest.length > 0 &&
      !rest.some((word) => words.before.has(word) || words.joining.has(word) || words.direction.has(word)) &&
      parts.some((each) => each !== part && index.called(each).includes(found.place))
    );
  }

  /** Whether the name belongs to what was found: "Bern" in "Bern-Belp Airport", or the canton in "Spiez, Bern". */
  function isPartOfName(name: string, found: Geocoded): boolean {
    if (found.kind !== "place" && found.kind !== "site") return false;
    const place = found.kind === "place" ? found.place : found.town;
    if (isQualifier(name) && index.satisfies(place, name)) return true;
    const names = namesOf(found.kind === "place" ? place : found.site);
    return names.some((each) => ` ${fold(each)} `.includes(` ${name} `));
  }

  function areApart(one: Geocoded, other: Geocoded): boolean {
    const [from, to] = [positionOf(one), positionOf(other)];
    return from !== undefined && to !== undefined && crowFliesKm(from, to) > TOGETHER_KM;
  }

  /** The place within "please pick me up at Zurich Airport, arrivals". */
  function framedName(text: string, { known }: Named): Geocoded | undefined {
    for (const { text: within, needsSite } of withoutFraming(text, words)) {
      const { exact } = namedBy(within);
      if (!exact || (needsSite && exact.kind === "place" && !isSite(exact.place))) continue;
      // "Au" in "Au Zürich HB" is a French word or a village in the canton.
      return known && areApart(exact, known) ? choiceOf([known, exact]) : exact;
    }
    return undefined;
  }

  /** "We land at Zurich" may mean the airport. */
  function flightTo(text: string): Geocoded | undefined {
    if (
      !fold(text)
        .split(/[ ,]/)
        .some((word) => words.flight.has(word))
    )
      return undefined;
    const towns = namedWithin(text);
    const airports = towns.some(isSite) ? [] : airportsOf(towns, index);
    return airports.length > 0 ? { ...unclear([...airports, ...towns]), areSimilar: true } : undefined;
  }

  function placesOfPostcode(text: string): Geocoded | undefined {
    const postcode = words.postcodeIn(fold(text));
    const places = postcode ? data.places.filter((place) => !isSite(place) && place.postcodes.includes(postcode)) : [];
    const ids = new Set(places.map(({ id }) => id));
    const [only, ...others] = places.filter(({ partOf }) => !ids.has(partOf ?? ""));
    if (!only || others.length > 0) return only && unclear([only, ...others]);
    return { kind: "place", place: only, isOnlyTownKnown: true };
  }

  /** Both ends of a journey in one text, as a question. */
  function journeyIn(text: string): Geocoded | undefined {
    const gaps = [...text.matchAll(words.betweenEnds)];
    if (gaps.length > MOST_DIRECTIONS) return undefined;
    for (const [number, { 0: gap, index: at }] of gaps.entries()) {
      const start = endNamed(text.slice(0, at)).exact;
      if (!start || !positionOf(start)) continue;
      const all = endNamed(text.slice(at + gap.length));
      const end = all.exact ?? endNamed(text.slice(at + gap.length, gaps[number + 1]?.index)).exact ?? all.known;
      if (end && areApart(start, end)) return choiceOf([start, end]);
    }
    return undefined;
  }

  /** What a text names, if necessary without the words around the name. */
  function endNamed(text: string): Named {
    let named = namedBy(text);
    for (const unframed of withoutFraming(text, words)) if (!named.exact) named = namedBy(unframed.text);
    return named;
  }

  function positionOf(geocoded: Geocoded): Position | undefined {
    if (geocoded.kind === "place") return geocoded.place;
    return geocoded.kind === "site" ? geocoded.site : undefined;
  }

  function choiceOf(several: readonly Geocoded[]): Geocoded {
    const candidates = several.flatMap((each) => {
      if (each.kind === "place") return [unambiguousName(each.place)];
      return each.kind === "site" ? [each.label] : [];
    });
    return { kind: "unclear", candidates, areSimilar: true };
  }

  function farCity(text: string): Geocoded | undefined {
    const parts = partsOf(fold(text));
    const withoutPostcodes = parts.flatMap((part) => withoutPostcode(part, index));
    const spellings = [parts, parts.map(withoutStationWord), parts.map(withoutAirportWord), withoutPostcodes];
    const city = spellings.map(farCityOf).find((found) => found !== undefined);
    return city && { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
  }

  function misspelledName(text: string): Geocoded {
    const { near, meant, isShort } = misspelled(partsOf(fold(text)).join(" "));
    return { ...unclear(near, false, meant), ...(isShort && { areSimilar: true }) };
  }

  function nameAtAnEnd(text: string): Geocoded | undefined {
    const places = contained(piecesIn(text));
    if (places.length === 0) return undefined;
    return withFoundCandidates(splitAtTown(text, places), places);
  }

  function piecesIn(text: string): readonly string[] {
    return piecesOf(partsOf(fold(text)), index);
  }

  /** "Rudolfstetten, Aesch - Valloire" reads as an address, but when it is sent back as a journey. */
  function withFoundCandidates(split: Geocoded, towns: readonly PlaceEntry[]): Geocoded {
    if (split.kind !== "unclear" || split.areSimilar || split.candidates.length === 0) return split;
    const candidates = split.candidates.filter(isFound);
    return candidates.length > 0 ? { ...split, candidates } : { ...unclear(towns), areSimilar: true };
  }

  function isFound(text: string): boolean {
    return ["place", "site"].includes(geocode(text).kind);
  }

  /** "Sheraton Malpensa Airport Hotel" names an airport between other words, "25hours Hotel Zürich West" a quarter. */
  function amongOtherWords(text: string): Geocoded | undefined {
    const named = namedWithin(text).filter(isSite);
    if (named.length > 0) return { ...unclear(named), areSimilar: true };
    const beside = sites.atAnEnd(text).flatMap(geocodedSite);
    return beside.length > 0 ? choiceOf(beside.slice(0, MOST_CANDIDATES)) : undefined;
  }

  /** A single candidate that lacks a word of the text may be another place: the traveler has to choose. */
  function asQuestion(text: string, geocoded: Geocoded | undefined): Geocoded | undefined {
    if (geocoded?.kind !== "unclear") return geocoded;
    const [only, ...others] = geocoded.candidates;
    const lacksWord =
      only !== undefined && others.length === 0 && wordCount(only) < wordCount(withSiteWords(text, words));
    return lacksWord ? { ...geocoded, areSimilar: true } : geocoded;
  }

  /** How many words name the place: "Gare de Genève, Switzerland" has two. */
  function wordCount(text: string): number {
    const pieces = piecesIn(text).filter((piece) => !isQualifier(piece));
    return siteOrName(pieces.join(" ")).split(" ").length;
  }

  /** The site that a text names; candidates where it names several, or has a similar name. */
  function siteIn(text: string): Geocoded | undefined {
    const found = sites.find(text);
    if (found.by === "kind" || isSiteWord(fold(text))) return { kind: "unclear", candidates: [], needsTown: true };
    const [site, ...others] = found.sites;
    if (!site) return undefined;
    if (found.by === "name" && others.length === 0) return geocodedSite(site)[0];
    const labels = found.sites.map(sites.labelOf);
    const isSpelledOtherwise = found.by === "misspelled name" || found.by === "similar name";
    const candidates = [...(isSpelledOtherwise ? misspelledPlace(text) : []), ...labels].slice(0, MOST_CANDIDATES);
    const areSimilar = found.by === "name without town" || found.by === "similar name";
    return { kind: "unclear", candidates, ...(areSimilar && { areSimilar }) };
  }

  /** The sites as long as there are several. */
  function severalOf(found: readonly Site[]): readonly Geocoded[] {
    return found.length > 1 ? found.slice(0, MOST_CANDIDATES).flatMap(geocodedSite) : [];
  }

  function geocodedSite(site: Site): readonly Geocoded[] {
    const town = byId(site.town);
    return town ? [{ kind: "site", site, town, label: sites.labelOf(site) }] : [];
  }

  /** "Chamonix Montblanc" is as near to the name of the town as to that of a hotel. */
  function misspelledPlace(text: string): readonly string[] {
    const meant = misspelledName(text);
    return meant.kind === "unclear" && !meant.areSimilar ? meant.candidates : [];
  }

  /** The airports or stations of a text whose word for them is misspelled, so that none counts as a hotel in the town. */
  function atMisspelledSite(text: string): Geocoded | undefined {
    const spelled = withSiteWords(text, words);
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
      if (read(part)) return [];
      const name = partsOf(fold(part)).join(" ");
      const { near } = misspelled(name);
      return (near.length > 0 ? near : misspelledTwice(name)).map(({ name }) =>
        parts.map((each, other) => (other === position ? name : each.trim())).join(", "),
      );
    });
    return texts.filter((each) => geocodeKnown(each)?.kind === "place" && isFound(each)).slice(0, MOST_CANDIDATES);
  }

  /** All places that the words of a text name. */
  function namedWithin(text: string): readonly PlaceEntry[] {
    const named = namesInWords(text).flatMap((meanings) => meanings.flatMap(({ name }) => index.called(fold(name))));
    return [...new Set(named)];
  }

  /** Every place that the text could mean, including those with this local name. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...index.calledLocally(fold(text))];
  }

  /**
   * What each name in a label may mean: that of the whole label, if it is one, and those of its words. Words around a
   * name count: "Pick up Nancy" names no town.
   */
  function namesIn(written: string): readonly NameMeanings[] {
    const label = firstWordsOf(written.trim());
    const whole = () => {
      const { known, site } = namedBy(label);
      const city = known || site ? undefined : farCity(label);
      return city?.kind === "outside" ? [city] : placesNamed(label);
    };
    return [work.within(MOST_STEPS, whole, () => []), ...namesInWords(label)];
  }
}
/** Whether something was found, or a question that says what to add. */
function isAnswer(meant: Geocoded | undefined): meant is Geocoded {
  return meant !== undefined && (meant.kind !== "unclear" || meant.candidates.length > 0 || meant.needsTown === true);
}

/** As much of a text as is read. */
function firstWordsOf(text: string): string {
  const last = [...text.matchAll(WORD)][MOST_WORDS - 1];
  const end = last === undefined ? text.length : last.index + last[0].length;
  return /[\p{L}\p{N}]/u.test(text.slice(end)) ? text.slice(0, end) : text;
}

export type Gazetteer = ReturnType<typeof createGazetteer>;
