import type { PlaceData } from "../../catalog/load-places.ts";
import type { PlaceEntry, Site } from "../../catalog/places-schema.ts";
import { piecesOf, withoutPostcode } from "../addresses/address.ts";
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

/**
 * The embedded places by name. Tried in this order: IATA code, alone or beside a name; exact name or alias after
 * folding, comma parts in any order; the name of a site; both ends of a journey; all of these without the words around a
 * name; "hotel or street, place", where country, canton or postcode select among places of the same name; the same
 * without the word for "station", for towns whose station is no place of its own; far cities; an address and its only
 * town without a comma; near misses, which are returned as candidates and never accepted.
 */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const nearMisses = createNearMisses(index);
  const sites = createSites(data.sites, index);
  const { namesIn: namesInWords, mentionsIn } = createNamesInLabel(index);
  const knownPlaces = createKnownPlaces(index, (name) => sites.called(name).length > 0);
  const { read, geocodeKnown, unclear, unambiguousName, farCityOf } = knownPlaces;
  const splitAtTown = createSplitAtTown(knownPlaces, index.words, namedWithin);
  const towns = data.places.filter((place) => !isSite(place));

  const { byId, isQualifier, areaSatisfies, work, words } = index;
  const { isSiteWord, siteOrName, withoutAirportWord, withoutStationWord } = words;
  return { geocode, placesNamed, namesIn, towns, byId, isQualifier, areaSatisfies, words };

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
    const named = namedBy(text);
    return named.exact ?? journeyIn(text) ?? framed(text, named);
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

  /** What a text that is not exactly a name may mean. */
  function roughly(text: string, { known, site }: Named): Geocoded {
    return site ?? asQuestion(text, atMisspelledSite(text) ?? known ?? geocodeNear(text));
  }

  /** The place within "please pick me up at Zurich Airport, arrivals". */
  function framed(text: string, named: Named): Geocoded {
    const unframed = withoutFraming(text, words).map((each) => ({ ...each, named: namedBy(each.text) }));
    for (const { named: within, needsSite } of unframed) {
      const { exact } = within;
      if (!exact || (needsSite && exact.kind === "place" && !isSite(exact.place))) continue;
      // "Au" in "Au Zürich HB" is a French word or a village in the canton.
      return named.known && areApart(exact, named.known) ? choiceOf([named.known, exact]) : exact;
    }
    const rough = roughly(text, named);
    const isUnknown = rough.kind === "unclear" && rough.candidates.length === 0;
    const [within] = unframed.slice(-1);
    return within && isUnknown ? roughly(within.text, within.named) : rough;
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

  /** A far city, or what a text that names no place may have meant. */
  function geocodeNear(text: string): Geocoded {
    const parts = partsOf(fold(text));
    const spellings = [
      parts.map(withoutStationWord),
      parts.map(withoutAirportWord),
      parts.flatMap((part) => withoutPostcode(part, index)),
    ];
    const city = [parts, ...spellings].map(farCityOf).find((found) => found !== undefined);
    if (city) return { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
    const near = nearMisses(parts, piecesOf(parts, index));
    if (near.isBesideMore) return withFoundCandidates(splitAtTown(text, near.places), near.places);
    if (near.places.length === 0) return withCorrection(text);
    return { ...unclear(near.places, false, near.names), ...(near.areSimilar && { areSimilar: true }) };
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

  function withCorrection(text: string): Geocoded {
    const candidates = corrected(text);
    return candidates.length > 0
      ? { kind: "unclear", candidates }
      : (amongOtherWords(text) ?? { kind: "unclear", candidates });
  }

  /** "Sheraton Malpensa Airport Hotel" names an airport between other words, "25hours Hotel Zürich West" a quarter. */
  function amongOtherWords(text: string): Geocoded | undefined {
    const named = namedWithin(text).filter(isSite);
    if (named.length > 0) return { ...unclear(named), areSimilar: true };
    const beside = sites.atAnEnd(text).flatMap(geocodedSite);
    return beside.length > 0 ? choiceOf(beside.slice(0, MOST_CANDIDATES)) : undefined;
  }

  /** A single candidate that lacks a word of the text may be another place: the traveler has to choose. */
  function asQuestion(text: string, geocoded: Geocoded): Geocoded {
    if (geocoded.kind !== "unclear") return geocoded;
    const [only, ...others] = geocoded.candidates;
    const lacksWord =
      only !== undefined && others.length === 0 && wordCount(only) < wordCount(withSiteWords(text, words));
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

  function geocodedSite(site: Site): readonly Geocoded[] {
    const town = byId(site.town);
    return town ? [{ kind: "site", site, town, label: sites.labelOf(site) }] : [];
  }

  /** "Chamonix Montblanc" is as near to the name of the town as to that of a hotel. */
  function misspelledPlace(text: string): readonly string[] {
    const near = nearMisses(partsOf(fold(text)), []);
    return near.isBesideMore || near.areSimilar ? [] : unclear(near.places, false, near.names).candidates;
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
      const near = nearMisses(partsOf(fold(part)), []);
      if (near.isBesideMore || read(part)) return [];
      return near.places.map(({ name }) =>
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
      const named = namedBy(label);
      const geocoded = named.exact ?? roughly(label, named);
      return geocoded.kind === "outside" ? [geocoded] : placesNamed(label);
    };
    return [work.within(MOST_STEPS, whole, () => []), ...namesInWords(label)];
  }
}
/** As much of a text as is read. */
function firstWordsOf(text: string): string {
  const last = [...text.matchAll(WORD)][MOST_WORDS - 1];
  const end = last === undefined ? text.length : last.index + last[0].length;
  return /[\p{L}\p{N}]/u.test(text.slice(end)) ? text.slice(0, end) : text;
}

export type Gazetteer = ReturnType<typeof createGazetteer>;
