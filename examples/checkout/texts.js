/** Words, names, amounts and times in the language of a page. Times are Swiss. */
import { WORDS } from "./words.js";

const LOCALES = { en: "en-GB", de: "de-CH", fr: "fr", it: "it" };

/** The `lang` of an address or a form; English where it is none of the four. */
export function languageOf(parameters) {
  const language = parameters.get("lang") ?? "";
  return Object.hasOwn(LOCALES, language) ? language : "en";
}

/** `translations` are those of a resolved link: by language, then by the operator's English text. */
export function textsIn(language, translations = {}) {
  const words = WORDS[language];
  const plural = new Intl.PluralRules(language);
  const names = translations[language] ?? {};
  return { language, word, known, name, money, time, date, shortTime, clock, minutes };

  function word(key, values = {}) {
    const forms = words[key];
    const text = typeof forms === "string" ? forms : (forms[plural.select(values.count)] ?? forms.other);
    return text.replace(/\{(\w+)\}/g, (_, value) => values[value]);
  }

  /** For open enumerations: undefined where there is no word. */
  function known(key, values) {
    return Object.hasOwn(words, key) ? word(key, values) : undefined;
  }

  function name(text) {
    return Object.hasOwn(names, text) ? names[text] : text;
  }

  /** As on the traveler's page: CHF 1,147.80 in English, CHF 1’147.80 in the languages of Switzerland. */
  function money(amount, currency) {
    const digits = Math.abs(amount)
      .toFixed(2)
      .replace(/\B(?=(?:\d{3})+\.)/g, language === "en" ? "," : "’");
    return `${amount < 0 ? "−" : ""}${currency}\u00a0${digits}`;
  }

  function time(instant) {
    return word("day_and_time", { date: date(instant), time: clock(instant) });
  }

  function date(instant) {
    return format(instant, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  }

  function shortTime(instant) {
    const day = format(instant, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
    return `${day}, ${clock(instant)}`;
  }

  function clock(instant) {
    return format(instant, { hour: "2-digit", minute: "2-digit" });
  }

  function minutes(all) {
    return all <= 90 ? `${all} min` : `${Math.floor(all / 60)} h ${all % 60} min`;
  }

  function format(instant, options) {
    return new Intl.DateTimeFormat(LOCALES[language], { timeZone: "Europe/Zurich", ...options }).format(
      new Date(instant),
    );
  }
}
