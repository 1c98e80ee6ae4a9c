/** The texts of the page and the quote card, in the first preferred language that the document has. */

import { element } from "./elements.js";

const LOCALES = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" };
const NAMES = { en: "English", de: "Deutsch", fr: "français", it: "italiano" };

/** By language: the page has those of the one that the server has chosen for the traveler, the card all of them. */
const words = JSON.parse(document.getElementById("texts").textContent);
/** The locale of the host that shows the card, then the browser's. */
const preferred = [document.documentElement.dataset.locale ?? "", ...navigator.languages];
export const language =
  preferred.map((tag) => tag.split("-")[0]).find((each) => Object.hasOwn(words, each)) ?? document.documentElement.lang;
export const locale = LOCALES[language];
const { texts, notices = {} } = words[language];
const plural = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** The text of a key with its values. */
export function textOf(key, values = {}) {
  return filled(texts[key], values);
}

/** A text with its values filled in; if it has several forms, the one for `count`. */
function filled(forms, values) {
  const template = typeof forms === "string" ? forms : formOf(forms, values.count);
  return template.replace(/\{(\w+)\}/g, (_, name) => numberText(values[name]));
}

/** The singular or plural form of a word, as a number requires it. */
export function formOf(forms, count) {
  return forms[plural.select(count)] ?? forms.other;
}

/** The text of a key; `undefined` if the page has none. */
export function knownText(key, values) {
  return Object.hasOwn(texts, key) ? textOf(key, values) : undefined;
}

/** The sentences of notices by code, with placeholders for their values. */
export { notices };

/** A number formatted for the language; any other value unchanged. */
export function numberText(value) {
  return typeof value === "number" ? numbers.format(value) : String(value);
}

/** Links to this page in each of its languages. */
export function languageLinks() {
  return Object.entries(NAMES).map(([each, name]) => {
    const query = new URLSearchParams(location.search);
    query.set("lang", each);
    const short = each.toUpperCase();
    const link = element("a", "", short);
    Object.assign(link, { href: `?${query}`, lang: each, hreflang: each, ariaLabel: `${short}, ${name}` });
    if (each === language) link.setAttribute("aria-current", "true");
    return link;
  });
}

/**
 * The operator's translation of an English text; `undefined` if there is none.
 * @type {(text: string) => string | undefined}
 */
let translationOf = () => undefined;

export function translateBy(lookUp) {
  translationOf = lookUp;
}

/** Uses the translations in an offer, which are by language and English text. */
export function takeTranslations(all = {}) {
  const translations = all[language] ?? {};
  translateBy((text) => (Object.hasOwn(translations, text) ? translations[text] : undefined));
}

/** A name or text of the operator's, translated if there is a translation. */
export function nameText(text) {
  return translationOf(text) ?? text;
}

/** The same for sentences. Those without a translation are marked as English, for screen readers. */
export function operatorText(text) {
  return translationOf(text) ?? english(text);
}

export function english(text) {
  return Object.assign(element("span", "", text), { lang: "en" });
}
