import type { FarCity, PlaceEntry, Site } from "../catalog/places-schema.ts";
import type { Addresses } from "./addresses.ts";
import { crowFliesKm, type Position } from "./geo.ts";
import { isCity, isPlace, isSite, isSpot, type Known, type Locations } from "./locations.ts";
import { fold, MOST_NAME_WORDS, namesOf, partsOf } from "./names.ts";
import type { Found, Location } from "./place-finder.ts";
import type { PlaceIndex } from "./place-index.ts";
import type { Sites } from "./sites.ts";

/** A name within a text, folded, and what it may mean. */
interface Mention {
  readonly name: string;
  readonly meanings: readonly (Known | FarCity)[];
}

/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** Two names in one text that lie farther apart are different places. */
const TOGETHER_KM = 15;
/** A site and another one, a station or an airport are different places already this far apart: "ETH, Oerlikon". */
const SPOTS_TOGETHER_KM = 2;
/** A position this near to a site may be in it: about 2 km. */
const SITE_DEGREES = 0.02;
/** What stands between a name and others: no title belongs to the name in the bracket of "Frau (Zermatt)". */
const BORDERS = /[^\p{L}\p{M}\p{N}\s.'’&-]+|\s-\s/gu;

export type OtherNames = ReturnType<typeof createOtherNames>;

/** Finds the full names within texts and labels, and compares what a text was read as with them. */
export function createOtherNames(index: PlaceIndex, { byId }: Locations, sites: Sites, addresses: Addresses) {
  const { called, calledLocally, farCity, isQualifier, satisfies, toTheLetter, words: listed } = index;
  const { asking, candidateOf, candidatesOf } = addresses;

  const areApart = (one: Position, other: Position) => crowFliesKm(one, other) > TOGETHER_KM;
  /** Whether the word says that the name of a town beside it may be that of a building or a street. */
  const isOfBuilding = (word: string) => listed.generic.has(word) || /\d/.test(word);
  /** Whether the word belongs to names of people or companies: "Frau", "von", "AG". */
  const isForm = (word: string) => [listed.title, listed.company, listed.article].some((role) => role.has(word));
  const isUnknownName = (word: string) => /^\p{L}+$/u.test(word) && called(word).length === 0 && !farCity(word);

  return { withNamesElsewhere, areApart, placesIn, sitesIn, cityAtStart, namesInLabel };

  /** A question with all full names of a text where two of them lie apart; otherwise what was found. */
  function withNamesElsewhere(text: string, location: Location): Location {
    const found = location.kind === "found" ? location : undefined;
    const all = mentionsIn(text, everythingCalledIn(text));
    const isWay = all.some((each, at) => isJourney(each, all[at + 1], fold(text), found?.isOnlyTownKnown));
    const isElsewhere = (each: Mention) =>
      found
        ? isApart(each, found.place, found.place.isSite === true)
        : !each.meanings.some(isCity) &&
          all.some((other) => other.meanings.every((at) => !isCity(at) && isApart(each, at, isSite(at))));
    const mentions = all.filter(
      (each) => !found || !isElsewhere(each) || !(isPartOfName(each.name, found) || isBuilding(each.name, text, found)),
    );
    if (!isWay && !mentions.some(isElsewhere)) return location;
    const isUnnamed = found && mentions.every((each) => isApart(each, found.place, false));
    const meant = mentions.flatMap(({ meanings }) => meanings);
    const named = meant.flatMap((known) => (isCity(known) ? [] : candidateOf(known)));
    return asking([...(isUnnamed ? candidatesOf(found) : []), ...named], "similar");
  }

  /**
   * Whether the text is a way from one town or station to the next, "de Vevey à Montreux", names an area by both, "Skigebiet
   * Arosa Lenzerheide", or may correct one by the next, with unknown words between: "Interlaken, ich meinte Iseltwald".
   */
  function isJourney(from: Mention, to: Mention | undefined, folded: string, isOnlyTownKnown = false): boolean {
    const spotsOf = (each?: Mention) => each?.meanings.filter(isPlace).map(isSpot) ?? [];
    const areAlike = spotsOf(from).some((isOne) => spotsOf(to).includes(isOne));
    if (!to || !areAlike || to.meanings.some((known) => from.meanings.includes(known))) return false;
    if (isOnlyTownKnown && hasWords(folded, `${from.name} ${to.name}`)) return true;
    if ([...listed.direction].some((word) => hasWords(folded, `${from.name} ${word} ${to.name}`))) return true;
    if (!isOnlyTownKnown || !folded.startsWith(from.name) || !folded.endsWith(to.name)) return false;
    const between = wordsOf(folded.slice(from.name.length, -to.name.length).replaceAll(",", " "));
    return between.some((word) => !listed.isListed(word)) && !between.some(isOfBuilding);
  }

  function isApart({ meanings }: Mention, from: Position, isFromSite: boolean): boolean {
    return meanings.every(
      (known) => crowFliesKm(known, from) > (isFromSite && isSpot(known) ? SPOTS_TOGETHER_KM : TOGETHER_KM),
    );
  }

  /** All places that the words of a text name. */
  function placesIn(text: string): readonly PlaceEntry[] {
    return [...new Set(mentionsIn(text, placesCalled).flatMap(({ meanings }) => meanings))];
  }

  /** The sites that the words of a text name. */
  function sitesIn(text: string): readonly Site[] {
    return mentionsIn(text, sitesCalled).flatMap(({ meanings }) => meanings);
  }

  /** The far city that a comma part begins with, in a text that names nothing else: "London Heathrow T5". */
  function cityAtStart(text: string): FarCity | undefined {
    const all = mentionsIn(text, everythingCalledIn(text));
    const cities = all.map(({ meanings }) => meanings.find(isCity));
    const begins = partsOf(fold(text)).some((part) => all.some(({ name }) => `${part} `.startsWith(`${name} `)));
    return begins && cities.every(Boolean) ? cities[0] : undefined;
  }

  /**
   * What each name in the label of a position may mean, without names of people and companies ("Frau Morel", "Romont AG"),
   * and those within the name of a site at the position ("Art Deco Hotel Montana"). Alone also a short name counts.
   */
  function namesInLabel(label: string, position: Position): readonly (readonly (PlaceEntry | FarCity)[])[] {
    const parts = partsOf(fold(label.replace(BORDERS, ",")));
    const isOfSite = isOfSiteAt(label, position);
    const meaningsOf = (name: string) => {
      if (name === parts.join(" ")) return [...called(name), ...calledLocally(name), farCity(name) ?? []].flat();
      return name.length < SHORTEST_NAME ? [] : [...placesCalled(name), ...calledLocally(name), ...cityCalled(name)];
    };
    const named = mentionsIn(listed.withoutLake(label), meaningsOf).filter(({ name }) => {
      const own = parts.filter((part) => hasWords(part, name));
      return !isOfSite(name) && (own.length === 0 || !own.every((part) => isOfSomebody(name, part)));
    });
    return named.map(({ meanings }) => meanings);
  }

  /** Whether a folded name is a part of the name of a site at the position, which stands in the label. */
  function isOfSiteAt(label: string, { lat, lng }: Position): (name: string) => boolean {
    const near = sites.all.filter((site) => Math.abs(site.lat - lat) + Math.abs(site.lng - lng) < SITE_DEGREES);
    const named = near.flatMap((site) => namesOf(site).map(fold)).filter((name) => hasWords(fold(label), name));
    return (name) => named.some((site) => hasWords(site, name));
  }

  /** The names in a text, the longest from the left: "via Zermatt", "Zermatt/Davos Platz". */
  function mentionsIn<T>(text: string, meaningsOf: (name: string) => readonly T[]) {
    const found: { readonly name: string; readonly meanings: readonly T[] }[] = [];
    // The canton in "Spiez, Bern" is no second place.
    for (const part of partsOf(fold(text)).filter((each, at) => at === 0 || !isQualifier(each))) {
      const words = part.split(" ");
      for (let at = 0, next = 0; at < words.length; at = next) {
        next = at + 1;
        for (let to = Math.min(at + MOST_NAME_WORDS, words.length); to > at; to -= 1) {
          const name = words.slice(at, to).join(" ");
          const meanings = meaningsOf(name);
          if (meanings.length === 0 || isUnmeant(words, at, to)) continue;
          found.push({ name, meanings });
          // A kind of site may begin the next name as well: "Schwyz Hôpital Riviera-Chablais".
          const isShared = to - at > 1 && listed.isBareKind(listed.wordsOf(words[to - 1] ?? "").join(" "));
          next = isShared ? to - 1 : to;
          break;
        }
      }
    }
    return found;
  }

  /** Whether the words stand after "not", are the end of "Rue de Berne", or the beginning of "Zürich-Strasse". */
  function isUnmeant(words: readonly string[], at: number, to: number): boolean {
    const [street = "", article = ""] = words.slice(Math.max(0, at - 2), at);
    const isAfter = listed.streetBefore.has(street) && listed.article.has(article);
    // "via Zermatt" is no street without its number.
    const isNumbered = listed.streetBefore.has(words[at - 1] ?? "") && /^\d/.test(words[to] ?? "");
    const isStreet = isAfter || isNumbered || listed.streetAfter.has(words[to] ?? "");
    return isStreet || listed.isWithdrawn(words.slice(Math.max(0, at - MOST_NAME_WORDS), at).join(" "));
  }

  /** All places, sites and far cities of a name in a text. */
  function everythingCalledIn(text: string): (name: string) => Mention["meanings"] {
    // "Luzern, ach nein, doch lieber Zug"
    const last = partsOf(fold(text)).slice(1).at(-1) ?? "";
    const isNamed = (name: string) =>
      last.endsWith(` ${name}`) || (last.startsWith(`${name} `) && !listed.isListed(name));
    const places = (name: string) => toTheLetter(text, isNamed(name) ? called(name) : placesCalled(name));
    return (name) => [...places(name), ...sitesCalled(name), ...cityCalled(name)];
  }

  function placesCalled(name: string): readonly PlaceEntry[] {
    return name.length < SHORTEST_NAME || listed.ordinary.has(name) ? [] : called(name);
  }

  function cityCalled(name: string): readonly FarCity[] {
    const city = listed.ordinary.has(name) ? undefined : farCity(name);
    return city ? [city] : [];
  }

  /** The sites of a name; a filler at its end may begin another name, as in "Schatzalp, La Punt". */
  function sitesCalled(name: string): readonly Site[] {
    const ends = name.split(" ");
    const isCut = [ends[0], ends.at(-1)].some((word) => listed.filler.has(word ?? ""));
    return sites.called(name).filter((site) => !isCut || namesOf(site).some((each) => fold(each) === name));
  }

  /**
   * Whether the name of a town is that of a building, by other words in its comma part beside that of the town that was
   * found: "Hotel Lugano, Davos", but not "near Lugano, Davos".
   */
  function isBuilding(name: string, text: string, { place }: Found): boolean {
    if (place.isSite || !called(name).some((each) => !isSpot(each))) return false;
    const parts = partsOf(fold(text));
    const [part = ""] = parts.filter((each) => hasWords(each, name));
    const rest = wordsOf(part.replace(name, ""));
    // "Zürich, actually Bern" names no building.
    const towns = rest.some(isOfBuilding) ? parts : parts.slice(parts.indexOf(part));
    const near = [listed.before, listed.joining, listed.direction];
    const isNear = rest.some((word) => near.some((role) => role.has(word)));
    const isBesideTown = towns.some((each) => each !== part && called(each).some(({ id }) => id === place.id));
    return rest.length > 0 && !isNear && isBesideTown;
  }

  /** Whether the name is a part of a longer one of what was found: "Bern" in "Bern-Belp Airport". */
  function isPartOfName(name: string, { place: { id, lat, lng, isSite } }: Found): boolean {
    const found = isSite ? sites.all.find((site) => site.lat === lat && site.lng === lng) : byId(id ?? "");
    // "Neunkirch" is the whole name of Neuenkirch where it is folded, but not meant by it.
    return found !== undefined && namesOf(found).some((each) => fold(each) !== name && hasWords(fold(each), name));
  }

  /**
   * Whether the name in a part of a label is that of a person or a company: after a title or before the form of a company,
   * where every other word is an unknown name ("Dr. med. Anna Morel").
   */
  function isOfSomebody(name: string, part: string): boolean {
    const [before = [], after = []] = ` ${part} `.split(` ${name} `).map((side) => wordsOf(side));
    const [form = ""] = after;
    // "Wohlen AG" is in the canton of Aargau.
    const isInCanton = called(name).some((place) => isQualifier(form) && satisfies(place, form));
    const isNamed =
      before.some((word) => listed.title.has(word)) || (!isInCanton && after.some((word) => listed.company.has(word)));
    const areNames = [...before, ...after].every((word) => isForm(word) || isUnknownName(word));
    return isNamed && areNames && !wordsOf(part).some(saysPlace);
  }

  /** Whether the word says that a place is meant: "in", "Hotel", "Bahnhof". */
  function saysPlace(word: string): boolean {
    const isStreet = [...listed.streetAfter].some((street) => word.endsWith(street));
    return !isForm(word) && (listed.isListed(word) || isStreet);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

/** Whether a folded text has these words in a row. */
function hasWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}
