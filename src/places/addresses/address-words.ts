import { fold } from "../index/fold.ts";

/** Words of streets as maps write them, by their abbreviations. */
const ABBREVIATED: Readonly<Record<string, string>> = {
  av: "avenue",
  ave: "avenue",
  rte: "route",
  ch: "chemin",
  bd: "boulevard",
  bld: "boulevard",
  blvd: "boulevard",
  pl: "place",
  r: "rue",
  imp: "impasse",
  vle: "viale",
};
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(ABBREVIATED).map(([short, word]) => [short, fold(word)]),
);

/** The folded words of an address as they are compared: "Bahnhofstr. 12 A" is "Bahnhofstrasse 12a". */
export function wordsOf(text: string): readonly string[] {
  return (
    fold(text)
      // The country's letters in "CH-8001" or alone; "Ch. de la Gare" is a chemin.
      .replace(/(^|[ ,])ch(?= \d{4}(?:[ ,]|$)|,|$)/g, "$1")
      // "12 A"
      .replace(/(^| )(\d+) ([a-h])(?=[ ,]|$)/g, "$1$2$3")
      // "V.le Stazione"
      .replace(/(^| )v le(?= )/g, "$1viale")
      .split(/[ ,]+/)
      // "Bahnhofstr.", "Bahnhofpl."
      .map((word) => WORDS.get(word) ?? word.replace(/str$/, "strasse").replace(/(.{4})pl$/, "$1platz"))
      .filter((word) => word !== "")
  );
}
