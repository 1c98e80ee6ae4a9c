import { NOTICES, type NoticeCode } from "./notice-codes.ts";
import { englishWords, sentenceOf, templateOf, type Value } from "./notice-formats.ts";

export type { Part, Value } from "./notice-formats.ts";
export { valueText } from "./notice-formats.ts";

/**
 * A message to the traveler. `text` is the English limitation, rendered from `code` and `values`. A notice about one
 * direction of a return journey has the value `leg`, and its text starts with "Outbound: " or "Return: ".
 */
export interface Notice {
  readonly code: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly text: string;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Name<Inner> = Inner extends `${infer Word}|${string}` | `${infer Word}?`
  ? Word
  : Inner extends `${infer Word} ${string}`
    ? Word
    : Inner;
type Names<Text> = Text extends `${string}{${infer Inner}}${infer Rest}` ? Name<Inner> | Names<Rest> : never;
/** Names outside of brackets, and those within, whose values may be left out. */
type Required<Text> = Text extends `${infer Before}[${string}]${infer Rest}`
  ? Names<Before> | Required<Rest>
  : Names<Text>;
type Optional<Text> = Text extends `${string}[${infer Inner}]${infer Rest}` ? Names<Inner> | Optional<Rest> : never;
/** The values that a notice's text names. */
type Values<Code extends NoticeCode> = { readonly [Name in Required<(typeof NOTICES)[Code]>]: Value } & {
  readonly [Name in Optional<(typeof NOTICES)[Code]> | "leg"]?: Value | undefined;
};

export function notice<Code extends NoticeCode>(
  code: Code,
  ...[values]: Names<(typeof NOTICES)[Code]> extends never ? [] : [values: Values<Code>]
): Notice {
  const given = Object.entries<Value | undefined>({ ...values }).filter(([, value]) => value !== undefined);
  return noticeOf(code, Object.fromEntries(given) as Notice["values"]);
}

/** The notice with some values replaced; its text is kept where it is of an earlier version, whose code or values differ. */
export function withValues(original: Notice, changed: Notice["values"]): Notice {
  const { code, text } = original;
  const values = { ...original.values, ...changed };
  return isNoticeCode(code) ? { code, values, text: textOf(code, values) ?? text } : original;
}

/** A notice whose values were collected elsewhere; without `classOf` its text has the ids of vehicle classes. */
export function noticeOf(code: NoticeCode, values: Notice["values"], classOf = (id: string) => id): Notice {
  return { code, values, text: textOf(code, values, classOf) ?? "" };
}

function textOf(code: NoticeCode, values: Notice["values"], classOf = (id: string) => id): string | undefined {
  const parts = sentenceOf(TEMPLATES[code], values, englishWords(classOf));
  return parts && `${LEGS[String(values.leg)] ?? ""}${parts.join("")}`;
}

/**
 * The notices with names in place of the ids of vehicle classes in their texts, and with each value that is one of the
 * caller's own texts in quotation marks, so that nobody takes it for ours.
 */
export function namingClasses(
  notices: readonly Notice[],
  classOf: (id: string) => string,
  callersTexts: ReadonlySet<string> = new Set(),
): readonly Notice[] {
  const quoted = (text: string) => (callersTexts.has(text) ? `"${text.replaceAll('"', "'")}"` : text);
  const quotedIn = (value: Value): Value => {
    if (typeof value !== "object") return typeof value === "string" ? quoted(value) : value;
    return value.map((part) => (part.text === undefined ? part : { ...part, text: quoted(part.text) }));
  };
  return notices.map((each) => {
    const values = Object.entries(each.values).map(([name, value]) => [name, quotedIn(value)]);
    return isNoticeCode(each.code) ? noticeOf(each.code, Object.fromEntries(values), classOf) : each;
  });
}

const LEGS: Readonly<Record<string, string>> = { outbound: "Outbound: ", return: "Return: " };

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

/** Merges the notices of the directions, outbound first: equal ones appear once, others are marked with their direction. */
export function ofBoth([outbound = [], back]: readonly (readonly Notice[])[]): readonly Notice[] {
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
) as Readonly<Record<NoticeCode, ReturnType<typeof templateOf>>>;
