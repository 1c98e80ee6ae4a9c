import type { Language, Translations } from "../catalog/translations-schema.ts";

/**
 * A text in another language; `undefined` if there is no translation. Also translates a text after a count ("2 pairs of
 * skis") and a list ("Christmas Day, St. Stephen's Day"). The quote card bundles this file, so it imports types only.
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
