import { z } from "zod/v3";

/** An optional request field. Null means omitted, because strict function calling sends null for omitted fields. */
export function optional<S extends z.ZodTypeAny>(schema: S) {
  return z.preprocess(nullAsAbsent, schema.optional());
}

/** An optional request field with a default; null means omitted. */
export function withDefault<S extends z.ZodTypeAny>(schema: S, value: z.util.noUndefined<z.input<S>>) {
  return z.preprocess(nullAsAbsent, schema.default(value));
}

export function nullAsAbsent(value: unknown): unknown {
  return value ?? undefined;
}

/** A list of at most `most` items. A longer list is rejected before any item is validated. */
export function listOf<S extends z.ZodTypeAny>(item: S, most: number) {
  return z.array(z.unknown()).max(most).pipe(z.array(item).max(most));
}

/**
 * Control characters, including line breaks, and characters that change the direction of text (Unicode Standard Annex
 * 9). They could make the text that the traveler reads differ from the text that was priced.
 */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A place as people write it, 1 to 512 characters. */
export const PlaceText = z
  .string()
  .min(1)
  .max(512)
  .superRefine((text, context) => {
    const [found] = INVISIBLE.exec(text) ?? [];
    if (found === undefined) return;
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    context.addIssue({
      code: z.ZodIssueCode.custom,
      message: `Contains U+${code}, a control or bidirectional character; send the text without it`,
    });
  });

/** Argument of the tools that support idempotent retries; REST takes it from the `Idempotency-Key` header. */
export const IdempotencyKey = optional(
  z
    .string()
    .regex(
      /^[\x21-\x7e]{1,255}$/,
      "Must be 1 to 255 visible ASCII characters without spaces; send a new key, such as a UUID",
    ),
).describe("a retry within 24 hours with the same key and arguments returns the original response");

/** `params` of a Zod issue that is reported as INVALID_DATETIME instead of INVALID_REQUEST. */
export interface DateTimeFault {
  readonly code: "INVALID_DATETIME";
  /** Whether the UTC offset is missing from a date and time that are otherwise valid. */
  readonly lacksOffset: boolean;
}

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?$/;

/**
 * An RFC 3339 date-time in a request. Text in another format is an ordinary issue. Text in this format that names no
 * real instant, or has no UTC offset, is an issue whose `params` are a `DateTimeFault`.
 */
export const DateTime = z.string().superRefine((text, context) => {
  const fault = faultOf(text);
  if (fault) context.addIssue({ code: z.ZodIssueCode.custom, ...fault });
});

function faultOf(text: string): { message: string; params?: DateTimeFault } | undefined {
  const match = SHAPE.exec(text);
  if (!match) return { message: "Not an RFC 3339 date-time" };
  const params = { code: "INVALID_DATETIME", lacksOffset: false } as const;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = match[7];
  // The calendar repeats every 400 years, and Date.UTC reads years below 100 as 19xx.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return { message: "Not an existing date", params };
  if (hour > 23 || minute > 59 || second > 59) return { message: "Not a time of day", params };
  if (!offset) return { message: "The UTC offset is missing", params: { ...params, lacksOffset: true } };
  const [offsetHour, offsetMinute] = offset.slice(1).split(":").map(Number);
  if ((offsetHour ?? 0) > 23 || (offsetMinute ?? 0) > 59) {
    return { message: "Not a UTC offset", params };
  }
  // RFC 3339 allows the years 0000 to 9999; in UTC the instant can fall outside of them.
  if ((year === 0 || year === 9999) && !/^\d{4}-/.test(instantOf(text).toISOString())) {
    return { message: "Not in the years 0000 to 9999 in UTC", params };
  }
  return undefined;
}

/** The instant of a text that passed `DateTime`. */
export function instantOf(text: string): Date {
  return new Date(text.toUpperCase().replace(" ", "T"));
}
