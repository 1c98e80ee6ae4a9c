import { z } from "zod/v3";
import { type CatalogKind, catalogKinds } from "./catalog-files.ts";
import type { Json } from "./overlay.ts";

const MOST_SHOWN = 60;
/** Fields that name a record, the first that it has. */
const NAMES = ["id", "key", "name", "kind", "code"];

/**
 * The content as its schema returns it, or all mistakes in it: where, and in words for somebody who edits the file. Of several
 * mistakes at one path the first counts.
 */
export function parsed(kind: CatalogKind, content: Json) {
  const result = catalogKinds[kind].schema.safeParse(content);
  if (result.success) return { data: result.data as Json, mistakes: [] };
  const byPath = new Map<string, string>();
  for (const issue of result.error.issues.flatMap(likelyOf))
    for (const key of issue.code === z.ZodIssueCode.unrecognized_keys ? issue.keys : [undefined]) {
      const at = [...issue.path, ...(key === undefined ? [] : [key])];
      const path = namedPath(kind, content, at);
      // A text of the wrong form fails the checks of its meaning, too.
      if (!byPath.has(path)) byPath.set(path, textOf(issue, at.reduce<unknown>(fieldOf, content)));
    }
  return { mistakes: [...byPath].map(([path, text]) => ({ path, text })) };
}

/** What is allowed, and the value, unless it is a long record. */
function textOf({ code, message }: z.ZodIssue, value: unknown): string {
  if (value === undefined) return "is missing";
  const shown = JSON.stringify(value);
  return code === z.ZodIssueCode.unrecognized_keys || shown.length > MOST_SHOWN
    ? message
    : `${message}; it is ${shown}`;
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
  const [list, ...otherLists] = Object.keys(catalogKinds[kind].keys);
  let value = content;
  const named = path.map((key, depth) => {
    value = fieldOf(value, key);
    if (typeof key !== "number") return key;
    const { from, to } = Object(value);
    const ends = typeof from === "string" && typeof to === "string" && depth === 1 ? `${from} ${to}` : undefined;
    return NAMES.map((field) => fieldOf(value, field)).find((name) => typeof name === "string" && name) ?? ends ?? key;
  });
  const isOnlyList = path[0] === list && otherLists.length === 0 && typeof named[1] === "string";
  return named.slice(isOnlyList ? 1 : 0).join(".");
}

/** An own field of an object. */
export function fieldOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
