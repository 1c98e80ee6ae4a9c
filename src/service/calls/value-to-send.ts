import type { JsonSchema } from "../../contract/json-schema.ts";

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** Longer text is not parsed as JSON, because its value would be too long for a message. */
const LONGEST_JSON = 300;

/** A value of the field's type that the caller's value clearly means, to suggest it; `undefined` if there is none. */
export function valueToSend(schema: JsonSchema, value: unknown): unknown {
  const meant = converted(schema, value);
  return meant !== undefined && isWithinLimits(schema, meant) ? meant : undefined;
}

function converted(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(schema.enum)) return enumValue(schema.enum, value);
  switch (schema.type) {
    case "integer":
    case "number":
      return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : undefined;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : undefined;
    case "string":
      return schema.format === undefined ? textOf(value) : undefined;
    case "array":
      return arrayOf(schema.items as JsonSchema, value);
    case "object":
      return objectOf(schema, value);
  }
}

/** Such as "Point-to-Point" for point_to_point. */
function enumValue(values: readonly unknown[], value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase().replace(/[\s-]+/g, "_");
  return value !== word && values.includes(word) ? word : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { name, lat, lng } = value as { name?: unknown; lat?: unknown; lng?: unknown };
  if (typeof lat === "number" && typeof lng === "number") return `${lat}, ${lng}`;
  return typeof name === "string" ? name : undefined;
}

function arrayOf(items: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return undefined;
  const parsed = typeof value === "string" ? parsedJson(value) : undefined;
  if (Array.isArray(parsed)) return parsed;
  const isItem = typeof value === "object" && hasRequired(items, value);
  const item = isItem ? value : objectOf(items, value);
  return item === undefined ? undefined : [item];
}

/** Text that is the object's JSON, or the value of its only required field. */
function objectOf(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== "string" || value === "") return undefined;
  const parsed = parsedJson(value);
  if (typeof parsed === "object" && hasRequired(schema, parsed)) return parsed;
  const [only, ...others] = (schema.required ?? []) as readonly string[];
  return only === undefined || others.length > 0 ? undefined : { [only]: value };
}

function hasRequired({ required = [] }: JsonSchema, value: object | null): boolean {
  return value !== null && (required as readonly string[]).every((name) => Object.hasOwn(value, name));
}

function parsedJson(text: string): unknown {
  if (text.length > LONGEST_JSON) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWithinLimits(schema: JsonSchema, value: unknown): boolean {
  const size = typeof value === "string" ? value.length : value;
  if (typeof size !== "number") return true;
  const { minimum, maximum, minLength = minimum, maxLength = maximum } = schema as Record<string, number>;
  const isOfType = schema.type !== "integer" || Number.isInteger(value);
  return isOfType && size >= (minLength ?? size) && size <= (maxLength ?? size);
}
