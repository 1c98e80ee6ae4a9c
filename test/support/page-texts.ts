import { readPackageFile } from "../../src/ops/package-root.ts";
import type { Offer } from "../../src/service/checkout/view/offer.ts";
import { type OfferView, offerView } from "../../src/service/checkout/view/offer-view.ts";
import { createWords, type Language, type LanguageFile, type Words } from "../../src/service/checkout/view/words.ts";

export const LANGUAGES = ["en", "de", "fr", "it"] as const;

/** The words of page and card in a language. */
export function pageTexts(language: Language): Required<LanguageFile> {
  return JSON.parse(readPackageFile(`src/service/checkout/texts/${language}.json`));
}

/** What a surface shows of an offer in a language, with the translations that came with it. */
export function viewIn(
  language: Language,
  offer: Offer & { readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>> },
): { readonly view: OfferView; readonly words: Words } {
  const { view, notices } = pageTexts(language);
  const translations = offer.translations?.[language] ?? {};
  const words = createWords(language, view, notices, (text) => translations[text]);
  return { view: offerView(offer, words), words };
}
