import type { z } from "zod/v3";
import { type JsonSchema, jsonSchemaOf } from "../contract/json-schema.ts";

/** Made once for each operation: making one costs more than the call. */
const publishedSchemas = new WeakMap<z.ZodTypeAny, JsonSchema>();

export function publishedSchemaOf(schema: z.ZodTypeAny): JsonSchema {
  const known = publishedSchemas.get(schema) ?? jsonSchemaOf(schema);
  publishedSchemas.set(schema, known);
  return known;
}

/** A field: its schema, what was sent, and whether it can be left out. */
export interface Field {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
}

export function fieldAt(schema: JsonSchema, input: unknown, path: readonly (string | number)[]): Field {
  return path.reduce<Field>(
    ({ schema, value }, key) => {
      const {
        items,
        properties = {},
        required = [],
      } = schema as {
        items?: JsonSchema;
        properties?: Record<string, JsonSchema>;
        required?: readonly (string | number)[];
      };
      return {
        schema: (typeof key === "number" ? items : properties[key]) ?? {},
        value: (value as Record<string | number, unknown> | undefined)?.[key],
        isRequired: typeof key === "number" || required.includes(key),
      };
    },
    { schema, value: input, isRequired: true },
  );
}
