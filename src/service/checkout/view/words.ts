import { durationText, isNumber, type Part, valueText } from "../../../contract/notice-formats.ts";
import type en from "../texts/en.json";

export type Language = "en" | "de" | "fr" | "it";

/** A text with a form for each number that its language tells apart. */
type Forms = Readonly<Record<string, string>>;
type Texts = Readonly<Record<string, string | Forms>>;

/** What a language file holds: the texts of the view, those that only one surface shows, and sentences by notice code. */
export interface LanguageFile {
  readonly view: Texts;
  readonly page?: Texts;
  readonly card?: Texts;
  readonly notices: Readonly<Record<string, string>>;
}

/** What the page has of it, and operators' own pages. */
export interface PageWords {
  readonly texts: Texts;
  readonly notices: LanguageFile["notices"];
}

export type ViewKey = keyof typeof en.view;
export type PageKey = keyof typeof en.page;
export type CardKey = keyof typeof en.card;

/** Part of a text: English where the operator has not translated it, or words of the assistant. */
export type Piece = string | { readonly text: string; readonly is: "english" | "entered" };
export type Said = readonly Piece[];

type Values = Readonly<Record<string, string | number>>;

export type Words<Key extends string = ViewKey> = ReturnType<typeof createWords<Key>>;

/**
 * The words of a language. `translate` finds the operator's translation of an English text, `nameOfClass` how a vehicle
 * class is called in sentences.
 */
export function createWords<Key extends string>(
  language: Language,
  texts: Texts,
  notices: LanguageFile["notices"],
  translate: (text: string) => string | undefined,
  nameOfClass: (id: string) => string = (id) => id,
) {
  const plural = new Intl.PluralRules(LOCALES[language]);
  const numbers = new Intl.NumberFormat(LOCALES[language]);
  const number = (value: number) => numbers.format(value);
  /** The singular or plural form of a word, as a number requires it. */
  const form = (forms: Forms, count: number) => forms[plural.select(count)] ?? forms.other ?? "";
  /** A name or text of the operator's, translated if there is a translation. */
  const name = (text: string) => translate(text) ?? text;
  /** The same for sentences, marked where they are English in another language. */
  const operator = (text: string): Piece => translate(text) ?? (language === "en" ? text : { text, is: "english" });

  return {
    ...formatsIn(language, text),
    language,
    text,
    /** The text of a key that is put together from a code; `undefined` if there is none. */
    known: (key: string, values?: Values) => (Object.hasOwn(texts, key) ? filled(key, values) : undefined),
    form,
    number,
    name,
    operator,
    list,
    /** The template of the sentence of a notice; `undefined` for an unknown code. */
    sentence: (code: string) => (Object.hasOwn(notices, code) ? notices[code] : undefined),
  };

  /** The text of a key with its values; if it has several forms, the one for `count`. */
  function text(key: Key | ViewKey, values?: Values): string {
    return filled(key, values);
  }

  function filled(key: string, values: Values = {}): string {
    const forms = texts[key] ?? "";
    const template = typeof forms === "string" ? forms : form(forms, Number(values.count));
    return template.replace(/\{(\w+)\}/g, (_, each: string) => {
      const value = values[each];
      return typeof value === "number" ? number(value) : String(value);
    });
  }

  /** A list in the value of a notice; `write` writes its texts, by default by their names. */
  function list(parts: readonly Part[], write = name): Piece {
    const texts = parts.flatMap(({ text }) => text ?? []);
    const written = valueText(parts, write, nameOfClass);
    return language === "en" ||
      texts.every((each) => translate(each) !== undefined || isNumber(each)) ||
      parts.some(({ classes }) => classes)
      ? written
      : { text: written, is: "english" };
  }
}

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" };

/** Keeps a number and its unit on one line. */
export const NO_BREAK = "\u00a0";

/** A phone number or a day on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", NO_BREAK);
}

/** Between facts on one line, at whose beginning it never is. */
export const DOT = `${NO_BREAK}· `;

