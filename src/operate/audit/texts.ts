import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type CatalogKind, kindOf } from "../../domain/catalog/catalog-files.ts";
import { type Language, translatedInto } from "../../domain/catalog/operator-schema.ts";
import { contentOf } from "../../domain/catalog/read-contents.ts";
import { namedPath } from "../../domain/catalog/schema-mistakes.ts";
import { type Audited, always, type Check, repeated, warning } from "./catalog-check.ts";

const TRANSLATIONS = "translations.json";

/** Frequent words that one of the languages has alone. */
const WORDS: Readonly<Record<Language | "en", readonly string[]>> = {
  en: ["the", "and", "is", "of", "are", "with", "until", "hours", "your"],
  de: ["der", "das", "und", "ist", "wird", "nicht", "mit", "für", "vor", "bis", "stunden", "am", "im", "zum"],
  fr: ["les", "du", "et", "est", "vous", "pour", "dans", "aux", "avant", "heures", "au", "une"],
  it: ["il", "gli", "è", "per", "della", "che", "nel", "ore", "prima", "sono", "dello", "alla"],
};

/** Shorter texts can be the same in two languages. */
const WORDS_OF_A_SENTENCE = 5;

/** What stands for a text that is still to come. */
const UNWRITTEN = /\b(todo|tbd|tba|xxx+|lorem ipsum|placeholder)\b/i;

/** What can be wrong with the texts that travelers read, and with any value. */
// biome-ignore format: a table reads by its columns
export const ofTexts: readonly Check[] = [
  warning(missingTranslations, TRANSLATIONS, ({ language }) => language, ({ missing }) => missing.length > 0, ({ missing }) => `not translated: ${listed(missing)}: the command translations --missing writes them to fill in`),
  warning(({ catalog }) => textsIn(catalog), ({ file }) => file, ({ path }) => path, ({ text }) => (languageOf(text) ?? "en") !== "en", ({ text }) => `"${shortened(text)}" is ${languageOf(text)}: write it in English, with its translations in ${TRANSLATIONS}`),
  warning(translations, TRANSLATIONS, ({ language }) => language, ({ english, text }) => english === text && text.split(/\s+/).length >= WORDS_OF_A_SENTENCE, ({ text }) => `"${shortened(text)}" is the English text: translate it`),
  warning(translations, TRANSLATIONS, ({ language }) => language, ({ language, text }) => (languageOf(text) ?? language) !== language, ({ language, text }) => `"${shortened(text)}" is ${languageOf(text)}, not ${language}: translate it`),
  warning(translations, TRANSLATIONS, ({ language }) => language, hasOtherTimes, ({ english, text }) => `"${shortened(text)}" has ${timesIn(text).join(", ")}, the English text ${timesIn(english).join(", ")}: correct one of them`),
  warning(wrongValues, ({ file }) => file, ({ path }) => path, always, ({ text }) => text),
];

function missingTranslations(audited: Audited) {
  const all = Object.entries(translationsOf(audited));
  return translatedInto(audited.catalog.operator).map((language) => {
    return { language, missing: all.flatMap(([english, { [language]: text }]) => (text ? [] : [english])) };
  });
}

/** Every translation, also of texts that are no longer used. */
function translations({ contents }: Audited) {
  return Object.entries(contentOf(contents, "translations").texts).flatMap(([english, each]) =>
    Object.entries(each).map(([language, text]) => ({ english, language, text })),
  );
}

/** Times of day, in order; a text with a.m. or p.m. has others than its translation. */
function timesIn(text: string): readonly string[] {
  return /\d ?[ap]\.?m\b/i.test(text) ? [] : (text.match(/\b\d{1,2}:\d{2}\b/g) ?? []).sort();
}

function hasOtherTimes({ english, text }: { readonly english: string; readonly text: string }): boolean {
  const [stated, translated] = [english, text].map((each) => timesIn(each).map((time) => time.padStart(5, "0")));
  return stated?.length === translated?.length && stated?.join() !== translated?.join();
}

/** Every text that travelers read, with its translations into the languages that the operator offers; empty where it has none. */
export function translationsOf({ contents, catalog }: Pick<Audited, "contents" | "catalog">) {
  const { texts } = contentOf(contents, "translations");
  const languages = translatedInto(catalog.operator);
  const of = (english: string): Partial<Record<Language, string>> =>
    Object.fromEntries(languages.map((language) => [language, texts[english]?.[language] ?? ""]));
  return Object.fromEntries(textsIn(catalog).map(({ text }) => [text, of(text)]));
}

