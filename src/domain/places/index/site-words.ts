import { fold } from "./names.ts";

/** Words of names that people leave out or add. */
// biome-ignore format: several fit on a line
const FILLERS = new Set([
  "the", "hotel", "hotels", "and", "und", "et", "e", "le", "la", "les", "l", "il", "lo", "der", "die", "das", "de",
  "du", "des", "d", "di", "del", "della", "of", "am", "im", "in", "at", "zum", "zur", "a", "au", "aux", "an", "near", "by",
]);
/** Words beside the name of a site that change nothing: "Inselspital main entrance", "Airbnb in Wollishofen". */
// biome-ignore format: several fit on a line
export const BESIDE_SITES = new Set([
  "main", "entrance", "haupteingang", "lobby", "reception", "headquarters", "hq", "campus", "resort", "spa", "airbnb",
  "apartment", "wohnung", "chalet", "building", "mount", "mt",
]);
/** The word by which cable cars, funiculars and the like are indexed. */
export const LIFT = "lift";
/** Kinds of sites in the languages in which they are said, folded, each with the word that they are indexed by. */
const KINDS = [
  [
    "uhospital",
    "universitats ?spital|universitats ?klinik|uni ?klinik|universitats ?krankenhaus|uni ?spital|university hospitals?|hopita(?:l|ux) universitaires?|ospedale universitario",
  ],
  ["chospital", "kantons ?spital|cantonal hospital|hopital cantonal|ospedale cantonale"],
  [
    "children hospital",
    "kinder ?spital|childrens? s? ?hospital|hopital des enfants|hopital pour enfants|ospedale pediatrico",
  ],
  ["hospital", "spital ?zentrum|regional ?spital|burger ?spital|spital|krankenhaus|hopital|ospedale|ospidal"],
  ["clinic", "privat ?klinik|klinik|clinique|clinica"],
  [
    "congress",
    "kongress ?zentrum|kongress ?haus|congress cent(?:er|re)|conference cent(?:er|re)|convention cent(?:er|re)|centre (?:de|des) congres|centro congressi|palazzo (?:dei )?congressi|palais des congres",
  ],
  ["fair", "messe ?gelande|messe ?zentrum|messe|fairgrounds?|exhibition cent(?:er|re)|fiera|foire"],
  ["university", "universitat|universite|universita|uni"],
  [
    LIFT,
    "gondola lift|gondola station|cable car station|cable car|gondola|gondelbahn|luftseilbahn|seilbahn|bergbahnen|bergbahn|telecabine|telepherique|cabinovia|funivia|standseilbahn|funiculaire|funicular|funicolare|ski lift|skilift|talstation|valley station|base station|lift station|chairlift|telesiege|bahn|bahnen",
  ],
] as const;
const KIND = new RegExp(`\\b(?:${KINDS.map(([, names]) => `(${names})`).join("|")})\\b`, "g");
/** Keys of names that are a kind and no more. */
export const BARE_KINDS = new Set<string>(KINDS.map(([word]) => keyOf(word.split(" "))));

/** Names of so many hotels that the name alone identifies none: "Hotel Alpina", "Hôtel de la Paix". */
// biome-ignore format: several fit on a line
export const COMMON_NAMES = new Set([
  "adler", "alpen", "alpenrose", "alpes", "alpina", "ambassador", "angleterre", "astoria", "bahnhof", "bären", "bellevue",
  "belvedere", "bristol", "central", "colline", "continental", "eden", "edelweiss", "europe", "europa", "excelsior",
  "garni", "grand", "hirschen", "international", "kreuz", "krone", "kulm", "lac", "linde", "lodge", "löwen", "metropole",
  "mirador", "monopol", "national", "ochsen", "paix", "palace", "parc", "park", "post", "poste", "regina", "rössli",
  "royal", "savoy", "schlüssel", "schweizerhof", "seeburg", "seehof", "seepark", "sonne", "splendid", "sternen",
  "terminus", "victoria", "view", "waldhaus",
].map(fold));

/** The folded words of a text, each kind of site as one word. */
export function wordsOf(text: string): readonly string[] {
  return plainWordsOf(text)
    .join(" ")
    .replace(KIND, kindWord)
    .split(" ")
    .filter((word) => word !== "");
}

/** The folded words of a text, "Badrutt's" as "Badrutts". */
export function plainWordsOf(text: string): readonly string[] {
  const folded = fold(text)
    .replaceAll(",", " ")
    .replace(/(\w) s(?= |$)/g, "$1s");
  return folded.split(" ").filter((word) => word !== "");
}

/** The word for the kind whose group of `KIND` has matched. */
function kindWord(...[match, ...groups]: readonly unknown[]): string {
  const [word] = KINDS[groups.findIndex((group) => typeof group === "string")] ?? [];
  return word ?? String(match);
}

/** Words in any order are one name. */
export function keyOf(words: readonly string[]): string {
  return [...words].sort().join(" ");
}

/** Whether a word counts for a name: it is no filler. */
export function isNameWord(word: string): boolean {
  return !FILLERS.has(word);
}
