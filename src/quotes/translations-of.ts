import { LANGUAGES, type Language, type Translations } from "../catalog/translations-schema.ts";
import { translationOf } from "./translation-of.ts";

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
