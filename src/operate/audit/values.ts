import { type CatalogKind, kindOf } from "../../domain/catalog/catalog-files.ts";
import { namedPath } from "../../domain/catalog/schema-mistakes.ts";
import { type Audited, always, type Check, warning } from "./catalog-check.ts";

/** What stands for a text that is still to come. */
const UNWRITTEN = /\b(todo|tbd|tba|xxx+|lorem ipsum|placeholder)\b/i;

/** What can be wrong with any value of the operator's own files. */
// biome-ignore format: a table reads by its columns
export const ofValues: readonly Check[] = [
  warning(wrongValues, ({ file }) => file, ({ path }) => path, always, ({ text }) => text),
];

/** In one pass over all values. */
function wrongValues({ contents: { files, sources } }: Audited) {
  return [...files].flatMap(([file, content]) => {
    if (sources.get(file) === "packaged") return [];
    return [...valuesIn(content)].flatMap(([keys, value]) => {
      const text = wrongIn(value);
      return text === undefined ? [] : [{ file, path: namedPath(kindOf(file) as CatalogKind, content, keys), text }];
    });
  });
}

function wrongIn(value: unknown): string | undefined {
  const duplicate = duplicateIn(value);
  if (duplicate !== undefined) return `has ${JSON.stringify(duplicate).slice(0, 60)} twice: remove one of them`;
  if (typeof value !== "string") return undefined;
  if (UNWRITTEN.test(value)) return `${JSON.stringify(value)}: write the text, or remove it`;
  return value === value.trim() ? undefined : `${JSON.stringify(value)} begins or ends with a space: remove it`;
}

function* valuesIn(value: unknown, keys: readonly (string | number)[] = []): Generator<[typeof keys, unknown]> {
  yield [keys, value];
  if (Array.isArray(value)) for (const [n, each] of value.entries()) yield* valuesIn(each, [...keys, n]);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) yield* valuesIn(each, [...keys, key]);
}

/** An item that a list has before, if there is one; numbers may be equal, such as two dimensions. */
function duplicateIn(value: unknown): unknown {
  if (!Array.isArray(value) || typeof value[0] === "number") return undefined;
  const texts = value.map((each) => JSON.stringify(each));
  if (new Set(texts).size === texts.length) return undefined;
  return value.find((_, index) => texts.indexOf(texts[index] ?? "") < index);
}
