import { z } from "zod/v3";

/**
 * The arguments of a call as their schema parses them, and what is wrong with them. Null in an optional field means
 * omitted. Nulls and the content of texts are handled here and not by effects of the schema, each of which costs a call
 * far more.
 */
export function parseArguments(schema: z.ZodTypeAny, input: unknown) {
  const faults: z.ZodIssue[] = [];
  const { data, error } = schema.safeParse(prepared(schema, input, [], faults));
  return { data: data as unknown, issues: [...(error?.issues ?? []), ...faults] };
}

/**
 * Arguments without the optional fields that are null: strict function calling sends null for omitted fields. Other
 * values, and nulls in fields that the schema requires or does not know, stay for the schema to judge. What is wrong with
 * the content of texts is added to `faults`.
 */
function prepared(
  schema: z.ZodTypeAny,
  value: unknown,
  path: readonly (string | number)[],
  faults: z.ZodIssue[],
): unknown {
  const core = coreOf(schema);
  if (core instanceof z.ZodString && typeof value === "string") {
    const fault = CONTENT.get(core._def.checks)?.(value);
    if (fault) faults.push({ code: z.ZodIssueCode.custom, path: [...path], ...fault });
  }
  if (core instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => prepared(core.element, item, [...path, index], faults));
  if (!(core instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const kept = { ...value } as Record<string, unknown>;
  for (const [name, field] of Object.entries<z.ZodTypeAny>(core.shape)) {
    if (!Object.hasOwn(value, name)) continue;
    const isOptional = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
    if (kept[name] === null && isOptional) delete kept[name];
    else kept[name] = prepared(field, kept[name], [...path, name], faults);
  }
  return kept;
}

/** The schema of a value that is there. */
function coreOf(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional) return coreOf(schema.unwrap());
  if (schema instanceof z.ZodDefault) return coreOf(schema.removeDefault());
  return schema instanceof z.ZodPipeline ? coreOf(schema._def.out) : schema;
}

/** A list of at most `most` items. A longer list is rejected before any item is validated. */
export function listOf<S extends z.ZodTypeAny>(item: S, most: number) {
  return z.array(z.unknown()).max(most).pipe(z.array(item).max(most));
}

/**
 * Characters that could make the text that the traveler reads differ from the text that was priced: control characters,
 * including line breaks; those without a form of their own, such as a zero-width space or a change of direction, but
 * not the selector after an emoji; and phonetic letters, which look like those of names.
 */
const MISLEADING =
  /[\p{Cc}\p{Zl}\p{Zp}\u0250-\u02af\u1d00-\u1dbf]|(?!(?<=\p{Extended_Pictographic})\ufe0f)\p{Default_Ignorable_Code_Point}/u;
/** Scripts that a text may not mix, because their letters look alike; those of East Asia stand beside Latin ones. */
const SCRIPTS = [
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u,
  ...["Cyrillic", "Greek", "Armenian", "Hebrew", "Arabic", "Devanagari", "Thai", "Georgian"].map(
    (script) => new RegExp(`\\p{Script=${script}}`, "u"),
  ),
];
const PLAIN = /^[\x20-\x7e]*$/;

/** What makes the text misleading, and how to send it instead. */
function misleadingIn(text: string): TextFault | undefined {
  if (PLAIN.test(text)) return undefined;
  const [found] = MISLEADING.exec(text) ?? [];
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { message: `Contains U+${code}, an invisible, control or phonetic character; send the text without it` };
  }
  const letters = text.match(/(?![\p{Script=Common}\p{Script=Inherited}])\p{L}/gu) ?? [];
  const scripts = new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter))));
  return scripts.size > 1 ? { message: "Mixes letters of several scripts; send it in the letters of one" } : undefined;
}

/** A place as people write it, 1 to 512 characters; `parseArguments` also checks that it is not misleading. */
export const PlaceText = z.string().min(1).max(512);

/** Argument of the tools that support idempotent retries; REST takes it from the `Idempotency-Key` header. */
export const IdempotencyKey = z
  .string()
  .regex(
    /^[\x21-\x7e]{1,255}$/,
    "Must be 1 to 255 visible ASCII characters without spaces; send a new key, such as a UUID",
  )
  .optional()
  .describe("the same on a retry");

/** `params` of a Zod issue that is reported as INVALID_DATETIME instead of INVALID_REQUEST. */
export interface DateTimeFault {
  readonly code: "INVALID_DATETIME";
  /** Whether the UTC offset is missing from a date and time that are otherwise valid. */
  readonly lacksOffset: boolean;
}

const SHAPE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?$/;
/** A time of day, or how far one is from UTC. */
const CLOCK = /^(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d+)?$/;

/** Text in the format of an RFC 3339 date-time; `parseArguments` also checks that it names a real instant. */
export const DateTime = z.string().regex(SHAPE, "Not an RFC 3339 date-time");

/** Whether text is an RFC 3339 date-time that names a real instant. */
export function isDateTime(text: string): boolean {
  return DateTime.safeParse(text).success && !dateTimeFault(text);
}

interface TextFault {
  readonly message: string;
  readonly params?: DateTimeFault;
}

/** What is wrong with the content of a text, by the checks of its schema, which `.describe()` and `.optional()` keep. */
const CONTENT = new Map<unknown, (text: string) => TextFault | undefined>([
  [PlaceText._def.checks, misleadingIn],
  [DateTime._def.checks, dateTimeFault],
]);

/** What is wrong with text in the format of a date-time; `undefined` for any other text. */
function dateTimeFault(text: string): TextFault | undefined {
  const [, date, time, offset] = SHAPE.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const fault = (message: string, lacksOffset = false): TextFault => ({
    message,
    params: { code: "INVALID_DATETIME", lacksOffset },
  });
  if (!isDay(date)) return fault("Not an existing date");
  if (!CLOCK.test(time)) return fault("Not a time of day");
  if (!offset) return fault("The UTC offset is missing", true);
  if (offset.length > 1 && !CLOCK.test(offset.slice(1))) return fault("Not a UTC offset");
  // RFC 3339 allows the years 0000 to 9999; in UTC the instant can fall outside of them.
  return /^\d{4}-/.test(instantOf(text).toISOString()) ? undefined : fault("Not in the years 0000 to 9999 in UTC");
}

/** Dates that do not exist are other days, or none. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/** The instant of a text that passed `DateTime`. */
export function instantOf(text: string): Date {
  return new Date(text.toUpperCase().replace(" ", "T"));
}
