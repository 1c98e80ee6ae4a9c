import type { z } from "zod/v3";
import type { FieldError } from "../contract/errors.ts";
import type { Field } from "./field-at.ts";
import { nearestField } from "./nearest-field.ts";

/** More are not named in one response. */
export const MOST_FIELD_ERRORS = 50;

/** Each unknown name with the field that it means; `renamed` collects those fields, which are not missing then. */
export function unknownFields(
  { keys, path }: z.ZodUnrecognizedKeysIssue,
  { schema, value }: Field,
  renamed: Set<string>,
): readonly FieldError[] {
  const sent = new Set(Object.keys(value as object));
  const unsent = Object.keys((schema.properties ?? {}) as object).filter((name) => !sent.has(name));
  return keys.slice(0, MOST_FIELD_ERRORS).map((key) => {
    const field = [...path, key].join(".");
    const meant = nearestField(key, unsent);
    const target = meant && [...path, meant].join(".");
    if (!target || renamed.has(target)) return { field, message: "Unknown field; remove it." };
    renamed.add(target);
    return { field, message: `Unknown field; send it as ${meant}.` };
  });
}
