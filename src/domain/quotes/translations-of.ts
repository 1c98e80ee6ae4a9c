import { type Value, valueText } from "../../contract/notices.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Language, translatedInto } from "../catalog/operator-schema.ts";
import { translationOf } from "./translation-of.ts";

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
