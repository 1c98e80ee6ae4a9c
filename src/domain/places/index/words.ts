import { type PlaceWords, WORD_ROLES } from "../../catalog/places-schema.ts";
import { fold } from "./names.ts";

type Role = (typeof WORD_ROLES)[number];

/** The catalog's words, folded, by what they do in a text of a place; and what they make of a name. */
export type Words = ReturnType<typeof createWords>;

/** The kind of cable cars, funiculars and the like, beside whose names a word for "station" means their own. */
export const LIFT = "lift";

export function createWords({ words, siteKinds, streetAbbreviations }: PlaceWords) {
  const listed = (role: Role) => words.flatMap((each) => (each.role === role ? each.words : []));
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
  const terminalWord = `(?:${alternatives(listed("terminal"))}) ?\\d[a-z]?`;
  const terminal = new RegExp(`(?:^| )${terminalWord}$|^${terminalWord}(?: |$)`);
  const canton = alternatives(listed("canton"));
  const beforeCanton = new RegExp(`^(?:${canton}) (?:(?:${of}) )?| (?:${canton})$`);
  const postcode = new RegExp(`^(?:(?:${alternatives(listed("postcodeCountry"))}) )?(\\d{4,5})$`);
  const kinds = new Map(siteKinds.flatMap(({ kind, words }) => words.map((word) => [joined(word), joined(kind)])));
  const anyKind = alternatives(siteKinds.flatMap((each) => each.words)).replaceAll(" ", " ?");
  const kind = new RegExp(`\\b(?:${anyKind})\\b`, "g");
  const bareKinds: ReadonlySet<string> = new Set(kinds.values());

  return {
    ...sets,
    /** Each word of the words for "station" and "airport": "station", "train", "main". */
    sitesByWord: new Set([...sets.station, ...sets.airport].flatMap((each) => each.split(" "))),
    /** Between the two ends of a journey in one text: "Geneva to Verbier", "Zurich Airport - Davos". */
    betweenEnds: new RegExp(`\\s+(?:${listed("direction").join("|")}|-|–|->|→|>)\\s+`, "giu"),
    streetAbbreviations: new Map(Object.entries(streetAbbreviations).map(([short, word]) => [short, fold(word)])),
    siteName,
    siteOrName,
    isSiteWord: (part: string) => sets.station.has(part) || sets.airport.has(part),
    containsAirportWord: (part: string) => sites[1]?.within.test(part) || part.replace(terminal, "") === "",
    containsFlightWord: (part: string) => flight.test(part),
    terminalIn,
    withoutStationWord: (part: string) => withoutWord(part, "station") ?? part,
    withoutAirportWord: (part: string) => withoutWord(part, "airport") ?? part,
    withoutCantonWord: (part: string) => part.replace(beforeCanton, ""),
    /** The digits of a postcode, alone or with the letters of its country. */
    postcodeIn: (part: string) => postcode.exec(part)?.[1],
    wordsOf,
    plainWordsOf,
    isNameWord: (word: string) => !sets.filler.has(word),
    isBareKind: (key: string) => bareKinds.has(key),
  };

  /** A folded name in its canonical form, "chur station" or "bern airport"; `undefined` where it names no site. */
  function siteName(folded: string): string | undefined {
    for (const { site } of folded.includes(" ") ? sites : []) {
      const town = withoutWord(folded, site);
      if (town !== undefined) return `${town} ${site}`;
    }
    return undefined;
  }

  /** A name folded, in its canonical form where it names a site. */
  function siteOrName(name: string): string {
    const folded = fold(name);
    return siteName(folded) ?? folded;
  }

  function withoutWord(folded: string, wanted: "station" | "airport"): string | undefined {
    const { before, after } = sites.find(({ site }) => site === wanted) ?? {};
    return (before?.exec(folded) ?? after?.exec(folded))?.[1];
  }

  /** "zurich airport t1" as the name and the terminal; `undefined` where no terminal is named. */
  function terminalIn(part: string): { readonly name: string; readonly terminal: string } | undefined {
    const found = terminal.exec(part)?.[0];
    return found === undefined ? undefined : { name: part.replace(terminal, "").trim(), terminal: found.trim() };
  }

  /** The folded words of a text, each kind of site as one word. */
  function wordsOf(text: string): readonly string[] {
    const plain = plainWordsOf(text).join(" ");
    const known = plain.replace(kind, (word) => kinds.get(joined(word)) ?? word);
    return known.split(" ").filter((word) => word !== "");
  }
}

/** The folded words of a text, "Badrutt's" as "Badrutts". */
function plainWordsOf(text: string): readonly string[] {
  const folded = fold(text)
    .replaceAll(",", " ")
    .replace(/(\w) s(?= |$)/g, "$1s");
  return folded.split(" ").filter((word) => word !== "");
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
