import type { PlaceData } from "../../catalog/load-places.ts";
import type { PlaceEntry, Site } from "../../catalog/places-schema.ts";
import { airportsOf, piecesOf, withoutPostcode } from "../addresses/address.ts";
import { crowFliesKm, type Position } from "../geo.ts";
import { firstWordsOf, withoutFraming } from "./framing.ts";
import {
  createKnownPlaces,
  type Geocoded,
  isAnswer,
  MOST_CANDIDATES,
  MOST_NAME_PARTS,
  positionOf,
} from "./known-places.ts";
import { fold, partsOf } from "./names.ts";
import { createNamesApart } from "./names-apart.ts";
import { createNamesInLabel, type NameMeanings } from "./names-in-label.ts";
import { createNearMisses, withSiteWords } from "./near-misses.ts";
import { createPlaceIndex, isSite } from "./place-index.ts";
import { READINGS, type ReadingName } from "./readings.ts";
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
/** A text that takes more steps is a question; none of a thousand that people would write takes 700. */
const MOST_STEPS = 1_000;
type Reader = (text: string, named: Named) => Geocoded | undefined;

/** The embedded places by name. A guess is returned as a candidate and never accepted. */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const { misspelled, misspelledTwice, contained, inPostcode } = createNearMisses(index);
  const sites = createSites(data.sites, index);
  const { namesIn: namesInWords, namesInLabel, namesOfSitesIn, mentionsIn } = createNamesInLabel(index, data.sites);
  const knownPlaces = createKnownPlaces(index, (name) => sites.called(name).length > 0);
  const { read, geocodeKnown, unclear, unambiguousName, farCityOf, placesOfPostcode } = knownPlaces;
  const { withoutNameElsewhere, geocodedSite } = createNamesApart(index, sites, mentionsIn, knownPlaces, choiceOf);
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

  function choiceOf(several: readonly Geocoded[]): Geocoded {
    const candidates = several.flatMap((each) => {
      if (each.kind === "place") return [unambiguousName(each.place)];
      return each.kind === "site" ? [each.label] : [];
    });
    return { kind: "unclear", candidates: [...new Set(candidates)].slice(0, MOST_CANDIDATES), areSimilar: true };
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
    return beside.length > 0 ? choiceOf(beside) : undefined;
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
  function namesIn(written: string, position: Position): readonly NameMeanings[] {
    const label = firstWordsOf(written.trim());
    const whole = () => {
      const { known, site } = namedBy(label);
      const city = known || site ? undefined : farCity(label);
      if (namesOfSitesIn(label, position).includes(fold(label))) return [];
      return city?.kind === "outside" ? [city] : placesNamed(label);
    };
    return [work.within(MOST_STEPS, whole, () => []), ...namesInLabel(written, position)];
  }
}
export type Gazetteer = ReturnType<typeof createGazetteer>;
