import type { z } from "zod/v3";
import { zodToJsonSchema } from "zod-to-json-schema";
import { catalogFileSchemas } from "../../src/catalog/catalog-files.ts";

/** The JSON Schemas that catalog files name in `$schema`, by path relative to the root of the package. */
export const catalogJsonSchemas: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(catalogFileSchemas).map(([name, schema]) => [
    `fixtures/catalog/schemas/${name}.schema.json`,
    jsonSchemaOf(schema),
  ]),
);

/** The loader accepts `$schema` in every file and ignores it, so the Zod schemas do not have it. */
function jsonSchemaOf(schema: z.AnyZodObject): object {
  const json = zodToJsonSchema(schema, { $refStrategy: "none" });
  if (!("properties" in json)) throw new Error("a catalog file is an object");
  return { ...json, properties: { $schema: { type: "string" }, ...json.properties } };
}
