import { type Part, valueText } from "../../../contract/notice-formats.ts";
import { isNumber } from "../../../domain/quotes/translation-of.ts";
import type en from "../texts/en.json";
import { type Formats, formatsIn } from "./formats.ts";

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

export interface Words<Key extends string = ViewKey> extends Formats {
  readonly language: Language;
  /** The text of a key with its values; if it has several forms, the one for `count`. */
  text(key: Key, values?: Values): string;
  /** The text of a key that is put together from a code; `undefined` if there is none. */
  known(key: string, values?: Values): string | undefined;
  /** The singular or plural form of a word, as a number requires it. */
  form(forms: Forms, count: number): string;
  number(value: number): string;
  /** A name or text of the operator's, translated if there is a translation. */
  name(text: string): string;
  /** The same for sentences, marked where they are English in another language. */
  operator(text: string): Piece;
  /** A list in the value of a notice. */
  list(parts: readonly Part[]): Piece;
  /** The template of the sentence of a notice; `undefined` for an unknown code. */
  sentence(code: string): string | undefined;
}

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
): Words<Key | ViewKey> {
  const plural = new Intl.PluralRules(LOCALES[language]);
  const numbers = new Intl.NumberFormat(LOCALES[language]);
  const number = (value: number) => numbers.format(value);
  const form = (forms: Forms, count: number) => forms[plural.select(count)] ?? forms.other ?? "";
  const name = (text: string) => translate(text) ?? text;
  const operator = (text: string): Piece => translate(text) ?? (language === "en" ? text : { text, is: "english" });

  return {
    ...formatsIn(language, text),
    language,
    text,
    known: (key, values) => (Object.hasOwn(texts, key) ? filled(key, values) : undefined),
    form,
    number,
    name,
    operator,
    list,
    sentence: (code) => (Object.hasOwn(notices, code) ? notices[code] : undefined),
  };

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

  function list(parts: readonly Part[]): Piece {
    const texts = parts.flatMap(({ text }) => text ?? []);
    const written = valueText(parts, name, nameOfClass);
    return language === "en" ||
      texts.every((each) => translate(each) !== undefined || isNumber(each)) ||
      parts.some(({ classes }) => classes)
      ? written
      : { text: written, is: "english" };
  }
}

export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" };

/** The text without its marks, for mails, calendars and titles. */
export function plain(said: Said): string {
  return said.map((each) => (typeof each === "string" ? each : each.text)).join("");
}
