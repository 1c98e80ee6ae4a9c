import { isNumber, type Value, valueText } from "../../contract/notice-formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Language, type Translations, translatedInto } from "../catalog/operator-schema.ts";

/** The translations of these texts that exist, by language that the operator offers and by English text. */
export function translationsOf(
  { operator, translations }: Pick<Catalog, "operator" | "translations">,
  texts: readonly Value[],
): Record<string, Record<string, string>> {
  const into = (language: Language) =>
    Object.fromEntries(
      texts.flatMap((each) => {
        const found = translationOf(translations, each, language);
        return found === undefined ? [] : [[valueText(each), found]];
      }),
    );
  return Object.fromEntries(translatedInto(operator).map((each) => [each, into(each)]));
}

/** A text, or each text of a list, in another language; `undefined` if one has no translation. */
function translationOf(translations: Translations, value: Value, language: Language): string | undefined {
  let isWhole = true;
  const translated = valueText(value, (text) => {
    const found = Object.hasOwn(translations, text) ? translations[text]?.[language] : undefined;
    isWhole &&= found !== undefined || isNumber(text);
    return found ?? text;
  });
  return isWhole ? translated : undefined;
}
