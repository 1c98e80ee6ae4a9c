import { z } from "zod/v3";
import { name, refersTo, strictObject, text } from "./fields.ts";

/** Languages of the traveler's page beside English, in which the catalog is written. */
export const LANGUAGES = ["de", "fr", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages that an operator can offer to travelers. */
export const OFFERED = ["en", ...LANGUAGES] as const;

const line = text.max(256);

const webAddress = z
  .string()
  .url("Not a web address such as https://transfers.example")
  .regex(/^https?:/, "Not a web address");

const color = z.string().regex(/^#[\da-f]{6}$/i, "Not a color such as #0b5d66");

export const OperatorFile = strictObject({
  name: name.describe("as travelers know the operator"),
  phone: text.regex(/^\+[\d ]{7,24}$/, "Not an international number such as +41 44 000 00 00"),
  email: z.string().email("Not an e-mail address"),
  languages: z
    .array(z.enum(OFFERED))
    .nonempty()
    .refine((languages) => new Set(languages).size === languages.length, "It names a language twice")
    .default([...OFFERED])
    .describe("that travelers can read pages and card in; the first where they prefer none of them"),
  website: webAddress.optional(),
  termsUrl: webAddress.optional().describe("the operator's terms and conditions"),
  vatNumber: name.optional().describe("as printed on invoices, e.g. CHE-123.456.789 MWST"),
  postalAddress: line.optional().describe("in one line, e.g. Bahnhofstrasse 1, 8001 Zurich, Switzerland"),
  registerNumber: name.optional().describe("in the commercial register, e.g. CHE-123.456.789"),
  license: line.optional().describe("for travelers: the license to carry passengers, with its authority and number"),
  phoneHours: line.optional().describe("for travelers: when the phone is answered, e.g. daily 07:00 to 22:00"),
  paymentMethods: line.optional().describe("for travelers: how they can pay, e.g. credit cards, TWINT, invoice"),
  privacyUrl: webAddress.optional().describe("the operator's own privacy policy, which /privacy links to"),
  logo: z
    .string()
    .regex(/^[\w-]+\.(svg|png)$/, "Not the name of an SVG or PNG file")
    .optional()
    .describe("a file in this folder, at most 64 KB, shown on light and dark backgrounds; absent: the project's own"),
  color: color
    .optional()
    .describe("of buttons and links, such as #0b5d66, legible on a light background; lightened for a dark one"),
  meetingPoints: z
    .record(refersTo("airport"), text)
    .optional()
    .describe("for travelers: where the driver waits, by id of the airport; one or more sentences"),
  corridorTexts: z
    .record(refersTo("corridor"), text)
    .optional()
    .describe("for travelers: what else they need to know, by key of the corridor; one or more sentences"),
}).describe("the operator, whom travelers contact to confirm journeys that cannot be paid online");

const translated = z.string().optional().describe("absent or empty: the English text is shown");
export const TranslationsFile = strictObject({
  texts: z
    .record(strictObject({ de: translated, fr: translated, it: translated }))
    .describe("by the English text, exactly as another file of the catalog has it"),
});

export type OperatorRecord = z.output<typeof OperatorFile>;
/** By the English text. */
export type Translations = z.output<typeof TranslationsFile>["texts"];

/** The languages that the operator offers beside English. */
export function translatedInto({ languages }: Pick<OperatorRecord, "languages">): readonly Language[] {
  return LANGUAGES.filter((each) => languages.includes(each));
}
