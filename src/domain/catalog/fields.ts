import { z } from "zod/v3";

/** Whether YYYY-MM-DD exists, with or without a time, or MM-DD in a leap year. */
function isDay(text: string): boolean {
  const day = text.length === 5 ? `2028-${text}` : text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** A day of the calendar, MM-DD or with more around it. */
export function dayOf(before: string, after: string, message: string) {
  const form = new RegExp(`^${before}(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])${after}$`);
  return z.string().regex(form, message).refine(isDay, "Not a day of the calendar");
}

/** Whether a day is one of these, first and last included; those without a year (MM-DD) may run over New Year. */
export function isInDays({ from, to }: { readonly from: string; readonly to: string }, localDay: string): boolean {
  const day = localDay.slice(-from.length);
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

/** Message and place of a period whose last day or time, in the field at `path`, is before its first. */
export function endsBefore(from: string, ...path: string[]) {
  return { message: `It ends before it begins on ${from}: correct one of the two`, path };
}

/** An unknown field is a mistake. */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).strict(`unknown field; allowed: ${Object.keys(shape).join(", ")}`);
}

/** What a field may refer to, in the words of a mistake. */
export type Referent =
  | "airport"
  | "canton"
  | "corridor"
  | "country"
  | "country of service-area.json"
  | "place"
  | "place or zone"
  | "road"
  | "road node"
  | "special item"
  | "vehicle class";

export const referents = new WeakMap<z.ZodTypeAny, Referent>();

/** The name of a record elsewhere: one that does not exist is a mistake. */
export function refersTo(referent: Referent, description?: string): z.ZodString {
  const schema = description === undefined ? z.string() : z.string().describe(description);
  referents.set(schema, referent);
  return schema;
}

/** The schema of a field without its default, checks of its own, and whether it may be absent. */
export function unwrapped(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodDefault) return unwrapped(schema.removeDefault());
  return schema instanceof z.ZodEffects ? unwrapped(schema.innerType()) : schema;
}

/** Fields that several catalog files have. */
export const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Not lower-case words and hyphens");
export const placeId = refersTo("place", "id of a place");
export const placeOrZoneId = refersTo("place or zone", "id of a place or of a zone");
export const text = z.string().min(1);
export const name = text.max(128);
export const rappen = z.number().int().min(0);
export const positiveInteger = z.number().int().positive();
/** Ten years at most. */
export const horizonDays = positiveInteger.max(3653);
export const minutes = z.number().int().min(0);
export const latitude = z.number().min(-90).max(90).describe("WGS 84 degrees");
export const longitude = z.number().min(-180).max(180).describe("WGS 84 degrees");
export const position = { lat: latitude, lng: longitude };
export const kilometers = (most: number) => z.number().positive().max(most);
export const snakeCase = z.string().regex(/^[a-z][a-z0-9_]*$/, "Not a snake_case word");
export const postcode = z.string().regex(/^\d{4,5}$/, "Not a postcode");
export const hourFrom = z.number().int().min(0).max(23);
export const hourTo = z.number().int().min(1).max(24);
export const country = z.string().regex(/^[A-Z]{2}$/, "Not an ISO 3166-1 alpha-2 code such as CH, AT or IT");
export const servedCountry = refersTo("country of service-area.json", "listed in service-area.json");
export const knownCountry = refersTo("country", "code in regions.json, such as CH");
export const cantonCode = refersTo("canton", "code in regions.json, such as GR");
export const canton = z.string().regex(/^[A-Z]{2}$/, "Not a canton such as GR");
export const monthDay = dayOf("", "", "Not a month and day such as 12-25");
