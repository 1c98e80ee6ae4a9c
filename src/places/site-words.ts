import { fold } from "./fold.ts";

/** Words that say which site of a town is meant: "Bahnhof Chur", "Gare de Coire" and "Chur HB" are stations. */
interface SiteWord {
  /** The word by which such a site goes in the names of places. */
  readonly site: "station" | "airport";
  readonly alone: RegExp;
  readonly before: RegExp;
  readonly after: RegExp;
  readonly within: RegExp;
}

const STATION = siteWord("station", [
  "station",
  "train station",
  "railway station",
  "main station",
  "main train station",
  "main railway station",
  "central station",
  "central train station",
  "Bahnhof",
  "Bahnhof SBB",
  "Bhf",
  "Hauptbahnhof",
  "Hbf",
  "HB",
  "gare",
  "gare centrale",
  "gare CFF",
  "stazione",
  "stazione centrale",
  "stazione FFS",
  "staziun",
  "SBB",
  "CFF",
  "FFS",
]);
const AIRPORT = siteWord("airport", [
  "airport",
  "international airport",
  "intl airport",
  "Flughafen",
  "aéroport",
  "aéroport international",
  "aeroporto",
  "aeroporto internazionale",
]);
const SITE_WORDS = [STATION, AIRPORT];

/** The one way of saying which site a folded name means: "chur station", "bern airport". */
export function siteName(folded: string): string | undefined {
  if (!folded.includes(" ")) return undefined;
  for (const word of SITE_WORDS) {
    const town = withoutWord(folded, word);
    if (town !== undefined) return `${town} ${word.site}`;
  }
  return undefined;
}

/** Whether a folded part is nothing but such a word, as in "Bahnhof, 3920 Zermatt". */
export function isSiteWord(part: string): boolean {
  return SITE_WORDS.some(({ alone }) => alone.test(part));
}

/** Whether a folded text speaks of an airport anywhere, as the names of hotels and terminals do. */
export function speaksOfAirport(folded: string): boolean {
  return AIRPORT.within.test(folded);
}

/** A folded part without the word that only says "station" in front of or behind the place's name. */
export function withoutStationWord(part: string): string {
  return withoutWord(part, STATION) ?? part;
}

/** The same without the word for "airport". */
export function withoutAirportWord(part: string): string {
  return withoutWord(part, AIRPORT) ?? part;
}

function withoutWord(folded: string, { before, after }: SiteWord): string | undefined {
  return (before.exec(folded) ?? after.exec(folded))?.[1];
}

function siteWord(site: SiteWord["site"], words: readonly string[]): SiteWord {
  // Longest first, so that no word is taken for a part of the town's name.
  const said = words
    .map(fold)
    .sort((a, b) => b.length - a.length)
    .join("|");
  return {
    site,
    alone: new RegExp(`^(?:${said})$`),
    before: new RegExp(`^(?:${said}) (?:(?:de la|de|du|des|d|di|da|of) )?(.+)$`),
    after: new RegExp(`^(.+?) (?:${said})$`),
    within: new RegExp(`(?:^| )(?:${said})(?: |$)`),
  };
}
