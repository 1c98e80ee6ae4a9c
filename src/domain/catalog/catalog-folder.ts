import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { z } from "zod/v3";
import { packagedCatalog } from "../../ops/package-root.ts";
import { type CatalogKind, type ContentOf, catalogFileSchemas, kindOf } from "./catalog-files.ts";
import { CatalogError, type Finding, fault } from "./finding.ts";
import { didYouMean } from "./nearest-name.ts";
import { entriesOf, isObject, overlaid, recordsOf, textIn } from "./overlay.ts";
import { namedPath, parsed } from "./schema-mistakes.ts";

/** The JSON files of a catalog folder and the pictures beside them, read once. */
export type CatalogFolder = ReturnType<typeof openCatalogFolder>;

const SUBFOLDERS = ["places", "roads"];
const BASE = "catalog.json";

/** Whether this is the folder of the package, whose tests find no mistake and no fault in it. */
export function isPackaged(path: string): boolean {
  return resolve(path) === packagedCatalog;
}

/**
 * Reads the files of a catalog folder, over those of the packaged catalog unless `catalog.json` says that it stands
 * alone. Without `validates` they are assumed to match their schemas. Throws CatalogError.
 */
export function openCatalogFolder(folder: string, { validates = true } = {}) {
  const findings: Finding[] = [];
  /** Of the files themselves; a catalog with them can be read. */
  const faults: Finding[] = [];
  const checked = new Map<string, unknown>();
  const own = contentsIn(folder);
  const none = new Map<string, Buffer>();
  const base = isPackaged(folder) || standsAlone() ? none : contentsIn(packagedCatalog);
  const { contents, sources, ownRecords, ...unknown } = isPackaged(folder) ? overlaid(own, none) : overlaid(base, own);
  const digest = createHash("sha256");
  // The length separates the content of a file from the next.
  for (const [file, content] of contents)
    if (file !== BASE) digest.update(`${file} ${content.length}\n`).update(content);
  /** Changes with every change of a file. */
  const hash = digest.digest("hex");
  /** Names of the files, in the order in which they are read. */
  const files = [...contents.keys()];
  return {
    path: folder,
    validates,
    hash,
    files,
    sources,
    ownRecords,
    findings,
    faults,
    read,
    readIfPresent,
    readAll,
    bytes,
    filesIn,
    report,
    reportUnknown,
    error,
  };

  /**
   * The content of a file without `$schema`. What does not match its schema is reported, and read as far as it is valid,
   * so that later checks find mistakes of other kinds too. Throws CatalogError where the file is missing or no JSON.
   */
  function read<Kind extends CatalogKind>(kind: Kind, file = `${kind}.json`): ContentOf<Kind> {
    const known = checked.get(file);
    if (known !== undefined) return known as ContentOf<Kind>;
    const content = contentOf(file);
    const isTrusted = !validates || (sources.get(file) === "packaged" && !isPackaged(folder));
    const { data, mistakes } = isTrusted ? { data: content, mistakes: [] } : parsed(kind, content);
    for (const { path, text } of mistakes) report(file, path, text);
    checked.set(file, mistakes.length === 0 ? data : asFarAsValid(kind, content, packagedContent(file)));
    return checked.get(file) as ContentOf<Kind>;
  }

  /** The content of a file that a catalog may lack. */
  function readIfPresent<Kind extends CatalogKind>(kind: Kind, absent: ContentOf<Kind>): ContentOf<Kind> {
    return contents.has(`${kind}.json`) ? read(kind) : absent;
  }

  function packagedContent(file: string): object {
    const content = base.get(file);
    return content ? JSON.parse(textIn(content)) : {};
  }

  /** Checks every file that has a schema. */
  function readAll(): void {
    if (validates) {
      faults.push(...folderFaults());
      for (const [file, content] of own) faults.push(...fileFaults(file, content));
    }
    faults.push(...unknown.faults);
    for (const file of contents.keys()) {
      const kind = kindOf(file);
      try {
        if (kind) read(kind, file);
      } catch (cause) {
        if (!(cause instanceof CatalogError)) throw cause;
      }
    }
    if (validates) reportDuplicates();
  }

  /** A record is listed once in all files of its kind. */
  function reportDuplicates(): void {
    const listed = new Set<string>();
    for (const [file, content] of checked) {
      const kind = kindOf(file) ?? "catalog";
      for (const [field, list] of Object.entries(content as object))
        for (const [n, [name, record]] of entriesOf(list, recordsOf(kind)[field] ?? ["id"]).entries()) {
          const id = `${kind} ${field} ${name}`;
          if (isObject(record) && listed.has(id)) report(file, namedPath(kind, content, [field, n]), "duplicate");
          listed.add(id);
        }
    }
  }

  function folderFaults(): readonly Finding[] {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => {
      const meant = entry.isDirectory() && !SUBFOLDERS.includes(entry.name) && didYouMean(entry.name, SUBFOLDERS);
      return meant ? [fault(`${entry.name}/`, "", `unknown folder, which is not read${meant}`)] : [];
    });
  }

  function fileFaults(file: string, content: Buffer): readonly Finding[] {
    if (!file.endsWith(".json")) return [];
    const names = Object.keys(catalogFileSchemas).map((kind) => `${kind}.json`);
    const unknown = `unknown file, which is not read${didYouMean(file, names)}`;
    return [
      ...(kindOf(file) ? [] : [fault(file, "", unknown)]),
      ...(isUtf8(content) ? [] : [fault(file, "", "is not UTF-8: save it in that encoding")]),
      ...duplicateKeys(textIn(content)).map((key) =>
        fault(file, key, "duplicate key, of which only the last one counts: remove the others"),
      ),
    ];
  }

  /** Collects a mistake in `findings`, once however often the file is read. */
  function report(file: string, path: string, text: string): void {
    if (findings.some((each) => each.file === file && each.path === path && each.text === text)) return;
    findings.push({ severity: "mistake", file, path, text });
  }

  /** Collects a reference to a record that does not exist, with the most similar one that does. */
  function reportUnknown(file: string, path: string, what: string, id: string, known: Iterable<string>): void {
    report(file, path, `unknown ${what} ${id}${didYouMean(id, known)}`);
  }

  function contentOf(file: string): unknown {
    try {
      const content: unknown = JSON.parse(textIn(bytes(file)));
      if (typeof content !== "object" || content === null) return content;
      Reflect.deleteProperty(content, "$schema");
      if (typeof Reflect.get(content, "replace") === "boolean") Reflect.deleteProperty(content, "replace");
      return content;
    } catch (cause) {
      if (cause instanceof CatalogError) throw cause;
      throw error(file, "", `invalid JSON (${messageOf(cause)})`);
    }
  }

  function bytes(file: string): Buffer {
    const content = contents.get(file);
    if (content === undefined) throw error(file, "", "missing");
    return content;
  }

  /** The files of a sub-folder in the order of their names, e.g. `roads/central.json`. */
  function filesIn(subfolder: string): readonly string[] {
    return [...contents.keys()].filter((file) => file.startsWith(`${subfolder}/`) && file.endsWith(".json"));
  }

  /** An error with all mistakes reported so far and this one, after which reading cannot go on. */
  function error(file: string, path: string, mistake: string): CatalogError {
    report(file, path, mistake);
    return new CatalogError(folder, findings);
  }

  function contentsIn(path: string): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    for (const subfolder of ["", ...SUBFOLDERS]) {
      const directory = join(path, subfolder);
      // An overlay needs no file of a kind.
      if (subfolder !== "" && !existsSync(directory)) continue;
      const names = orError(subfolder, () => readdirSync(directory)).filter((name) => /\.(json|svg|png)$/.test(name));
      for (const name of names.sort()) {
        const file = subfolder ? `${subfolder}/${name}` : name;
        found.set(
          file,
          orError(file, () => readFileSync(join(path, file))),
        );
      }
    }
    return found;
  }

  function orError<T>(file: string, reads: () => T): T {
    try {
      return reads();
    } catch (cause) {
      throw error(file, "", `cannot be read (${messageOf(cause)})`);
    }
  }

  function standsAlone(): boolean {
    const content = own.get(BASE);
    if (content === undefined) return false;
    try {
      return JSON.parse(textIn(content)).base === "none";
    } catch {
      // Reading the file reports why.
      return false;
    }
  }
}

