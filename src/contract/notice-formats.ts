/**
 * A value of a notice. A list is written as "2 golf bags, 1 pet", "CHF 15 (Sedan, Estate car), CHF 18 (Van)" or "Sedan, Van".
 */
export type Value = string | number | readonly Part[];
export interface Part {
  readonly text?: string | undefined;
  /** How many there are of `text`. */
  readonly count?: number | undefined;
  /** Ids of the vehicle classes that it is about. */
  readonly classes?: readonly string[] | undefined;
}

/** Pages pass how they write the texts and the classes in it; both stand as they are by default. */
export function valueText(value: Value, textOf = asItIs, classOf = asItIs): string {
  if (typeof value !== "object") return textOf(String(value));
  const parts = value.map(({ text, count, classes = [] }) => {
    const things = [count, text === undefined ? text : textOf(text)].filter((each) => each !== undefined).join(" ");
    const names = classes.map(classOf).join(", ");
    return things && names ? `${things} (${names})` : things || names;
  });
  return parts.join(", ");
}

function asItIs(text: string): string {
  return text;
}

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** "11-05" as "5 November". */
export function dayName(monthDay: string): string {
  const [month, day] = monthDay.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

/** "2026-12-04" as "4 December 2026". */
export function dateName(date: string): string {
  return `${dayName(date.slice(5, 10))} ${date.slice(0, 4)}`;
}

/** "2026-12-04T10:00:00+01:00" as "4 December 2026, 10:00". */
export function instantName(local: string): string {
  return `${dateName(local)}, ${local.slice(11, 16)}`;
}

/** "45 min", and "1 h 26 min" above 60; `write` writes one of the two units. */
export function durationText(minutes: number, write = shortUnit): string {
  if (minutes <= 60) return write(minutes, "minute");
  const hours = write(Math.floor(minutes / 60), "hour");
  return minutes % 60 > 0 ? `${hours} ${write(minutes % 60, "minute")}` : hours;
}

function shortUnit(count: number, unit: "hour" | "minute"): string {
  return `${count} ${unit === "hour" ? "h" : "min"}`;
}

export function francsText(rappen: number): string {
  return `CHF ${rappen % 100 === 0 ? rappen / 100 : (rappen / 100).toFixed(2)}`;
}

/** What a traveler reads out on the phone: the start of the id, as the pages show it. */
export function referenceOf(quoteId: string): string {
  return quoteId.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

const INCLUDED: Readonly<Record<string, string>> = {
  train: "the car train",
  tolls: "tolls",
  place_fees: "parking and access fees",
  night: "the night surcharge",
  holidays: "the holiday surcharge",
  seasons: "seasonal surcharges",
};

/** How a language writes the values in sentences. `Part` is a piece of text, which pages may mark. */
export interface SentenceWords<Part> {
  day(monthDay: string): string;
  date(date: string): string;
  instant(local: string): string;
  /** A time of the day of the pickup, or after "at", "by", "from" or "to" an instant on another day. */
  moment(local: string): string;
  duration(minutes: number): string;
  /** What a fixed fare includes; empty for an unknown code. */
  included(code: string): string;
  plural(forms: { readonly one: string; readonly other: string }, count: number): string;
  /** A value without a format of its own, by its name. */
  value(name: string, value: Value): string | Part;
}

/** The pieces of a sentence with its values; `undefined` if one is missing. */
export function sentenceOf<Part>(
  template: Template,
  values: Readonly<Record<string, Value>>,
  words: SentenceWords<Part>,
): readonly (string | Part)[] | undefined {
  const pieces: (string | Part)[] = [];
  for (const piece of template) {
    if (typeof piece === "string") pieces.push(piece);
    else if ("alternatives" in piece) {
      const all = piece.alternatives.map((each) => sentenceOf(each, values, words));
      pieces.push(...(all.find((each) => each !== undefined) ?? []));
    } else {
      const value = values[piece.name];
      if (value === undefined) return undefined;
      pieces.push(...written(piece, value, words));
    }
  }
  return pieces;
}

function written<Part>({ name, format, forms }: Placeholder, value: Value, words: SentenceWords<Part>) {
  const text = String(value);
  if (forms) return [words.plural(forms, Number(value))];
  switch (format) {
    case "moment":
      return [text.length > "14:05".length ? words.moment(text) : text];
    case "day":
    case "date":
    case "instant":
      return [words[format](text)];
    case "duration":
      return [words.duration(Number(value))];
    case "parts":
      return text.split(", ").flatMap((code) => (words.included(code) ? [`${words.included(code)}, `] : []));
    case "?":
      return [];
    // The classes that a sentence is about, in parentheses; empty if it is about all.
    case "only":
      return value === "" || (typeof value === "object" && value.length === 0)
        ? []
        : [" (", words.value(name, value), ")"];
    default:
      return [words.value(name, value)];
  }
}

const PLURAL = new Intl.PluralRules("en");

/** What agents read; `classOf` names vehicle classes by id. */
export function englishWords(classOf: (id: string) => string): SentenceWords<never> {
  return {
    day: dayName,
    date: dateName,
    instant: instantName,
    moment: (local) => `${local.slice(11, 16)} on ${dateName(local)}`,
    duration: durationText,
    included: (code) => INCLUDED[code] ?? "",
    plural: (forms, count) => (PLURAL.select(count) === "one" ? forms.one : forms.other),
    value: (_, value) => valueText(value, undefined, classOf),
  };
}

/** Numbers of roads and codes of countries ("A2", "CH–IT") are the same in every language. */
export function isNumber(text: string): boolean {
  return !/\p{Ll}/u.test(text);
}

/**
 * Templates of sentences, for agents and for pages in every language. `{x}` is a value, `{x format}` a value that is
 * written in its own way, and `{x|one|other}` the word that the number x requires. `[a|b]` is the first alternative whose
 * values are all there, and nothing if there is none; `{x?}` is not written, but has to be there.
 */
export type Template = readonly (string | Placeholder | { readonly alternatives: readonly Template[] })[];

interface Placeholder {
  readonly name: string;
  readonly format?: string | undefined;
  /** Words for one and for several. */
  readonly forms?: { readonly one: string; readonly other: string } | undefined;
}

const PIECES = /(\{[^}]+\}|\[[^\]]+\])/;

