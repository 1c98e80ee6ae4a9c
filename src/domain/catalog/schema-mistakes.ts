import { z } from "zod/v3";
import { type CatalogKind, catalogKinds } from "./catalog-files.ts";
import { unwrapped } from "./fields.ts";
import { didYouMean } from "./nearest-name.ts";
import type { Json } from "./overlay.ts";

/** What does not match a schema: where, and in words for somebody who edits the file. */
export interface SchemaMistake {
  readonly path: string;
  readonly text: string;
}

const MOST_SHOWN = 60;
/** Fields that name a record, the first that it has. */
const NAMES = ["id", "key", "name", "kind", "code"];

/** The content as its schema returns it, or all mistakes in it. Of several mistakes at one path the first counts. */
export function parsed(
  kind: CatalogKind,
  content: Json,
): { readonly data?: Json; readonly mistakes: readonly SchemaMistake[] } {
  const { schema } = catalogKinds[kind];
  const result = schema.safeParse(content, { errorMap: (issue, { data }) => ({ message: wordsOf(issue, data) }) });
  if (result.success) return { data: result.data, mistakes: [] };
  const mistakes = result.error.issues.flatMap(likelyOf).flatMap((issue) => {
    const at = (path: readonly (string | number)[]) => namedPath(kind, content, path);
    if (issue.code === z.ZodIssueCode.unrecognized_keys) {
      const known = fieldsAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: at([...issue.path, key]),
        text: `unknown field${didYouMean(key, known) || `; allowed: ${known.join(", ")}`}`,
      }));
    }
    // These have the words of the schema, which do not contain the value.
    const isOwnText = issue.code === z.ZodIssueCode.custom || issue.code === z.ZodIssueCode.invalid_string;
    return [{ path: at(issue.path), text: `${issue.message}${isOwnText ? valueText(content, issue) : ""}` }];
  });
  // A text of the wrong form fails the checks of its meaning, too.
  const isFirst = ({ path }: SchemaMistake, n: number) => mistakes.findIndex((each) => each.path === path) === n;
  return { mistakes: mistakes.filter(isFirst) };
}

function wordsOf(issue: z.ZodIssueOptionalMessage, value: unknown): string {
  if (value === undefined) return "is missing";
  const is = typeof value === "object" && value !== null ? "" : `, is ${JSON.stringify(value)}`;
  switch (issue.code) {
    case z.ZodIssueCode.invalid_type:
      return `must be ${TYPES[issue.expected] ?? issue.expected}${is || `, is ${Array.isArray(value) ? TYPES.array : TYPES.object}`}`;
    case z.ZodIssueCode.invalid_literal:
      return `must be ${JSON.stringify(issue.expected)}${is}`;
    case z.ZodIssueCode.invalid_enum_value:
      return `must be one of ${issue.options.join(", ")}${is}${didYouMean(String(value), issue.options.map(String))}`;
    case z.ZodIssueCode.too_small:
      if (issue.type === "number") return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${is}`;
      return Number(issue.minimum) === 1
        ? "must not be empty"
        : `must have at least ${sizeText(issue, issue.minimum, value)}`;
    case z.ZodIssueCode.too_big:
      if (issue.type === "number") return `must be ${issue.inclusive ? "at most" : "less than"} ${issue.maximum}${is}`;
      return `must have at most ${sizeText(issue, issue.maximum, value)}`;
    case z.ZodIssueCode.not_multiple_of:
      return `must be a multiple of ${issue.multipleOf}${is}`;
    case z.ZodIssueCode.invalid_string:
      return `Not ${issue.validation === "email" ? "an e-mail address" : "a web address such as https://transfers.example"}`;
    default:
      return `is not allowed${is}`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  integer: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function sizeText({ type }: { readonly type: string }, limit: number | bigint, value: unknown): string {
  const { length } = value as string | readonly unknown[];
  return `${limit} ${type === "string" ? "characters" : "entries"}, has ${length}`;
}

/** Of the alternatives in a schema, those issues that come nearest to the content. */
function likelyOf(issue: z.ZodIssue): readonly z.ZodIssue[] {
  if (issue.code !== z.ZodIssueCode.invalid_union) return [issue];
  const nearest = issue.unionErrors.reduce((best, each) => (each.issues.length < best.issues.length ? each : best));
  return nearest.issues.flatMap(likelyOf);
}

/**
 * `zrh-zermatt.rappen.sedan`: the path with names of records instead of positions. The name of a list that is the only
 * one of its kind of file is left out.
 */
export function namedPath(kind: CatalogKind, content: unknown, path: readonly (string | number)[]): string {
  const named: string[] = [];
  const [list, ...otherLists] = Object.keys(catalogKinds[kind].keys);
  let value = content;
  for (const [depth, key] of path.entries()) {
    value = fieldOf(value, key);
    const [name] = typeof key === "number" ? NAMES.flatMap((field) => fieldOf(value, field) ?? []) : [];
    const ends = [fieldOf(value, "from"), fieldOf(value, "to")];
    if (typeof name === "string" && name !== "") {
      if (depth === 1 && path[0] === list && otherLists.length === 0) named.pop();
      named.push(name);
    } else if (typeof key === "number" && depth === 1 && ends.every((end) => typeof end === "string"))
      named.push(ends.join(" "));
    else named.push(String(key));
  }
  return named.join(".");
}

/** The value, unless it is a long record, and the name that it misspells, where the schema names those that exist. */
function valueText(content: unknown, issue: z.ZodIssue): string {
  const value = issue.path.reduce<unknown>(fieldOf, content);
  const text = JSON.stringify(value) ?? "";
  const known = issue.code === z.ZodIssueCode.custom ? issue.params?.known : undefined;
  const meant = Array.isArray(known) ? didYouMean(String(value), known) : "";
  return text === "" || text.length > MOST_SHOWN ? "" : `; it is ${text}${meant}`;
}

/** An own field of an object. */
export function fieldOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Names of the fields that the schema has at a path. */
function fieldsAt(wrapped: z.ZodTypeAny, path: readonly (string | number)[]): readonly string[] {
  const schema = unwrapped(wrapped);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodUnion) {
    const options: readonly z.ZodTypeAny[] = schema.options;
    return [...new Set(options.flatMap((option) => fieldsAt(option, path)))];
  }
  if (schema instanceof z.ZodObject) {
    if (key === undefined) return Object.keys(schema.shape);
    const field: z.ZodTypeAny | undefined = schema.shape[key];
    return field ? fieldsAt(field, rest) : [];
  }
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord)
    return key === undefined ? [] : fieldsAt(schema instanceof z.ZodArray ? schema.element : schema.valueSchema, rest);
  return [];
}
