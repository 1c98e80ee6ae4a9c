import { type CatalogKind, kindOf } from "./catalog-files.ts";
import { type Finding, fault } from "./finding.ts";
import { didYouMean } from "./nearest-name.ts";

/** Where the content of a file comes from. */
export type Source = "own" | "packaged" | "own and packaged";

interface OverlaidFiles {
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly sources: ReadonlyMap<string, Source>;
  /** Ids of the folder's own records, by file. */
  readonly ownRecords: ReadonlyMap<string, ReadonlySet<string>>;
  /** Records to remove that the packaged catalog does not have. */
  readonly faults: readonly Finding[];
}

const NO_SUCH_RECORD = "is to be removed, but the packaged catalog has no such record";

type Json = Readonly<Record<string, unknown>>;

/** The lists and maps of records in a kind of file; the fields of a list that identify its records. */
const RECORDS: Partial<Record<CatalogKind, Readonly<Record<string, readonly string[] | "map">>>> = {
  availability: { stopSales: ["id"], bookingWindows: ["id"] },
  clients: { clients: ["id"] },
  closures: { closures: ["id"] },
  corridors: { corridors: ["key"] },
  "far-cities": { cities: ["name"] },
  fares: { fares: ["id"] },
  luggage: { definitions: "map", specialItems: ["kind"], notOffered: ["item"] },
  places: { places: ["id"] },
  "place-fees": { placeFees: ["id"] },
  policies: { policies: ["key"] },
  regions: { countries: ["code"], cantons: ["code"] },
  roads: { nodes: ["id"], edges: ["from", "to"] },
  seasons: { seasons: ["id"] },
  sites: { sites: ["name"] },
  translations: { texts: "map" },
  "vehicle-classes": { vehicleClasses: ["id"] },
  words: { words: ["role", "language"], siteKinds: ["kind", "language"], streetAbbreviations: "map" },
  zones: { zones: ["id"] },
};

/** The lists of a kind of file that are merged by record; empty where a file replaces the packaged one as a whole. */
export function recordsOf(kind: CatalogKind): Readonly<Record<string, readonly string[] | "map">> {
  return RECORDS[kind] ?? {};
}

/**
 * The files of a folder over those of the packaged catalog. A record replaces the packaged one with the same id, in
 * whichever file of its kind that stands, or removes it; a new one is added at the end of its list. Files without such
 * lists, those with `"replace": true` and those that are no JSON replace the packaged file.
 */
export function overlaid(packaged: ReadonlyMap<string, Buffer>, own: ReadonlyMap<string, Buffer>): OverlaidFiles {
  const faults: Finding[] = [];
  const contents = new Map(packaged);
  const sources = new Map<string, Source>([...packaged.keys()].map((file) => [file, "packaged"]));
  const ownRecords = new Map<string, Set<string>>();
  const parsed = new Map([...own].map(([file, content]) => [file, jsonIn(content)]));
  for (const [file, content] of own) {
    contents.set(file, content);
    sources.set(file, "own");
  }
  for (const kind of Object.keys(RECORDS) as CatalogKind[]) {
    const ownFiles = new Map<string, Json>();
    for (const [file, json] of parsed) if (json && kindOf(file) === kind) ownFiles.set(file, json);
    if (ownFiles.size > 0 && packaged.size > 0) mergeKind(kind, ownFiles);
  }
  return { contents: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))), sources, ownRecords, faults };

  function mergeKind(kind: CatalogKind, ownFiles: ReadonlyMap<string, Json>): void {
    const base = new Map<string, Json>();
    for (const [file, content] of packaged)
      if (kindOf(file) === kind && ownFiles.get(file)?.replace !== true) base.set(file, jsonIn(content) ?? {});
    const merged = new Map(
      [...base, ...ownFiles].map(([file]) => [file, { ...base.get(file), ...ownFiles.get(file) }]),
    );
    for (const [field, key] of Object.entries(recordsOf(kind))) {
      const known = new Set([...base.values()].flatMap((json) => entriesOf(json[field], key).map(([name]) => name)));
      const stated = new Set<string>();
      for (const [file, json] of ownFiles)
        for (const [name, record] of entriesOf(json[field], key)) {
          stated.add(name);
          ownRecords.set(file, (ownRecords.get(file) ?? new Set()).add(name));
          if (isRemoval(record) && !known.has(name))
            faults.push(fault(file, name, `${NO_SUCH_RECORD}${didYouMean(name, known)}`));
        }
      for (const [file, json] of merged) {
        if (!isListOrMap(json[field], key)) continue;
        const before = entriesOf(base.get(file)?.[field], key);
        const own = entriesOf(ownFiles.get(file)?.[field], key);
        const here = new Set(before.map(([name]) => name));
        const remaining = [
          ...before.flatMap((entry) => (stated.has(entry[0]) ? own.filter(([name]) => name === entry[0]) : [entry])),
          ...own.filter(([name]) => !here.has(name)),
        ].filter(([, record]) => !isRemoval(record));
        json[field] = key === "map" ? Object.fromEntries(remaining) : remaining.map(([, record]) => record);
      }
    }
    for (const [file, json] of merged) {
      const text = JSON.stringify(json);
      // A file of the folder that is no JSON stays, so that reading it says why.
      if (own.has(file) ? !ownFiles.has(file) : text === JSON.stringify(base.get(file))) continue;
      contents.set(file, Buffer.from(text));
      sources.set(file, base.has(file) ? "own and packaged" : "own");
    }
  }
}

/** Records by the values that identify them. A road is the same in both directions. */
export function entriesOf(content: unknown, key: readonly string[] | "map"): readonly (readonly [string, unknown])[] {
  if (!isListOrMap(content, key)) return [];
  if (key === "map") return Object.entries(content as Json);
  return (content as readonly unknown[]).map((record) => {
    const values = key.map((field) => (isObject(record) ? record[field] : undefined));
    return [values.map(String).sort().join(" "), record] as const;
  });
}

function isListOrMap(content: unknown, key: readonly string[] | "map"): boolean {
  return key === "map" ? isObject(content) : Array.isArray(content);
}

export function isObject(content: unknown): content is Json {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function isRemoval(record: unknown): boolean {
  return isObject(record) && record.remove === true;
}

/** Absent where the content is no JSON object, of which reading the file says why. */
function jsonIn(content: Buffer | undefined): Json | undefined {
  try {
    const json: unknown = JSON.parse(textIn(content ?? Buffer.alloc(0)));
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file, without the byte order mark that editors on Windows write. */
export function textIn(content: Buffer): string {
  const whole = content.toString("utf8");
  return whole.startsWith("\uFEFF") ? whole.slice(1) : whole;
}
