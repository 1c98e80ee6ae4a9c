import { type CatalogKind, catalogKinds, type Key, kindNames, kindOf } from "./catalog-files.ts";
import type { Findings } from "./finding.ts";
import { didYouMean } from "./nearest-name.ts";
import { namedPath } from "./schema-mistakes.ts";

/** Where the content of a file comes from. */
type Source = "own" | "packaged" | "own and packaged";

export type Json = Readonly<Record<string, unknown>>;
/** A record and its name. */
type Entry = readonly [string, unknown];
type Files = ReadonlyMap<string, Json>;

const NO_SUCH_RECORD = "is to be removed, but the packaged catalog has no such record";

/**
 * The files of a folder over those of the packaged catalog. A record replaces the packaged one with the same name, in
 * whichever file of its kind that stands, or removes it; a new one is added at the end of its list. Files without such
 * lists and those with `"replace": true` replace the packaged file. Files are in the order of their names.
 */
export function overlaid(packaged: Files, own: Files, { mistake, fault }: Findings) {
  const files = new Map<string, Json>([...packaged, ...own]);
  const sources = new Map<string, Source>();
  for (const file of files.keys()) sources.set(file, own.has(file) ? "own" : "packaged");
  for (const kind of kindNames) {
    const isOfKind = ([file]: readonly [string, Json]) => kindOf(file) === kind;
    const ownFiles = new Map([...own].filter(isOfKind));
    const lists = Object.entries(catalogKinds[kind].keys);
    if (lists.length === 0 || ownFiles.size === 0) continue;
    const base = new Map([...packaged].filter((each) => isOfKind(each) && ownFiles.get(each[0])?.replace !== true));
    for (const [file, json] of ownFiles) files.set(file, { ...base.get(file), ...json });
    for (const [field, key] of lists) merge(kind, field, key, base, ownFiles);
    for (const file of base.keys()) if (files.get(file) !== base.get(file)) sources.set(file, "own and packaged");
  }
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), sources };

  function merge(kind: CatalogKind, field: string, key: Key, base: Files, ownFiles: Files): void {
    const known = new Set([...base.values()].flatMap((json) => entriesOf(json[field], key).map(([name]) => name)));
    const stated = new Set<string>();
    for (const [file, json] of ownFiles)
      for (const [n, [name, record]] of entriesOf(json[field], key).entries()) {
        if (stated.has(name) && isObject(record)) mistake(file, namedPath(kind, json, [field, n]), "duplicate");
        stated.add(name);
        if (isRemoval(record) && !known.has(name)) fault(file, name, `${NO_SUCH_RECORD}${didYouMean(name, known)}`);
      }
    for (const file of new Set([...base.keys(), ...ownFiles.keys()])) {
      const json = files.get(file) ?? {};
      const before = entriesOf(base.get(file)?.[field], key);
      const own = new Map(entriesOf(ownFiles.get(file)?.[field], key));
      const isTouched = own.size > 0 || before.some(([name]) => stated.has(name));
      if (!isTouched || !isListOrMap(json[field], key)) continue;
      const merged = new Map(before.filter(([name]) => !stated.has(name) || own.has(name)));
      for (const [name, record] of own) merged.set(name, record);
      const remaining = [...merged].filter(([, record]) => !isRemoval(record));
      const records = key === "map" ? Object.fromEntries(remaining) : remaining.map(([, record]) => record);
      files.set(file, { ...json, [field]: records });
    }
  }
}

/** Records by the values that identify them. A road is the same in both directions. */
function entriesOf(content: unknown, key: Key): readonly Entry[] {
  if (!isListOrMap(content, key)) return [];
  if (key === "map") return Object.entries(content as Json);
  return (content as readonly unknown[]).map((record) => {
    const values = key.map((field) => (isObject(record) ? record[field] : undefined));
    return [values.map(String).sort().join(" "), record];
  });
}

function isListOrMap(content: unknown, key: Key): boolean {
  return key === "map" ? isObject(content) : Array.isArray(content);
}

export function isObject(content: unknown): content is Json {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function isRemoval(record: unknown): boolean {
  return isObject(record) && record.remove === true;
}
