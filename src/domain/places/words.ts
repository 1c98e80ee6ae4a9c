import { type PlaceWords, WORD_ROLES } from "../catalog/places-schema.ts";
import { fold } from "./names.ts";

type Role = (typeof WORD_ROLES)[number];

/** The catalog's words, folded, by what they do in a text of a place; and what they make of a name. */
export type Words = ReturnType<typeof createWords>;

/** The kind of cable cars, funiculars and the like, beside whose names a word for "station" means their own. */
export const LIFT = "lift";

export function createWords({ words, siteKinds }: PlaceWords) {
  const listed = (...roles: readonly Role[]) => words.flatMap((each) => (roles.includes(each.role) ? each.words : []));
  const sets = {} as Record<Role, ReadonlySet<string>>;
  for (const role of WORD_ROLES) sets[role] = new Set(listed(role).map(fold));
  const of = alternatives(listed("of"));
  const sites = (["station", "airport"] as const).map((site) => {
    const any = alternatives(listed(site));
    return {
      site,
      before: new RegExp(`^(?:${any}) (?:(?:${of}) )?(.+)$`),
      after: new RegExp(`^(.+?) (?:${any})$`),
      within: new RegExp(`(?:^| )(?:${any})(?: |$)`),
    };
  });
  const flight = new RegExp(`(?:^| )(?:${alternatives(listed("flight"))})(?: |$)`);
  const not = new RegExp(
    `(?:^| )(?:${alternatives(listed("not"))})(?: (?:${alternatives(listed("of", "article"))}))?$`,
  );
  const terminalWord = `(?:${alternatives(listed("terminal"))}) ?\\d[a-z]?`;
  const terminal = new RegExp(`(?:^| )${terminalWord}$|^${terminalWord}(?: |$)`);
  const canton = alternatives(listed("canton"));
  const beforeCanton = new RegExp(`^(?:${canton}) (?:(?:${of}) )?| (?:${canton})$`);
  const postcode = new RegExp(`^(?:(?:${alternatives(listed("postcodeCountry", "postcodeWord"))}) )*(\\d{4,5})$`);
  /** The digits of a postcode, alone or after "PLZ" or the letters of its country. */
  const postcodeIn = (part: string): string | undefined => postcode.exec(part)?.[1];
  const isSiteWord = (part: string) => sets.station.has(part) || sets.airport.has(part);
  const lakeName = `((?:(?:${alternatives(listed("prefix"))})\\b\\.?\\s*)?[^\\s,)]+)`;
  const lake = new RegExp(`(?<![^\\s,(])(?:${alternatives(listed("lake"))})['’\\s]+${lakeName}`, "gi");
  const kinds = new Map(siteKinds.flatMap(({ kind, words }) => words.map((word) => [joined(word), joined(kind)])));
  const anyKind = alternatives(siteKinds.flatMap((each) => each.words)).replaceAll(" ", " ?");
  const kind = new RegExp(`\\b(?:${anyKind})\\b`, "g");
  const bareKinds: ReadonlySet<string> = new Set(kinds.values());

  return {
    ...sets,
    /** Each word of the words for "station" and "airport": "station", "train", "main". */
    sitesByWord: new Set([...sets.station, ...sets.airport].flatMap((each) => each.split(" "))),
    /** A text with its arrows as words: "Thun -> Spiez" as "Thun to Spiez". */
    withoutArrows: (text: string) =>
      listed("arrow").reduce((rest, sign) => rest.replaceAll(sign, ` ${listed("direction")[0]} `), text),
    /** "Villa d'Este" of "Villa d'Este on Lake Como". */
    withoutLake: (text: string) => text.replace(lake, " "),
    lakesIn: (text: string) => [...text.matchAll(lake)].map(([, name = ""]) => fold(name)),
    siteName,
    isSiteWord,
    /** "gare" of "à la gare"; other parts whole. */
    bareSiteWord(part: string): string {
      const bare = part.split(" ").filter((word) => !sets.before.has(word));
      return isSiteWord(bare.join(" ")) ? bare.join(" ") : part;
    },
    containsAirportWord: (part: string) => sites[1]?.within.test(part) || terminal.test(part),
    /** Whether the words before or after a name withdraw it: "not", "instead of". */
    isWithdrawn: (before: string) => not.test(before),
    containsFlightWord: (part: string) => flight.test(part),
    /** "zurich airport" of "zurich airport t1". */
    withoutTerminal: (part: string) => part.replace(terminal, "").trim(),
    withoutStationWord: (part: string) => withoutWord(part, "station") ?? part,
    withoutAirportWord: (part: string) => withoutWord(part, "airport") ?? part,
    withoutCantonWord: (part: string) => part.replace(beforeCanton, ""),
    postcodeIn,
    withoutPostcode,
    wordsOf,
    /** Whether the catalog lists the word for any use. */
    isListed: (word: string) => WORD_ROLES.some((role) => sets[role].has(word)) || kinds.has(word),
    isNameWord: (word: string) => !sets.filler.has(word),
    isBareKind: (key: string) => bareKinds.has(key),
  };

  /** Splits the folded "8001 zurich" into postcode and name; keeps other parts whole. */
  function withoutPostcode(part: string): readonly string[] {
    const [, code = "", name = ""] = /^((?:[a-z ]+ )?\d{4,5}) (.+)$/.exec(part) ?? [];
    return postcodeIn(code) !== undefined ? [code, name] : [part];
  }

  /** A folded name, in its canonical form where it is that of a station or an airport: "chur station", "bern airport". */
  function siteName(folded: string): string {
    for (const { site } of folded.includes(" ") ? sites : []) {
      const town = withoutWord(folded, site);
      if (town !== undefined) return `${town} ${site}`;
    }
    return folded;
  }

  function withoutWord(folded: string, wanted: "station" | "airport"): string | undefined {
    const { before, after } = sites.find(({ site }) => site === wanted) ?? {};
    return (before?.exec(folded) ?? after?.exec(folded))?.[1];
  }

  /** The folded words of a text, each kind of site as one word, "Badrutt's" as "Badrutts". */
  function wordsOf(text: string): readonly string[] {
    const plain = fold(text.replaceAll(",", " ")).replace(/(\w) s(?= |$)/g, "$1s");
    const known = plain.replace(kind, (word) => kinds.get(joined(word)) ?? word);
    return known.split(" ").filter((word) => word !== "");
  }
}

