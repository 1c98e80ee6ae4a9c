import { z } from "zod/v3";
import { ignoreOverride, type JsonSchema7Type, zodToJsonSchema } from "zod-to-json-schema";
import { DateTime } from "./request-fields.ts";

/** The keywords that are read here, and others. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/**
 * The JSON Schema of a contract schema, without `$ref` and without `anyOf` for "or null", because many MCP hosts reject
 * both. Optional request fields accept null but have a single type here, because some model APIs reject a list of
 * types; with `namesNull` their types include null. `references` are the `$ref`s that stand for parts of the schema, by the
 * part's `shape`.
 */
export function jsonSchemaOf(schema: z.ZodTypeAny, { namesNull = false, references = NO_REFERENCES } = {}): JsonSchema {
  const { $schema: _, ...rest } = zodToJsonSchema(schema, {
    $refStrategy: "none",
    pipeStrategy: "output",
    override: (def, { currentPath }) => {
      // `.describe()` copies the definition but keeps the list of checks and the shape, by which it is identified.
      const { checks, shape, description } = def as { checks?: unknown; shape?: unknown; description?: string };
      const $ref = currentPath.length > 1 ? references.get(shape) : undefined;
      if ($ref) return { ...(description && { description }), $ref };
      if (checks !== DateTime._def.checks) return ignoreOverride;
      return { type: "string", format: "date-time", ...(description && { description }) };
    },
    postProcess: (json, def) => {
      if (!json) return json;
      const { typeName } = def as { typeName?: z.ZodFirstPartyTypeKind };
      if (namesNull && typeName && OMITTED_AS_NULL.includes(typeName)) return orNull(json as JsonSchema);
      return withoutDefault(withoutNullUnion(json));
    },
  });
  return rest as JsonSchema;
}

const NO_REFERENCES: ReadonlyMap<unknown, string> = new Map();

/** Fields that a request can leave out by null. */
const OMITTED_AS_NULL = [z.ZodFirstPartyTypeKind.ZodOptional, z.ZodFirstPartyTypeKind.ZodDefault];

function orNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema7Type {
  const options = Array.isArray(values) && { enum: [...values, null] };
  return { type: [type, "null"], ...options, ...rest } as JsonSchema7Type;
}

/**
 * Drops `additionalProperties: true`, the default, to keep the tool list small. A record of unknown values keeps it:
 * linters read an object with neither `properties` nor `additionalProperties` as closed.
 */
function withoutDefault(json: JsonSchema7Type): JsonSchema7Type {
  const { additionalProperties, ...rest } = json as JsonSchema;
  if (additionalProperties === true) return rest as JsonSchema7Type;
  const isAnything = typeof additionalProperties === "object" && Object.keys(additionalProperties ?? {}).length === 0;
  return isAnything ? ({ ...rest, additionalProperties: true } as JsonSchema7Type) : json;
}

/** Rewrites `anyOf: [X, null]` as X with `null` among its types. Bounds still apply to their own type only. */
function withoutNullUnion(json: JsonSchema7Type): JsonSchema7Type {
  const { anyOf, ...rest } = json as { anyOf?: readonly JsonSchema[] };
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null") return json;
  return { ...anyOf[0], ...rest, type: [anyOf[0]?.type, "null"] } as JsonSchema7Type;
}
