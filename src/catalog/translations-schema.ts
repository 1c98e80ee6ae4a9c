import { z } from "zod/v3";
import { text } from "./fields.ts";

/** Languages of the traveler's page beside English, in which the catalog is written. */
export const LANGUAGES = ["de", "fr", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

const translated = text.optional().describe("absent: the English text is shown");
export const TranslationsFile = z
  .object({
    texts: z
      .record(z.object({ de: translated, fr: translated, it: translated }).strict())
      .describe("by the English text, exactly as another file of the catalog has it"),
  })
  .strict();

/** By the English text. */
export type Translations = z.output<typeof TranslationsFile>["texts"];