export function templateOf(text: string): Template {
  return text.split(PIECES).flatMap((piece) => {
    if (piece.startsWith("[")) {
      // A bar within braces separates the words of a placeholder.
      const alternatives = piece.slice(1, -1).match(/(?:[^|{]|\{[^}]*\})+/g) ?? [];
      return { alternatives: alternatives.map(templateOf) };
    }
    const [, name, format, condition, one, other] = /^\{(\w+)(?: (\w+)|(\?)|\|([^|]+)\|([^|]+))?\}$/.exec(piece) ?? [];
    if (name === undefined) return piece || [];
    return {
      name,
      format: format ?? condition,
      forms: one === undefined || other === undefined ? undefined : { one, other },
    };
  });
}

/**
 * How sentences name vehicle classes, by id: by the type without its example, which follows a comma; by the whole type where
 * others begin alike, and with the id where others have the same.
 */
export function classNames(classes: readonly { readonly id: string; readonly type: string }[]): (id: string) => string {
  const isShared = (nameOf: (type: string) => string, type: string) =>
    classes.filter((each) => nameOf(each.type) === nameOf(type)).length > 1;
  const shortOf = (type: string) => type.split(",", 1)[0] ?? type;
  const nameOf = ({ id, type }: (typeof classes)[number]) => {
    if (!isShared(shortOf, type)) return shortOf(type);
    return isShared((each) => each, type) ? `${type} (${id})` : type;
  };
  const names = new Map(classes.map((each) => [each.id, nameOf(each)]));
  return (id) => names.get(id) ?? id;
}
