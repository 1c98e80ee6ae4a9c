import { z } from "zod/v3";
import { strictObject } from "./fields.ts";

/** Languages of the traveler's page beside English, in which the catalog is written. */
export const LANGUAGES = ["de", "fr", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages that an operator can offer to travelers. */
export const OFFERED = ["en", ...LANGUAGES] as const;

const translated = z.string().optional().describe("absent or empty: the English text is shown");
export const TranslationsFile = strictObject({
  texts: z
    .record(strictObject({ de: translated, fr: translated, it: translated }))
    .describe("by the English text, exactly as another file of the catalog has it"),
});

/** By the English text. */
export type Translations = z.output<typeof TranslationsFile>["texts"];
