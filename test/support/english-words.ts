import assert from "node:assert/strict";
import { NOTICES } from "../../src/contract/notice-codes.ts";
import { pageTexts } from "./page-texts.ts";
import { defaultCatalog } from "./quoting-fixture.ts";

type Language = "de" | "fr" | "it";

const catalog = defaultCatalog.catalog;

/** English words of page, card, notices and catalog that the language does not contain as well. */
export function englishWords(language: Language): ReadonlySet<string> {
  const { translations, operator, places } = catalog;
  const own = pageTexts(language);
  const { notices: _, ...texts } = pageTexts("en");
  const english = [texts, NOTICES, Object.keys(translations)].flatMap(wordsIn);
  const translated = Object.values(translations).map((each) => each[language] ?? "");
  // Names are the same in all languages, unless they have a translation.
  const names = [operator, ...places.filter(({ name }) => !Object.hasOwn(translations, name)).map(({ name }) => name)];
  // Minutes have one sign in all languages.
  const known = new Set(["min", own, translated, names].flatMap(wordsIn));
  return new Set(english.filter((word) => !known.has(word)));
}

/** The words of at least two letters, in lower case, without placeholders. */
/** Letters among digits are no word: a reference such as C7L1IF. */
function wordsIn(content: unknown): readonly string[] {
  if (typeof content === "string")
    return (content.replace(/\{[^}]*\}/g, " ").match(/(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []).map((word) =>
      word.toLowerCase(),
    );
  return Object.values(content as object).flatMap(wordsIn);
}

export function assertNoEnglish(shown: readonly string[], english: ReadonlySet<string>): void {
  for (const text of shown) {
    // An id may have an English word among its digits.
    const left = wordsIn(text.replace(/\breq_\S+/g, "")).filter((word) => english.has(word));
    assert.deepEqual(left, [], text);
  }
}
