import type { Catalog } from "../../domain/catalog/catalog.ts";
import { contentOf } from "../../domain/catalog/read-contents.ts";
import { LANGUAGES, type Language } from "../../domain/catalog/translations-schema.ts";
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
  warning(missingTranslations, TRANSLATIONS, ({ language }) => language, ({ missing }) => missing !== "", ({ missing }) => `not translated: ${missing}`),
  warning(translated, TRANSLATIONS, ({ language }) => language, ({ language, text }) => (languageOf(text) ?? language) !== language, ({ language, text }) => `"${shortened(text)}" is ${languageOf(text)}, not ${language}: translate it`),
];

function missingTranslations({ contents, catalog, all }: Audited) {
  const { texts } = contentOf(contents, "translations");
  const prose = proseIn(catalog);
  const used = LANGUAGES.filter((language) => Object.values(texts).some((each) => each[language]));
  return used.map((language) => {
    const missing = prose.filter((english) => !texts[english]?.[language]);
    return { language, missing: listed(missing, all) };
  });
}

/** Every translation. */
function translated({ contents }: Audited) {
  return Object.values(contentOf(contents, "translations").texts).flatMap((texts) =>
    LANGUAGES.map((language) => ({ language, text: texts[language] ?? "" })),
  );
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
    ...[...offers.fares, ...offers.seasons, ...offers.placeFees].map(({ label }) => label),
    ...Object.values({ ...operator.meetingPoints, ...operator.corridorTexts }),
    ...[operator.license, operator.phoneHours, operator.paymentMethods],
    ...[...offers.stopSales, ...offers.closures, ...offers.serviceRules].map(({ reason }) => reason),
  ];
  return [...new Set(all)].filter((text) => text !== undefined);
}

/** The first three, each shortened, or all of them. */
function listed(texts: readonly string[], all: boolean): string {
  const named = (all ? texts : texts.slice(0, 3).map(shortened)).map((text) => `"${text}"`).join(", ");
  return named + (all || texts.length <= 3 ? "" : ` and ${texts.length - 3} more, which --all lists`);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
