import { type Value, valueText } from "../../contract/notices.ts";
import { LANGUAGES, type Language, type Translations } from "../catalog/translations-schema.ts";
import { translationOf } from "./translation-of.ts";

/** The translations of these texts that exist, by language and English text. */
export function translationsOf(
  translations: Translations,
  texts: readonly Value[],
): Record<string, Record<string, string>> {
  const into = (language: Language) =>
    Object.fromEntries(
      texts.flatMap((each) => {
        const found = translationOf(translations, each, language);
        return found === undefined ? [] : [[valueText(each), found]];
      }),
    );
  return Object.fromEntries(LANGUAGES.map((language) => [language, into(language)]));
}
