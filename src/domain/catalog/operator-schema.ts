import { z } from "zod/v3";
import { name, refersTo, strictObject, text } from "./fields.ts";

const line = text.max(256);

const webAddress = z
  .string()
  .url()
  .regex(/^https?:/, "Not a web address");

/** Background of light pages, from which the operator's color has to stand out. */
const GROUND = "#f3f5f6";
const LEAST_CONTRAST = 4.5;

const color = z
  .string()
  .regex(/^#[\da-f]{6}$/i, "Not a color such as #0b5d66")
  .superRefine((value, { addIssue }) => {
    const contrast = contrastOf(value, GROUND);
    if (!(contrast < LEAST_CONTRAST)) return;
    const message = `Its contrast with the page is ${contrast.toFixed(2)}, at least ${LEAST_CONTRAST} is needed: choose a darker color`;
    addIssue({ code: z.ZodIssueCode.custom, message });
  });

export const OperatorFile = strictObject({
  name: name.describe("as travelers know the operator"),
  phone: text.regex(/^\+[\d ]{7,24}$/, "Not an international number such as +41 44 000 00 00"),
  email: z.string().email(),
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

export type OperatorRecord = z.output<typeof OperatorFile>;

/** The contrast ratio of two colors as WCAG 2.2 defines it. */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
