import { type SentenceWords, sentenceOf, templateOf, type Value } from "../../../contract/notice-formats.ts";
import type { ShownNotice } from "./offer.ts";
import { capitalized, type Piece, type Said, unbroken, type Words } from "./words.ts";

/** Values that contain sentences or labels by the operator; other values are names or numbers. */
const OPERATOR_TEXTS = ["onward", "reason", "season", "holiday", "items", "fare", "classes", "text"];

/** Values that are amounts in francs, such as "CHF 1105.27". */
const AMOUNTS = ["prices", "hour_prices", "km_prices", "amount", "amounts", "supplement"];

/**
 * The sentence of a notice in the language of the page, after its direction if it has one; the English text where the
 * page does not know the code or lacks a value. `names` are the place names that the assistant wrote.
 */
export function noticeText(
  { code = "", values = {}, text }: ShownNotice,
  words: Words,
  names: readonly string[],
): Said {
  const template = words.sentence(code);
  const own = sentenceWords(words, code === "SPECIAL_ITEM" ? [] : names);
  const said = template && sentenceOf(templateOf(template), values, own);
  if (!said) return [words.language === "en" ? text : { text, is: "english" }];
  if (values.leg) return [words.known(`line_${values.leg}`, { line: "" }) ?? "", ...said];
  const [first = "", ...rest] = said;
  return typeof first === "string" ? [capitalized(first, words), ...rest] : said;
}

function sentenceWords(words: Words, names: readonly string[]): SentenceWords<Piece> {
  return {
    day: words.monthDay,
    date: words.date,
    instant: words.dayAndTime,
    moment: words.dayAndTime,
    duration: words.durationInWords,
    included: (code) => words.known(`included_${code}`, { count: 1 }) ?? code,
    plural: words.form,
    value: (name, value) => valueIn(name, value, words, names),
  };
}

function valueIn(name: string, value: Value, words: Words, names: readonly string[]): Piece {
  const isAmount = AMOUNTS.includes(name);
  if (typeof value === "object") return words.list(value, isAmount ? words.grouped : words.name);
  if (typeof value === "number") return words.number(name === "km" && value >= 10 ? Math.round(value) : value);
  if (name === "text" && names.includes(value)) return { text: value, is: "entered" };
  if (name === "phone") return unbroken(value);
  if (OPERATOR_TEXTS.includes(name)) return words.operator(value);
  return isAmount ? words.grouped(value) : words.name(value);
}