/** Words in any order are one name. */
export function keyOf(words: readonly string[]): string {
  return [...words].sort().join(" ");
}

function joined(text: string): string {
  return fold(text).replaceAll(" ", "");
}

/** A pattern for any of the words, the longest first, so that the rest of a longer one is no name. */
function alternatives(words: readonly string[]): string {
  return words
    .map(fold)
    .sort((a, b) => b.length - a.length)
    .join("|");
}

/** A text of more words is a question; those that people write have up to ten, and an address in a sentence twenty. */
const MOST_WORDS = 32;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The number of a hall or an exit. */
const FIGURE = /^\d{1,2}$/;

/**
 * The text without the words around a name, first with the last of those before it, which may begin the name: "to La
 * Clusaz". Empty where the text has none, or nothing else.
 */
export function withoutFraming(text: string, { before, after }: Words): readonly string[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }));
  const isAfter = (at: number) => after.has(words[at]?.word ?? "");
  const first = words.findIndex(({ word }) => !before.has(word));
  const last = words.findLastIndex(({ word }, at) => !isAfter(at) && !(FIGURE.test(word) && isAfter(at - 1)));
  return [first - 1, first].flatMap((start) => {
    const [from, to] = [words[start]?.from, words[last]?.to];
    if (first < 0 || from === undefined || to === undefined || (start === 0 && last === words.length - 1)) return [];
    return text.slice(from, to);
  });
}

export function isTooLong(text: string): boolean {
  return [...text.matchAll(WORD)].length > MOST_WORDS;
}
