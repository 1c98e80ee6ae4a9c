import type { JsonSchema } from "../../contract/json-schema.ts";

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

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
      return schema.format === undefined && typeof value === "number" ? String(value) : undefined;
  }
}

/** Such as "Point-to-Point" for point_to_point. */
function enumValue(values: readonly unknown[], value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase().replace(/[\s-]+/g, "_");
  return value !== word && values.includes(word) ? word : undefined;
}

function isWithinLimits(schema: JsonSchema, value: unknown): boolean {
  const size = typeof value === "string" ? value.length : value;
  if (typeof size !== "number") return true;
  const { minimum, maximum, minLength = minimum, maxLength = maximum } = schema as Record<string, number>;
  const isOfType = schema.type !== "integer" || Number.isInteger(value);
  return isOfType && size >= (minLength ?? size) && size <= (maxLength ?? size);
}

const TYPES: Readonly<Record<string, string>> = {
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  string: "text",
};

/** The shape of a field's values in words, such as a list of {"kind": text, "count": a whole number}. */
export function shapeOf(schema: JsonSchema): string {
  const { type = "string", items = {}, properties = {}, required = [] } = schema;
  if (type === "array") return `a list of ${shapeOf(items)}`;
  if (type !== "object") return TYPES[String(type)] ?? "";
  return `{${required.map((name) => `"${name}": ${shapeOf(properties[name] ?? {})}`).join(", ")}}`;
}
