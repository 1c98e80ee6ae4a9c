import { z } from "zod/v3";

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
