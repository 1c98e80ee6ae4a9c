/** Words, names, amounts and times in the language of a page, as the traveler's page writes them. Times are Swiss. */
import { WORDS } from "./words.js";

const LOCALES = { en: "en-GB", de: "de-CH", fr: "fr", it: "it" };

/** The first day of a month, which these languages count. */
const FIRST = { fr: "1er", it: "1º" };

/** The `lang` of an address or a form; English where it is none of the four. */
export function languageOf(parameters) {
  const language = parameters.get("lang") ?? "";
  return Object.hasOwn(LOCALES, language) ? language : "en";
}

/**
 * `translations` are those of a resolved link: by language, then by the operator's English text. `shared` has the words of
 * the service's own page; only pages of a problem do without.
 */
export function textsIn(language, { texts = {}, notices = {} } = {}, translations = {}) {
  const words = { ...texts, ...WORDS[language] };
  const plural = new Intl.PluralRules(language);
  const names = translations[language] ?? {};
  return {
    language,
    notices,
    word,
    known,
    name,
    money,
    grouped,
    time,
    date,
    day,
    shortTime,
    shortMoment,
    clock,
    minutes,
    form,
  };

  function word(key, values = {}) {
    const forms = words[key];
    const text = typeof forms === "string" ? forms : form(forms, values.count);
    return text.replace(/\{(\w+)\}/g, (_, value) => values[value]);
  }

  function form(forms, count) {
    return forms[plural.select(count)] ?? forms.other;
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
    return `${amount < 0 ? "−" : ""}${currency}\u00a0${grouped(Math.abs(amount).toFixed(2))}`;
  }

  /** Amounts of a text, with their thousands separated. */
  function grouped(text) {
    return text.replace(/\d(?=(?:\d{3})+\b)(?!\d*\.\d{3})/g, (digit) => digit + (language === "en" ? "," : "’"));
  }

  function time(instant) {
    return word("day_and_time", { date: date(instant), time: clock(instant) });
  }

  function date(instant) {
    return format(instant, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  }

  /** "11-05" as "5 November", in a leap year, in which every day exists. */
  function day(monthDay) {
    return format(`2028-${monthDay}T12:00:00Z`, { day: "numeric", month: "long" });
  }

  function shortTime(instant) {
    const day = format(instant, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
    return `${day}, ${clock(instant)}`;
  }

  /** "Fri 11 Dec 13:00", as on the traveler's page. */
  function shortMoment(instant) {
    return `${format(instant, { weekday: "short", day: "numeric", month: "short" })} ${clock(instant)}`;
  }

  function clock(instant) {
    return format(instant, { hour: "2-digit", minute: "2-digit" });
  }

  function minutes(all) {
    const rest = all % 60;
    return all <= 60 ? `${all} min` : `${Math.floor(all / 60)} h${rest > 0 ? ` ${rest} min` : ""}`;
  }

  function format(instant, options) {
    const formatter = new Intl.DateTimeFormat(LOCALES[language], { timeZone: "Europe/Zurich", ...options });
    return formatter.format(new Date(instant)).replace(/\b1\b/, FIRST[language] ?? "1");
  }
}
