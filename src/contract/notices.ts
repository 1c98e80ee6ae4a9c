import { NOTICES, type NoticeCode } from "./notice-codes.ts";
import { FORMATS } from "./notice-formats.ts";

/**
 * A message to the traveler. `text` is the English limitation, rendered from `code` and `values`. A notice about one
 * direction of a return journey has the value `leg`, and its text starts with "Outbound: " or "Return: ".
 */
export interface Notice {
  readonly code: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly text: string;
}

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

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function asItIs(text: string): string {
  return text;
}

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ?
      | (Name extends `${infer Word}|${string}` ? Word : Name extends `${infer Word} ${string}` ? Word : Name)
      | Placeholder<Rest>
  : never;
/** The values that a notice's text names. */
type Values<Code extends NoticeCode> = { readonly [Name in Placeholder<(typeof NOTICES)[Code]>]: Value };

export function notice<Code extends NoticeCode>(
  code: Code,
  ...[values]: Placeholder<(typeof NOTICES)[Code]> extends never ? [] : [values: Values<Code>]
): Notice {
  return noticeOf(code, { ...values });
}

/** The notice with some values replaced; unchanged if it has a code of an earlier version, which is unknown here. */
export function withValues(original: Notice, changed: Notice["values"]): Notice {
  const { code, values } = original;
  return isNoticeCode(code) ? noticeOf(code, { ...values, ...changed }) : original;
}

/** A notice whose values were collected elsewhere; without `classOf` its text has the ids of vehicle classes. */
export function noticeOf(code: NoticeCode, values: Notice["values"], classOf = asItIs): Notice {
  const text = TEMPLATES[code].map((part) =>
    typeof part === "string" ? part : part.format(valueText(values[part.name] ?? "", asItIs, classOf)),
  );
  return { code, values, text: `${LEGS[String(values.leg)] ?? ""}${text.join("")}` };
}

/** The notices with names in place of the ids of vehicle classes in their texts. */
export function namingClasses(notices: readonly Notice[], classOf: (id: string) => string): readonly Notice[] {
  return notices.map((each) => {
    const { code, values } = each;
    const isAboutClasses = Object.values(values).some((value) => typeof value === "object" && value.some(hasClasses));
    return isAboutClasses && isNoticeCode(code) ? noticeOf(code, values, classOf) : each;
  });
}

function hasClasses({ classes }: Part): boolean {
  return classes !== undefined;
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
    return isShared(asItIs, type) ? `${type} (${id})` : type;
  };
  const names = new Map(classes.map((each) => [each.id, nameOf(each)]));
  return (id) => names.get(id) ?? id;
}

const LEGS: Readonly<Record<string, string>> = { outbound: "Outbound: ", return: "Return: " };

type Template = readonly (string | { readonly name: string; readonly format: (value: string) => string })[];

function templateOf(text: string): Template {
  return text.split(/(\{[^}]+\})/).map((piece) => {
    const [, name, format = "", one, other = ""] = /^\{(\w+)(?: (\w+)|\|([^|]+)\|([^|]+))?\}$/.exec(piece) ?? [];
    if (name === undefined) return piece;
    if (one === undefined) return { name, format: FORMATS[format] ?? asItIs };
    return { name, format: (count) => (PLURAL.select(Number(count)) === "one" ? one : other) };
  });
}

const PLURAL = new Intl.PluralRules("en");

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}

/** One notice for each text, in order of first appearance. */
export function distinct(notices: readonly Notice[]): readonly Notice[] {
  return [...new Map(notices.map((each) => [each.text, each])).values()];
}

/** Items with the same key together, in order of first appearance. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Merges the notices of both directions: equal ones appear once, others are marked with their direction. */
export function ofDirections(outbound: readonly Notice[], back: readonly Notice[] | undefined): readonly Notice[] {
  if (!back) return outbound;
  const alone = (leg: string, notes: readonly Notice[], others: readonly Notice[]) =>
    notes.map((each) => (others.some(({ text }) => text === each.text) ? each : withValues(each, { leg })));
  return distinct([...alone("outbound", outbound, back), ...alone("return", back, outbound)]);
}

export function textsOf(notices: readonly Notice[]): readonly string[] {
  return notices.map(({ text }) => text);
}

const TEMPLATES = Object.fromEntries(
  Object.entries(NOTICES).map(([code, text]) => [code, templateOf(text)]),
) as Readonly<Record<NoticeCode, Template>>;
