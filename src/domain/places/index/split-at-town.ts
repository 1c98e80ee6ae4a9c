import type { PlaceEntry } from "../../catalog/places-schema.ts";
import { crowFliesKm } from "../geo.ts";
import { type Geocoded, type KnownPlaces, MOST_CANDIDATES } from "./known-places.ts";
import { fold, partsOf } from "./names.ts";
import { isSite, namesOf } from "./place-index.ts";
import type { Words } from "./words.ts";

/** Two towns in one text that lie farther apart are different places. */
export const TOGETHER_KM = 15;
/**
 * Reads "Inselspital Bern" and "Lausanne EPFL" as if there were a comma between the town and the rest. `namedWithin`
 * finds all places that the words of a text name.
 */
export function createSplitAtTown(
  { geocodeKnown, unclear }: KnownPlaces,
  { siteOrName, joining, area, article, of, prefix, streetBefore, streetAfter }: Words,
  namedWithin: (text: string) => readonly PlaceEntry[],
) {
  return splitAtTown;

  function splitAtTown(text: string, towns: readonly PlaceEntry[]): Geocoded {
    const names = new Set(towns.flatMap(namesOf).map(siteOrName));
    const found = new Map<PlaceEntry, { readonly candidate: string; readonly geocoded: Geocoded }>();
    /** Towns whose name stands after a prefix. */
    const renamed = new Set<PlaceEntry>();
    let doubtful: Geocoded | undefined;
    let isQuestion = false;
    for (const { index: gap } of text.matchAll(/(?<!,)\s+(?!,)/g)) {
      const [before, after] = [text.slice(0, gap), text.slice(gap).trim()];
      const first = fold(after).split(" ")[0] ?? "";
      const joinsAfter = isJoining(before) || isArea(before);
      const joinsBefore = joining.has(first) || isArea(after);
      // Decided at once: "Thun near Les, Deux Alpes" would read as an address.
      if ((joinsAfter && names.has(siteOrName(after))) || (joinsBefore && names.has(siteOrName(before))))
        return questionOf(text, towns);
      const isApart = joinsAfter || joinsBefore || isStreet(before, after, towns);
      isQuestion ||= isApart;
      if (endsWithPrefix(before)) for (const town of towns) if (isCalled(town, after)) renamed.add(town);
      if (isApart || endsWithPrefix(before)) continue;
      const candidate = `${before.replace(/\s+(?:in|im|at|en|à|a)$/i, "")}, ${after}`;
      const geocoded = geocodeKnown(candidate);
      if (
        geocoded?.kind === "place" &&
        towns.includes(geocoded.place) &&
        !renamed.has(geocoded.place) &&
        !found.has(geocoded.place)
      )
        found.set(geocoded.place, { candidate, geocoded });
      // "Airport hotel Geneva" may be at the airport or in the city.
      if (geocoded?.kind === "unclear" && geocoded.isOnlyTownKnown && geocoded.candidates.length > 1)
        doubtful ??= { ...geocoded, areSimilar: true };
    }
    const [[town, only] = []] = found;
    if (!town || !only) return doubtful ?? (isQuestion ? questionOf(text, towns) : { kind: "unclear", candidates: [] });
    if (found.size === 1) {
      // "Guarda Val Lugano" may be in either town, however the text has to be split.
      if (towns.some((other) => crowFliesKm(town, other) > TOGETHER_KM)) return { ...unclear(towns), areSimilar: true };
      // The Hotel Pilatus is called after the mountain, wherever it stands.
      const [kind = "", name = ""] = partsOf(fold(only.candidate));
      const isCalledAfter = kind === "hotel" && !town.main && fold(town.name) !== name;
      return isCalledAfter ? { ...unclear([town]), areSimilar: true } : only.geocoded;
    }
    // With a comma in it already, the text is no address in either town: "pick-up Zürich HB, drop-off Lucerne".
    if (text.includes(",") && [...found.keys()].some((other) => crowFliesKm(town, other) > TOGETHER_KM))
      return { ...unclear([...found.keys()]), areSimilar: true };
    const candidates = [...found.values()].map(({ candidate }) => candidate);
    return { kind: "unclear", candidates: candidates.slice(0, MOST_CANDIDATES) };
  }

  /** Whether "New" or "Lower La" stands before the name of a town. */
  function endsWithPrefix(before: string): boolean {
    return prefix.has(withoutLast(before, article).at(-1) ?? "");
  }

  function isJoining(before: string): boolean {
    const words = withoutLast(before, of);
    return joining.has(words.at(-1) ?? "") || joining.has(words.slice(-2).join(" "));
  }

  function isCalled(town: PlaceEntry, name: string): boolean {
    return namesOf(town).some((each) => siteOrName(each) === siteOrName(name));
  }

  /** "A hotel near Bern" and "Lake Geneva" name no place, but the towns in the text show where it is. */
  function questionOf(text: string, towns: readonly PlaceEntry[]): Geocoded {
    const named = namedWithin(text);
    return { ...unclear(named.length > 0 ? named : towns), areSimilar: true };
  }

  /** Whether the text is "Via" or "Route de" before the name of a town, or such a name before "Street 5". */
  function isStreet(before: string, after: string, towns: readonly PlaceEntry[]): boolean {
    const names = towns.filter((town) => !isSite(town)).flatMap((town) => namesOf(town).map(fold));
    const [street = "", ...articles] = fold(before).split(" ");
    const [word = ""] = fold(after).split(" ");
    if (streetAfter.has(word)) return names.includes(fold(before));
    // "CH Bern" is in Switzerland; only before an article does "Ch" stand for "Chemin".
    return (
      streetBefore.has(street) &&
      (articles.length > 0 || street.length > 2) &&
      articles.every((article) => article.length <= 2) &&
      names.includes(fold(after).replace(/ \d+$/, ""))
    );
  }

  /** Whether the text is "Lake" or "Lago di", which with the name of a town names no place in it. */
  function isArea(text: string): boolean {
    const [word = "", ...others] = (partsOf(fold(text))[0] ?? "").split(" ");
    return area.has(word) && others.every((other) => other.length <= 2 || other === "of");
  }
}

/** The words of a text up to the last that is none of these: "a cote" of "à côté de". */
function withoutLast(text: string, without: ReadonlySet<string>): readonly string[] {
  const words = fold(text).split(" ");
  return words.slice(0, words.findLastIndex((word) => !without.has(word)) + 1);
}
