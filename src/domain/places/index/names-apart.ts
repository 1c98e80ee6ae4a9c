import type { Site } from "../../catalog/places-schema.ts";
import { crowFliesKm, type Position } from "../geo.ts";
import { type Geocoded, type KnownPlaces, positionOf } from "./known-places.ts";
import { fold, partsOf } from "./names.ts";
import type { createNamesInLabel } from "./names-in-label.ts";
import { namesOf, type PlaceIndex } from "./place-index.ts";
import type { createSites } from "./sites.ts";
import { TOGETHER_KM } from "./split-at-town.ts";

/** Shorter names are also words and abbreviations. */
const SHORTEST_NAME = 4;

/** Compares what was found with the other full names in the text. */
export function createNamesApart(
  index: PlaceIndex,
  sites: ReturnType<typeof createSites>,
  mentionsIn: ReturnType<typeof createNamesInLabel>["mentionsIn"],
  { toTheLetter }: KnownPlaces,
  choiceOf: (several: readonly Geocoded[]) => Geocoded,
) {
  const { byId, isQualifier, words } = index;

  return { withoutNameElsewhere, geocodedSite };

  /** What was found, or a question where the text names something else that lies apart from it. */
  function withoutNameElsewhere(text: string, found: Geocoded): Geocoded {
    const at = positionOf(found);
    if (!at) return found;
    const elsewhere = mentionsIn(text, (name) => everythingCalled(name, text)).filter(
      ({ name, meanings }) =>
        meanings.every((meaning) => crowFliesKm(meaning.at, at) > TOGETHER_KM) &&
        !isPartOfName(name, found) &&
        !isNameOfBuilding(name, text, found),
    );
    const named = elsewhere.flatMap(({ meanings }) => meanings.flatMap(({ geocoded }) => geocoded ?? []));
    return elsewhere.length > 0 ? choiceOf([found, ...named]) : found;
  }

  /** All places, sites and far cities of a name in a text. */
  function everythingCalled(
    name: string,
    text: string,
  ): readonly { readonly at: Position; readonly geocoded?: Geocoded }[] {
    const city = index.farCity(name);
    const places = name.length < SHORTEST_NAME || words.ordinary.has(name) ? [] : toTheLetter(text, index.called(name));
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

  function geocodedSite(site: Site): readonly Geocoded[] {
    const town = byId(site.town);
    return town ? [{ kind: "site", site, town, label: sites.labelOf(site) }] : [];
  }
}
