import { loadCatalog } from "../../src/catalog/catalog.ts";
import { NOTICES } from "../../src/contract/notices.ts";
import { DEFAULT_CATALOG } from "./default-catalog.ts";
import { pageTexts } from "./page-texts.ts";

type Language = "de" | "fr" | "it";

/** Words of the page, the notices and the catalog in English that the language does not have itself. */
export async function englishWords(language: Language): Promise<ReadonlySet<string>> {
  const { translations, operator, places } = loadCatalog(DEFAULT_CATALOG);
  const { texts, notices } = await pageTexts(language);
  const english = [(await pageTexts("en")).texts, NOTICES, Object.keys(translations)].flatMap(wordsIn);
  const translated = Object.values(translations).map((each) => each[language] ?? "");
  // Names are the same in all languages, but for those that are translated.
  const names = [operator, ...places.filter(({ name }) => !Object.hasOwn(translations, name)).map(({ name }) => name)];
  const own = new Set([texts, notices, translated, names].flatMap(wordsIn));
  return new Set(english.filter((word) => !own.has(word)));
}

/** In lower case, of at least two letters; placeholders are none. */
export function wordsIn(content: unknown): readonly string[] {
  if (typeof content === "string")
    return (content.replace(/\{[^}]*\}/g, " ").match(/\p{L}{2,}/gu) ?? []).map((word) => word.toLowerCase());
  return Object.values(content as object).flatMap(wordsIn);
}
