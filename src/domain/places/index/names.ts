/**
 * Folds a name so that the ways people write it become one: case, accents and umlauts (ü = ue = u), ß, hyphens, dots
 * and apostrophes, and St = Sankt = Saint. Spaces separate words; the result may be empty.
 */
export function fold(text: string): string {
  const plain = plainLetters(text).replace(/([aou])e/g, "$1");
  const shortened = plain.includes("s") ? plain.replace(/\b(sankt|saint|sainte|santa|ste)\b/g, "st") : plain;
  return (shortened.includes(",") ? shortened.replace(/ *, */g, ",") : shortened).trim();
}

/** The text in lower case without accents; everything but letters, digits and commas becomes a space. */
function plainLetters(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower.replace(/[^a-z0-9,]+/g, " ");
  const letters = lower.normalize("NFKD");
  // Names in the countries served are ASCII without their accents, and patterns over all of Unicode are slow.
  const bare = letters.replace(/[\u0300-\u036f]/g, "");
  if (PLAIN.test(bare)) return bare.replace(/[^a-z0-9,]+/g, " ");
  return letters
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/[œæ]/g, (letter) => (letter === "œ" ? "o" : "a"))
    .replace(/[^\p{L}\p{N},]+/gu, " ");
}

/** ASCII in lower case. */
const PLAIN = /^[\x20-\x40\x5b-\x7e]*$/;

/** The comma parts of a folded text, empty ones left out. */
export function partsOf(folded: string): readonly string[] {
  return folded.split(",").filter((part) => part !== "");
}

/** Words for one site of a town: "Bahnhof Chur", "Gare de Coire" and "Chur HB" are stations. */
interface SiteWord {
  /** The word in canonical names. */
  readonly site: "station" | "airport";
  readonly alone: RegExp;
  readonly before: RegExp;
  readonly after: RegExp;
  readonly within: RegExp;
}

const STATION_WORDS =
  "station, train station, railway station, main station, main train station, main railway station, central station, central train station, Bahnhof, Bahnhof SBB, " +
  "Bhf, Hauptbahnhof, Hbf, HB, gare, gare centrale, gare CFF, stazione, stazione centrale, stazione FFS, staziun, SBB, CFF, FFS";
const AIRPORT_WORDS =
  "airport, international airport, intl airport, Flughafen, aéroport, aéroport international, aeroporto, aeroporto internazionale";
const STATION = siteWord("station", STATION_WORDS);
const AIRPORT = siteWord("airport", AIRPORT_WORDS);
/** Each word of the words for sites, folded: "station", "train", "main". */
export const WORDS_FOR_SITES: ReadonlySet<string> = new Set(fold(`${STATION_WORDS}, ${AIRPORT_WORDS}`).split(/[ ,]+/));
/** A terminal at the beginning or end of a folded part. */
const TERMINAL =
  /(?:^| )(?:terminal|terminale|aerogare|t) ?\d[a-z]?$|^(?:terminal|terminale|aerogare|t) ?\d[a-z]?(?: |$)/;
const FLIGHT = /(?:^| )(?:flight|flights|landing|arriving|flug|flugnummer|vol|volo|atterraggio|private jet|fbo)(?: |$)/;
const SITE_WORDS = [STATION, AIRPORT];

/** A folded name in its canonical form, "chur station" or "bern airport"; `undefined` where it names no site. */
export function siteName(folded: string): string | undefined {
  if (!folded.includes(" ")) return undefined;
  for (const word of SITE_WORDS) {
    const town = withoutWord(folded, word);
    if (town !== undefined) return `${town} ${word.site}`;
  }
  return undefined;
}

/** A name folded, in its canonical form where it names a site. */
export function siteOrName(name: string): string {
  const folded = fold(name);
  return siteName(folded) ?? folded;
}

/** Whether a folded part is only such a word, as in "Bahnhof, 3920 Zermatt". */
export function isSiteWord(part: string): boolean {
  return SITE_WORDS.some(({ alone }) => alone.test(part));
}

/** Whether a folded part contains a word for "airport" anywhere, as the names of hotels do, or is a terminal. */
export function containsAirportWord(folded: string): boolean {
  return AIRPORT.within.test(folded) || folded.replace(TERMINAL, "") === "";
}

/** Whether a folded part is about a flight, so that an airport may be meant: "landing at". */
export function containsFlightWord(folded: string): boolean {
  return FLIGHT.test(folded);
}

/** "zurich airport t1" as the name and the terminal; `undefined` where no terminal is named. */
export function terminalIn(part: string): { readonly name: string; readonly terminal: string } | undefined {
  const terminal = TERMINAL.exec(part)?.[0];
  return terminal === undefined ? undefined : { name: part.replace(TERMINAL, "").trim(), terminal: terminal.trim() };
}

/** A folded part without the word for "station" before or after the name of the place. */
export function withoutStationWord(part: string): string {
  return withoutWord(part, STATION) ?? part;
}

/** A folded part without the word for "airport". */
export function withoutAirportWord(part: string): string {
  return withoutWord(part, AIRPORT) ?? part;
}

function withoutWord(folded: string, { before, after }: SiteWord): string | undefined {
  return (before.exec(folded) ?? after.exec(folded))?.[1];
}

function siteWord(site: SiteWord["site"], words: string): SiteWord {
  // Longest first, so that the rest of a longer word does not count as the name of the town.
  const alternatives = words
    .split(", ")
    .map(fold)
    .sort((a, b) => b.length - a.length)
    .join("|");
  return {
    site,
    alone: new RegExp(`^(?:${alternatives})$`),
    before: new RegExp(`^(?:${alternatives}) (?:(?:de la|de|du|des|d|di|da|of|in|a|at|von|en) )?(.+)$`),
    after: new RegExp(`^(.+?) (?:${alternatives})$`),
    within: new RegExp(`(?:^| )(?:${alternatives})(?: |$)`),
  };
}