/** The language of which a text has the most frequent words, at least two more than of any other. */
function languageOf(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^\p{L}]+/u);
  const [first, second] = Object.entries(WORDS)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.includes(word)).length }))
    .sort((a, b) => b.count - a.count);
  return first && first.count >= (second?.count ?? 0) + 2 ? first.language : undefined;
}

/** Texts that travelers read in English where there is no translation, with file and record. */
// biome-ignore format: a table reads by its columns
function textsIn({ vehicleClasses, luggage, tariff, places, operator, ...offers }: Catalog) {
  const { license, phoneHours, paymentMethods, meetingPoints, corridorTexts } = operator;
  const own = { ...meetingPoints, ...corridorTexts, license, phoneHours, paymentMethods };
  const all: readonly (readonly [file: string, path: string, text: string | undefined])[] = [
    ...vehicleClasses.map(({ id, type }) => ["vehicle-classes.json", `${id}.type`, type] as const),
    ...luggage.specialItems.flatMap(({ kind, one, many, text }) => [one, many, text].map((each) => ["luggage.json", kind, each] as const)),
    // With their placeholders, as translations have them.
    ...offers.policyRecords.map(({ key, text }) => ["policies.json", `${key}.text`, text] as const),
    ...tariff.holidays.days.map(({ name }) => ["tariff.json", `holidays.days.${name}`, name] as const),
    ...places.map(({ id, carFree }) => ["places", id, carFree?.onward] as const),
    ...offers.fares.map(({ id, label }) => ["fares.json", `${id}.label`, label] as const),
    ...offers.seasons.map(({ id, label }) => ["seasons.json", `${id}.label`, label] as const),
    ...offers.placeFees.map(({ id, label }) => ["place-fees.json", `${id}.label`, label] as const),
    ...offers.clients.map(({ id, label }) => ["clients.json", `${id}.label`, label] as const),
    ...Object.entries(own).map(([name, text]) => ["operator.json", name, text] as const),
    ...offers.stopSales.map(({ id, reason }) => ["availability.json", `${id}.reason`, reason] as const),
    ...offers.closures.map(({ id, reason }) => ["closures.json", `${id}.reason`, reason] as const),
    ...offers.serviceRules.map(({ id, reason }) => ["service-rules.json", `${id}.reason`, reason] as const),
  ];
  return all.flatMap(([file, path, text]) => (text === undefined ? [] : [{ file, path, text }]));
}

/** The first three, each shortened. */
function listed(texts: readonly string[]): string {
  const named = texts.slice(0, 3).map((text) => `"${shortened(text)}"`);
  return named.join(", ") + (texts.length > named.length ? ` and ${texts.length - named.length} more` : "");
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Every value of the operator's own files that is wrong, in one pass over all. */
function wrongValues({ contents: { files, sources } }: Audited) {
  return [...files].flatMap(([file, content]) => {
    if (sources.get(file) === "packaged") return [];
    return [...valuesIn(content)].flatMap(([keys, value]) => {
      const text = wrongIn(value);
      return text === undefined ? [] : [{ file, path: namedPath(kindOf(file) as CatalogKind, content, keys), text }];
    });
  });
}

function wrongIn(value: unknown): string | undefined {
  // Numbers may be equal, such as two dimensions.
  const [duplicate] = Array.isArray(value) && typeof value[0] !== "number" ? repeated(value, (each) => each) : [];
  if (duplicate) return `has ${JSON.stringify(duplicate.each).slice(0, 60)} twice: remove one of them`;
  if (typeof value !== "string") return undefined;
  if (UNWRITTEN.test(value)) return `${JSON.stringify(value)}: write the text, or remove it`;
  return value === value.trim() ? undefined : `${JSON.stringify(value)} begins or ends with a space: remove it`;
}

function* valuesIn(value: unknown, keys: readonly (string | number)[] = []): Generator<[typeof keys, unknown]> {
  yield [keys, value];
  if (Array.isArray(value)) for (const [n, each] of value.entries()) yield* valuesIn(each, [...keys, n]);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) yield* valuesIn(each, [...keys, key]);
}
