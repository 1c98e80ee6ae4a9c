import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type Language, translatedInto } from "../../domain/catalog/operator-schema.ts";
import { contentOf } from "../../domain/catalog/read-contents.ts";
import { type Audited, type Check, warning } from "./catalog-check.ts";

const TRANSLATIONS = "translations.json";

/** Frequent words that one of the languages has alone. */
const WORDS: Readonly<Record<Language | "en", readonly string[]>> = {
  en: ["the", "and", "is", "of", "are", "with", "until", "hours", "your"],
  de: ["der", "das", "und", "ist", "wird", "nicht", "mit", "für", "vor", "bis", "stunden", "am", "im", "zum"],
  fr: ["les", "du", "et", "est", "vous", "pour", "dans", "aux", "avant", "heures", "au", "une"],
  it: ["il", "gli", "è", "per", "della", "che", "nel", "ore", "prima", "sono", "dello", "alla"],
};

/** What can be wrong with the texts that travelers read. */
// biome-ignore format: a table reads by its columns
export const ofTexts: readonly Check[] = [
  warning(missingTranslations, TRANSLATIONS, ({ language }) => language, ({ missing }) => missing.length > 0, ({ missing }) => `not translated: ${listed(missing)}: the command translations --missing writes them to fill in`),
  warning(translations, TRANSLATIONS, ({ language }) => language, ({ language, text }) => (languageOf(text) ?? language) !== language, ({ language, text }) => `"${shortened(text)}" is ${languageOf(text)}, not ${language}: translate it`),
];

function missingTranslations(audited: Audited) {
  const all = Object.entries(translationsOf(audited));
  return translatedInto(audited.catalog.operator).map((language) => {
    return { language, missing: all.flatMap(([english, { [language]: text }]) => (text ? [] : [english])) };
  });
}

/** Every translation, also of texts that are no longer used. */
function translations({ contents }: Audited) {
  const all = Object.values(contentOf(contents, "translations").texts).flatMap((each) => Object.entries(each));
  return all.map(([language, text]) => ({ language, text }));
}

/** Every text that travelers read, with its translations into the languages that the operator offers; empty where it has none. */
export function translationsOf({ contents, catalog }: Pick<Audited, "contents" | "catalog">) {
  const { texts } = contentOf(contents, "translations");
  const languages = translatedInto(catalog.operator);
  const of = (english: string): Partial<Record<Language, string>> =>
    Object.fromEntries(languages.map((language) => [language, texts[english]?.[language] ?? ""]));
  return Object.fromEntries(proseIn(catalog).map((english) => [english, of(english)]));
}

/** The language of which a text has the most frequent words, at least two more than of any other. */
function languageOf(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^\p{L}]+/u);
  const [first, second] = Object.entries(WORDS)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.includes(word)).length }))
    .sort((a, b) => b.count - a.count);
  return first && first.count >= (second?.count ?? 0) + 2 ? first.language : undefined;
}

/** Texts that travelers read in English where there is no translation. */
function proseIn({ vehicleClasses, luggage, tariff, places, operator, ...offers }: Catalog): readonly string[] {
  const all = [
    ...vehicleClasses.map(({ type }) => type),
    ...luggage.specialItems.flatMap(({ one, many, text }) => [one, many, text]),
    // With their placeholders, as translations have them.
    ...offers.policyRecords.map(({ text }) => text),
    ...tariff.holidays.days.map(({ name }) => name),
    ...places.map(({ carFree }) => carFree?.onward),
    ...[...offers.fares, ...offers.seasons, ...offers.placeFees, ...offers.clients].map(({ label }) => label),
    ...Object.values({ ...operator.meetingPoints, ...operator.corridorTexts }),
    ...[operator.license, operator.phoneHours, operator.paymentMethods],
    ...[...offers.stopSales, ...offers.closures, ...offers.serviceRules].map(({ reason }) => reason),
  ];
  return [...new Set(all)].filter((text) => text !== undefined);
}

/** The first three, each shortened. */
function listed(texts: readonly string[]): string {
  const named = texts.slice(0, 3).map((text) => `"${shortened(text)}"`);
  return named.join(", ") + (texts.length > named.length ? ` and ${texts.length - named.length} more` : "");
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
