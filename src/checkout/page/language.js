/** The words of the page in the first language of the browser that it has, else in English. The quote card has them too. */

const LOCALES = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" };

/** The traveler can choose one, and a host that shows the page can name its user's. */
const chosen = new URLSearchParams(location.search).get("lang") ?? "";
const preferred = [chosen, document.documentElement.dataset.locale ?? "", ...navigator.languages];
export const language = preferred.map((tag) => tag.split("-")[0]).find((each) => Object.hasOwn(LOCALES, each)) ?? "en";
export const locale = LOCALES[language];
/** The quote card loads nothing: its document contains the words of every language, and its build defines IN_CARD. */
const { texts, notices = {} } =
  typeof IN_CARD === "undefined"
    ? await (await fetch(new URL(`texts/${language}.json`, import.meta.url))).json()
    : JSON.parse(document.getElementById("texts").textContent)[language];
const plural = new Intl.PluralRules(locale);

/** The text of a key with its values. */
export function textOf(key, values = {}) {
  return filled(texts[key], values);
}

/** A text with its values; of several forms, the one for `count`. */
function filled(forms, values) {
  const template = typeof forms === "string" ? forms : formOf(forms, values.count);
  return template.replace(/\{(\w+)\}/g, (_, name) => numberText(values[name]));
}

/** Of the forms of a word, the one for a number. */
export function formOf(forms, count) {
  return forms[plural.select(count)] ?? forms.other;
}

/** The text of a key that the page may not have: `undefined` then. */
export function knownText(key, values) {
  return Object.hasOwn(texts, key) ? textOf(key, values) : undefined;
}

/** The sentence for a notice's code, with `{name}` or `{name format}` for its values. English and unknown codes have none. */
export function noticeTemplate(code) {
  return Object.hasOwn(notices, code) ? notices[code] : undefined;
}

/** Numbers as the language writes them; any other value as it is. */
export function numberText(value) {
  return typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : String(value);
}

/** Links to this page in each of its languages. */
export function languageLinks() {
  return Object.entries(LOCALES).map(([each, tag]) => {
    const query = new URLSearchParams(location.search);
    query.set("lang", each);
    const link = document.createElement("a");
    const name = new Intl.DisplayNames(tag, { type: "language" }).of(each);
    Object.assign(link, {
      href: `?${query}`,
      lang: each,
      hreflang: each,
      textContent: each.toUpperCase(),
      title: name,
    });
    if (each === language) link.setAttribute("aria-current", "true");
    return link;
  });
}

/** Writes all words that do not depend on an offer. */
export function writePage() {
  document.documentElement.lang = language;
  document.title = textOf("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = textOf(element.dataset.text);
}

/** The operator's translation of an English text; `undefined` where there is none. */
let translationOf = () => {};

export function translateBy(lookUp) {
  translationOf = lookUp;
}

/** Those that came with an offer, by language and English text. */
export function takeTranslations(all = {}) {
  const translations = all[language] ?? {};
  translateBy((text) => (Object.hasOwn(translations, text) ? translations[text] : undefined));
}

/** A name or text that the operator wrote: translated where the operator has done so. */
export function nameText(text) {
  return translationOf(text) ?? text;
}

/** The same for prose: what exists in English only is read aloud as such. */
export function operatorText(text) {
  return translationOf(text) ?? english(text);
}

export function english(text) {
  const element = document.createElement("span");
  element.lang = "en";
  element.textContent = text;
  return element;
}
