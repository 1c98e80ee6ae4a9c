import type { FarCity, PlaceEntry, Site } from "../catalog/places-schema.ts";
import { type Addresses, type Meaning, positionOf, type QuestionReason } from "./addresses.ts";
import { crowFliesKm, type Position } from "./geo.ts";
import { fold, MOST_NAME_WORDS, namesOf, partsOf } from "./names.ts";
import { isSite, type PlaceIndex } from "./place-index.ts";
import type { Sites } from "./sites.ts";

/** A name within a text, folded, and where it is. A far city has no meaning in the catalog. */
interface Mention {
  readonly name: string;
  readonly meanings: readonly { readonly at: Position & { readonly name: string }; readonly meaning?: Meaning }[];
}

/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** Two names in one text that lie farther apart are different places. */
const TOGETHER_KM = 15;
/** A position this near to a site may be in it: about 2 km. */
const SITE_DEGREES = 0.02;
/** What stands between a name and others: no title belongs to the name in the bracket of "Frau (Zermatt)". */
const BORDERS = /[^\p{L}\p{M}\p{N}\s.'’&-]+|\s-\s/gu;

/** Finds the full names within texts and labels, and compares what a text was read as with them. */
export function createOtherNames(index: PlaceIndex, allSites: readonly Site[], sites: Sites, addresses: Addresses) {
  const { called, calledLocally, farCity, isQualifier, satisfies, words: listed } = index;

  return { withNamesElsewhere, choiceOf, areApart, placesIn, sitesIn, namesInLabel, isOfSiteAt };

  /** A question where two full names of a text lie apart; otherwise what was found. */
  function withNamesElsewhere(text: string, found: Meaning): Meaning {
    const mentions = mentionsIn(text, (name) => everythingCalled(name, text));
    const at = positionOf(found);
    const ends = mentions.filter(
      (each, after) => isJourney(mentions[after - 1], each, text) || isJourney(each, mentions[after + 1], text),
    );
    const apart = at
      ? mentions.filter(
          (each) => isApart(each, at) && !isPartOfName(each.name, found) && !isBuilding(each.name, text, found),
        )
      : mentions.filter((each) =>
          mentions.some((other) => other.meanings.every(({ at, meaning }) => meaning && isApart(each, at))),
        );
    const elsewhere = ends.length > 0 ? ends : apart;
    if (elsewhere.length === 0 || found.kind === "outside") return found;
    const meant = mentions.flatMap((each) =>
      elsewhere.includes(each) ? each.meanings : each.meanings.filter((meaning) => meaning.at === at),
    );
    const isMentioned = meant.some((meaning) => meaning.at === at);
    const question = choiceOf([...(isMentioned ? [] : [found]), ...meant.flatMap(({ meaning }) => meaning ?? [])]);
    // A reading that asked about these and more knows more: "We land at Zurich" may mean the airport.
    const isKnown = candidatesOf(question).every((each) => candidatesOf(found).includes(each));
    return isKnown && candidatesOf(question).length < candidatesOf(found).length ? found : question;
  }

  /** Whether the text is a way from one town to the next: "de Vevey à Montreux". */
  function isJourney(from: Mention | undefined, to: Mention | undefined, text: string): boolean {
    const areTowns = [from, to].every((each) =>
      each?.meanings.some(({ meaning }) => meaning?.kind === "place" && !isSite(meaning.place)),
    );
    return areTowns && [...listed.direction].some((word) => hasWords(fold(text), `${from?.name} ${word} ${to?.name}`));
  }

  function isApart({ meanings }: Mention, from: Position): boolean {
    return meanings.every(({ at }) => crowFliesKm(at, from) > TOGETHER_KM);
  }

  function areApart(one: Meaning, other: Meaning): boolean {
    const [from, to] = [positionOf(one), positionOf(other)];
    return from !== undefined && to !== undefined && crowFliesKm(from, to) > TOGETHER_KM;
  }

  function choiceOf(several: readonly Meaning[], reason: QuestionReason = "similar"): Meaning {
    const named = several.flatMap((each) =>
      each.kind === "place" ? addresses.unambiguousName(each.place) : each.kind === "site" ? each.label : [],
    );
    return addresses.asking([...new Set(named)], reason);
  }

  /** All places that the words of a text name. */
  function placesIn(text: string): readonly PlaceEntry[] {
    return [...new Set(mentionsIn(text, placesCalled).flatMap(({ meanings }) => meanings))];
  }

  /** The sites that the words of a text name. */
  function sitesIn(text: string): readonly Meaning[] {
    return mentionsIn(text, sitesCalled).flatMap(({ meanings }) => meanings.flatMap(sites.meaningOf));
  }

  /**
   * What each name in the label of a position may mean, without names of people and companies ("Frau Morel", "Romont AG"),
   * and those within the name of a site at the position ("Art Deco Hotel Montana").
   */
  function namesInLabel(label: string, position: Position) {
    const parts = partsOf(fold(label.replace(BORDERS, ",")));
    const isOfSite = isOfSiteAt(label, position);
    const meaningsOf = (name: string) =>
      name.length < SHORTEST_NAME ? [] : [...placesCalled(name), ...calledLocally(name), ...cityCalled(name)];
    return mentionsIn(label, meaningsOf)
      .filter(({ name }) => !isOfSomebody(name, parts) && !isOfSite(name))
      .map(({ meanings }) => meanings);
  }

  /** Whether a folded name is a part of the name of a site at the position, which stands in the label. */
  function isOfSiteAt(label: string, { lat, lng }: Position): (name: string) => boolean {
    const near = allSites.filter((site) => Math.abs(site.lat - lat) + Math.abs(site.lng - lng) < SITE_DEGREES);
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
          const meanings = isStreet(words, at, to) || listed.not.has(words[at - 1] ?? "") ? [] : meaningsOf(name);
          if (meanings.length === 0) continue;
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

  /** Whether the words are the end of "Rue de Berne", or the beginning of "Zürich-Strasse". */
  function isStreet(words: readonly string[], at: number, to: number): boolean {
    const [street = "", article = ""] = words.slice(Math.max(0, at - 2), at);
    const isAfter = listed.streetBefore.has(street) && listed.article.has(article);
    return isAfter || listed.streetAfter.has(words[to] ?? "");
  }

  /** All places, sites and far cities of a name in a text. */
  function everythingCalled(name: string, text: string): Mention["meanings"] {
    return [
      ...addresses
        .toTheLetter(text, placesCalled(name))
        .map((place) => ({ at: place, meaning: { kind: "place", place, isOnlyTownKnown: false } as const })),
      ...sitesCalled(name).flatMap((site) => sites.meaningOf(site).map((meaning) => ({ at: site, meaning }))),
      ...cityCalled(name).map((city) => ({ at: city })),
    ];
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
  function isBuilding(name: string, text: string, found: Meaning): boolean {
    if (found.kind !== "place" || !called(name).some((place) => !isSite(place))) return false;
    const parts = partsOf(fold(text));
    const [part = "", ...others] = parts.filter((each) => hasWords(each, name));
    const rest = part
      .replace(name, "")
      .split(" ")
      .filter((word) => word !== "");
    return (
      others.length === 0 &&
      rest.length > 0 &&
      !rest.some((word) => listed.before.has(word) || listed.joining.has(word) || listed.direction.has(word)) &&
      parts.some((each) => each !== part && called(each).includes(found.place))
    );
  }

  /** Whether the name belongs to what was found: "Bern" in "Bern-Belp Airport", or the canton in "Spiez, Bern". */
  function isPartOfName(name: string, found: Meaning): boolean {
    if (found.kind !== "place" && found.kind !== "site") return false;
    const place = found.kind === "place" ? found.place : found.town;
    // "Neunkirch" is the whole name of Neuenkirch where it is folded, but not meant by it.
    const names = namesOf(found.kind === "place" ? place : found.site).map(fold);
    return names.some((each) => each !== name && hasWords(each, name));
  }

  /**
   * Whether the name stands beside a title or the form of a company wherever it is in the parts of a label, with at most
   * two more names between them ("Dr. med. Anna Morel"), and nothing beside it says a place.
   */
  function isOfSomebody(name: string, parts: readonly string[]): boolean {
    const own = parts.filter((part) => hasWords(part, name));
    return own.length > 0 && own.every((part) => isBesideForm(name, part));
  }

  function isBesideForm(name: string, part: string): boolean {
    const [before = [], after = []] = ` ${part} `.split(` ${name} `).map((side) => side.trim().split(" "));
    const isBeside = (side: readonly string[], forms: ReadonlySet<string>) => {
      const gap = side.slice(0, 3).findIndex((word) => forms.has(word));
      return gap >= 0 && side.slice(0, gap).every(isUnknownName);
    };
    const [form = ""] = after;
    // "Wohlen AG" is in the canton of Aargau.
    const isCompany =
      isBeside(after, listed.company) && !called(name).some((place) => isQualifier(form) && satisfies(place, form));
    const isPerson = isBeside(before.filter((word) => !listed.article.has(word)).reverse(), listed.title);
    return (isPerson || isCompany) && !part.split(" ").some(saysPlace);
  }

  function isUnknownName(word: string): boolean {
    return /^\p{L}+$/u.test(word) && called(word).length === 0 && !farCity(word);
  }

  /** Whether the word says that a place is meant: "in", "Hotel", "Bahnhof". */
  function saysPlace(word: string): boolean {
    const { before, joining, direction, area, hotel, generic, besideSite, sitesByWord, streetAfter, article } = listed;
    if (article.has(word) || listed.title.has(word)) return false;
    const roles = [before, joining, direction, area, hotel, generic, besideSite, sitesByWord];
    const isKind = listed.isBareKind(listed.wordsOf(word).join(" "));
    return isKind || roles.some((role) => role.has(word)) || [...streetAfter].some((street) => word.endsWith(street));
  }
}

/** Whether a folded text has these words in a row. */
function hasWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

function candidatesOf(meaning: Meaning): readonly string[] {
  return meaning.kind === "question" ? meaning.candidates : [];
}
