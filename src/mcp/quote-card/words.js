import { filled, language } from "../../checkout/page/language.js";

const { texts } = await import(`./texts/${language}.js`);

/** The text of a key of the card with its values; the other words are the traveler's page's. */
export function wordsOf(key, values = {}) {
  return filled(texts[key], values);
}

export function hasWords(key) {
  return Object.hasOwn(texts, key);
}
