import { zodToJsonSchema } from "zod-to-json-schema";
import { catalogKinds, kindNames } from "../../src/domain/catalog/catalog-files.ts";

const REPLACE = { type: "boolean", description: "replaces the packaged file rather than being merged with it" };

/** The JSON Schemas that catalog files name in `$schema`, by path relative to the root of the package. */
export const catalogJsonSchemas: Readonly<Record<string, object>> = Object.fromEntries(
  kindNames.map((name) => [`fixtures/catalog/schemas/${name}.schema.json`, jsonSchemaOf(catalogKinds[name])]),
);

/**
 * What the loader accepts and the Zod schemas do not have: `$schema` and `replace` in every file, records with `remove`,
 * and files with some of their lists, because those of an overlay are merged before they are checked.
 */
function jsonSchemaOf({ schema, keys }: (typeof catalogKinds)[keyof typeof catalogKinds]): object {
  const json = zodToJsonSchema(schema, { $refStrategy: "none" }) as ObjectSchema;
  if (!("properties" in json)) throw new Error("a catalog file is an object");
  const properties: Record<string, ListSchema> = { $schema: { type: "string" }, replace: REPLACE, ...json.properties };
  const records = Object.entries(keys);
  for (const [field, key] of records) {
    const { items, additionalProperties, ...list } = properties[field] ?? {};
    const remove = { type: "boolean", const: true, description: "takes the packaged record away" };
    const named = key === "map" ? {} : Object.fromEntries(key.map((name) => [name, { type: "string" }]));
    const removal = {
      type: "object",
      properties: { ...named, remove },
      required: [...Object.keys(named), "remove"],
      additionalProperties: false,
    };
    properties[field] =
      key === "map"
        ? { ...list, additionalProperties: { anyOf: [additionalProperties, removal] } }
        : { ...list, items: { anyOf: [items, removal] } };
  }
  const required = records.length > 0 ? undefined : json.required;
  return { ...json, properties, ...(records.length > 0 && { required }) };
}

interface ListSchema {
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ListSchema>>;
  readonly required?: readonly string[];
}