/** Names such as "aéroport de Genève" start a row or a sentence, and days such as "mardi" a heading. */
export function capitalized(text: string, { language }: Pick<Words, "language">): string {
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);
}

/** The text without its marks, for mails, calendars and titles. */
export function plain(said: Said): string {
  return said.map((each) => (typeof each === "string" ? each : each.text)).join("");
}

/** French and Italian write a date without a comma, unlike the locales of Switzerland in the data of browsers. */
const DATE_LOCALES: Readonly<Record<string, string>> = { fr: "fr", it: "it" };

/** The first day of a month, which these languages count. */
const FIRST: Readonly<Record<string, string>> = { fr: "1er", it: "1º" };

const OPTIONS = {
  date: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  shortDay: { weekday: "short", day: "numeric", month: "short" },
  monthDay: { day: "numeric", month: "long" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/**
 * Date-times and amounts as the traveler reads them. Date-times are texts in the operator's time zone, such as
 * "2026-12-05T14:05:00+01:00", and stay in it.
 */
function formatsIn(language: Language, text: (key: ViewKey, values?: Values) => string) {
  /** Each is made once, because making one takes longer than all that a page formats with it. */
  const formatters = new Map<keyof typeof OPTIONS, Intl.DateTimeFormat>();
  const units = new Map<string, Intl.NumberFormat>();
  /** "Saturday, 5 December 2026". */
  const date = (at: string) => dayOf("date", at);
  /** "Sat 5 Dec". */
  const shortDay = (at: string) => unbroken(dayOf("shortDay", at));

  return {
    /** "Saturday, 5 December 2026, 14:05". */
    dayAndTime: (at: string) => text("day_and_time", { date: date(at), time: clock(at) }),
    date,
    clock,
    /** "Sat 5 Dec 14:05". */
    shortMoment: (at: string) => `${shortDay(at)} ${clock(at)}`,
    shortDay,
    /** "11-05" as "5 November"; in a leap year, in which every day exists. */
    monthDay: (monthDay: string) => dayOf("monthDay", `2028-${monthDay}`),
    /** "45 min", and "1 h 26 min" above 60, in all languages. */
    duration: (minutes: number) =>
      durationText(minutes, (count, unit) => `${count}${NO_BREAK}${unit === "hour" ? "h" : "min"}`),
    /** "45 minutes", and "1 hour 26 minutes" above 60. */
    durationInWords: (minutes: number) => durationText(minutes, unitText),
    /** "CHF 1,147.80" in English, "CHF 1’147.80" in the languages of Switzerland. */
    money: (amount: number, currency = "CHF") =>
      `${amount < 0 ? "−" : ""}${currency}${NO_BREAK}${grouped(Math.abs(amount).toFixed(2))}`,
    grouped,
  };

  /** The day with which a date-time begins. */
  function dayOf(name: keyof typeof OPTIONS, at: string): string {
    const locale = DATE_LOCALES[language] ?? LOCALES[language];
    const formatter = formatters.get(name) ?? new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...OPTIONS[name] });
    formatters.set(name, formatter);
    return formatter.format(new Date(at.slice(0, 10))).replace(/\b1\b/, FIRST[language] ?? "1");
  }

  function unitText(count: number, unit: "hour" | "minute"): string {
    const options = { style: "unit", unit, unitDisplay: "long" } as const;
    const formatter = units.get(unit) ?? new Intl.NumberFormat(LOCALES[language], options);
    units.set(unit, formatter);
    return formatter.format(count).replace(" ", NO_BREAK);
  }

  /** The amounts of a text, with their thousands separated. */
  function grouped(amounts: string): string {
    return amounts
      .replace(/(?<=[A-Z]) (?=\d)/g, NO_BREAK)
      .replace(/\d(?=(?:\d{3})+\b)(?!\d*\.\d{3})/g, (digit) => digit + (language === "en" ? "," : "’"));
  }
}

/** "14:05", in all languages. */
function clock(at: string): string {
  return at.slice(11, 16);
}
