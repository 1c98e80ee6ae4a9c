import type { JsonSchema } from "../contract/json-schema.ts";

/** A schema without these words at every depth, such as "description". Fields of that name stay. */
export function schemaWithout(schema: JsonSchema, words: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(schema).filter(([word]) => !words.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, partOf(word, value)]));

  function partOf(word: string, value: unknown): unknown {
    if (word === "properties") {
      const fields = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(fields.map(([name, field]) => [name, schemaWithout(field, words)]));
    }
    const isSchema = typeof value === "object" && value !== null && !Array.isArray(value);
    return isSchema ? schemaWithout(value as JsonSchema, words) : value;
  }
}
