import { LANGUAGES, type Language, type Translations } from "../catalog/translations-schema.ts";

/** What there is of these texts in other languages, by language and text. */
export function translationsOf(
  translations: Translations,
  texts: readonly string[],
): Record<string, Record<string, string>> {
  const into = (language: Language) =>
    Object.fromEntries(
      texts.flatMap((each) => {
        const found = translationOf(translations, each, language);
        return found === undefined ? [] : [[each, found]];
      }),
    );
  return Object.fromEntries(LANGUAGES.map((language) => [language, into(language)]));
}

/**
 * A text in another language, if there is one. Understands a number before a text ("2 pairs of skis") and texts in a row
 * ("Christmas Day, St. Stephen's Day"). The quote card has it too: it imports no code.
 */
export function translationOf(translations: Translations, english: string, language: Language): string | undefined {
  const of = (each: string) => (Object.hasOwn(translations, each) ? translations[each]?.[language] : undefined);
  const whole = of(english);
  if (whole !== undefined) return whole;
  const [, count, counted = ""] = /^(\d+) (.+)$/.exec(english) ?? [];
  const item = of(counted);
  if (item !== undefined) return `${count} ${item}`;
  const row = english.split(", ").map(of);
  return row.length > 1 && row.every((each) => each !== undefined) ? row.join(", ") : undefined;
}
