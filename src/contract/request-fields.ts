import { z } from "zod/v3";

/** An optional field of a request. Null is the field left out, because strict function calling sends it so. */
export function optional<S extends z.ZodTypeAny>(schema: S) {
  return z.preprocess(nullAsAbsent, schema.optional());
}

/** An optional field of a request that is `value` when it is left out. */
export function withDefault<S extends z.ZodTypeAny>(schema: S, value: z.util.noUndefined<z.input<S>>) {
  return z.preprocess(nullAsAbsent, schema.default(value));
}

export function nullAsAbsent(value: unknown): unknown {
  return value ?? undefined;
}

/** A list of at most `most` items. A longer one is refused by its length, before any item is validated. */
export function listOf<S extends z.ZodTypeAny>(item: S, most: number) {
  return z.array(z.unknown()).max(most).pipe(z.array(item).max(most));
}

/**
 * Control characters (line breaks among them) and characters that change the direction of text (Unicode Standard Annex
 * 9): what the traveler reads could differ from what was priced.
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
      "Not 1 to 255 visible ASCII characters without spaces; send a new key, such as a UUID",
    ),
).describe("a retry within 24 hours with the same key and arguments returns the original response");