/**
 * The content with the defaults of those of its fields that are valid. A single value that is not is that of the
 * packaged file, so that its mistake hides no other.
 */
function asFarAsValid(kind: CatalogKind, content: unknown, packaged: object): unknown {
  const fields = Object.entries<z.ZodTypeAny>(catalogFileSchemas[kind].shape).flatMap(([field, schema]) => {
    const value: unknown = Reflect.get(content as object, field);
    const parsed = schema.safeParse(value);
    const valid = parsed.success ? parsed.data : typeof value === "object" ? value : Reflect.get(packaged, field);
    return valid === undefined ? [] : [[field, valid] as const];
  });
  return { ...(content as object), ...Object.fromEntries(fields) };
}

/** Duplicate keys of one object in a JSON text, of which `JSON.parse` silently keeps the last. Empty for invalid JSON. */
function duplicateKeys(json: string): readonly string[] {
  const found: string[] = [];
  const open: (Set<string> | undefined)[] = [];
  // Strings (with a colon after those that are keys), and the brackets that open and close objects and lists.
  for (const [token, text, colon] of json.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined && text !== undefined) {
      const keys = open.at(-1);
      if (keys?.has(text)) found.push(text);
      keys?.add(text);
    }
  }
  return found;
}

function isUtf8(content: Buffer): boolean {
  return Buffer.from(content.toString("utf8"), "utf8").equals(content);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
