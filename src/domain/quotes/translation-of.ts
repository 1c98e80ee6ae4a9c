import { type Value, valueText } from "../../contract/notice-formats.ts";
import type { Language, Translations } from "../catalog/operator-schema.ts";

/** A text, or each text of a list, in another language; `undefined` if one has no translation. The quote card bundles this file. */
export function translationOf(translations: Translations, value: Value, language: Language): string | undefined {
  let isWhole = true;
  const translated = valueText(value, (text) => {
    const found = Object.hasOwn(translations, text) ? translations[text]?.[language] : undefined;
    isWhole &&= found !== undefined || isNumber(text);
    return found ?? text;
  });
  return isWhole ? translated : undefined;
}

/** Numbers of roads and codes of countries ("A2", "CH–IT") are the same in every language. */
export function isNumber(text: string): boolean {
  return !/\p{Ll}/u.test(text);
}
