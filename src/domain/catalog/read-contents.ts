import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { visit } from "jsonc-parser";
import { packagedCatalog } from "../../ops/package-root.ts";
import { type CatalogKind, type ContentOf, catalogKinds, FOLDERS, fileOf, kindNames, kindOf } from "./catalog-files.ts";
import { CatalogError, createFindings, type Finding } from "./finding.ts";
import { didYouMean } from "./nearest-name.ts";
import { isObject, type Json, overlaid, type Source } from "./overlay.ts";
import { parsed } from "./schema-mistakes.ts";

/** The files of a catalog, each of which matches its schema. Plain data, which another thread can read and hand over. */
export interface CatalogContents {
  /** Path of the folder. */
  readonly folder: string;
  /** Digest of the files; changes with every change of one. */
  readonly version: string;
  /** What the files contain, by name, with the defaults of absent fields. */
  readonly files: ReadonlyMap<string, Json>;
  /** The pictures beside them. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
  /** Whether each file is the operator's own, the package's or merged from both. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Names of the operator's own records in merged files. */
  readonly ownRecords: ReadonlyMap<string, ReadonlySet<string>>;
  /** Faults of the files themselves: unknown names, duplicate keys, text that is not UTF-8. */
  readonly faults: readonly Finding[];
}

const BASE = "catalog.json";

/** Whether this is the folder of the package, whose tests find no mistake and no fault in it. */
export function isPackaged(path: string): boolean {
  return resolve(path) === packagedCatalog;
}

/**
 * Reads the files of a folder, over those of the packaged catalog unless `catalog.json` says that it stands alone.
 * Packaged files are not compared with their schemas, since the tests do that and it takes two thirds of the time.
 * Throws CatalogError with everything that does not match its schema.
 */
export function readContents(folder: string): CatalogContents {
  const findings = createFindings();
  const bytes = bytesIn(folder);
  const own = new Map([...bytes].flatMap(([file, content]) => jsonIn(file, content)));
  const isAlone = isPackaged(folder) || own.get(BASE)?.base === "none";
  const packagedBytes = isAlone ? new Map<string, Buffer>() : bytesIn(packagedCatalog);
  const packaged = new Map([...packagedBytes].map(([file, content]) => [file, JSON.parse(content.toString()) as Json]));
  const { files, sources, ownRecords } = isPackaged(folder)
    ? overlaid(own, packaged, findings)
    : overlaid(packaged, own, findings);
  if (!isPackaged(folder)) reportFolders();
  const read = new Map([...files].flatMap(([file, json]) => contentOf(file, json)));
  const isThere = (kind: CatalogKind) => [...files.keys(), ...bytes.keys()].some((file) => kindOf(file) === kind);
  for (const kind of kindNames)
    if (!catalogKinds[kind].absent && !isThere(kind)) findings.mistake(fileOf(kind), "", "missing");
  if (findings.all.some(({ severity }) => severity === "mistake")) throw new CatalogError(folder, findings.all);
  return {
    folder,
    version: versionOf(),
    files: read,
    pictures: new Map([...bytes].filter(([file]) => !file.endsWith(".json"))),
    sources,
    ownRecords,
    faults: findings.all,
  };

  function bytesIn(path: string): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    for (const subfolder of ["", ...FOLDERS]) {
      const directory = join(path, subfolder);
      // An overlay needs no file of a kind.
      if (subfolder !== "" && !existsSync(directory)) continue;
      const names = orMistake(subfolder, () => readdirSync(directory)).filter((name) => /\.(json|svg|png)$/.test(name));
      for (const name of names.sort()) {
        const file = subfolder ? `${subfolder}/${name}` : name;
        const content = orMistake(file, () => readFileSync(join(path, file)));
        found.set(file, content);
      }
    }
    return found;
  }

  function orMistake<T>(file: string, reads: () => T): T {
    try {
      return reads();
    } catch (cause) {
      findings.mistake(file, "", `cannot be read (${cause instanceof Error ? cause.message : cause})`);
      throw new CatalogError(folder, findings.all);
    }
  }

  /** The object in a file of the folder; none where it is a picture, has no schema, or is no JSON. */
  function jsonIn(file: string, content: Buffer): readonly (readonly [string, Json])[] {
    if (!file.endsWith(".json")) return [];
    // Editors on Windows write a byte order mark.
    const text = content.toString("utf8").replace(/^\uFEFF/, "");
    if (!isPackaged(folder)) reportText(file, content, text);
    try {
      const json: unknown = JSON.parse(text);
      if (isObject(json)) return [[file, json]];
      findings.mistake(file, "", `must be an object, is ${text.slice(0, 60)}`);
    } catch (cause) {
      findings.mistake(
        file,
        "",
        `invalid JSON${placeOfError(text)} (${cause instanceof Error ? cause.message : cause})`,
      );
    }
    return [];
  }

  function reportText(file: string, content: Buffer, text: string): void {
    const names = kindNames.map((kind) => `${kind}.json`);
    if (!kindOf(file)) findings.fault(file, "", `unknown file, which is not read${didYouMean(file, names)}`);
    if (!isUtf8(content)) findings.fault(file, "", "is not UTF-8: save it in that encoding");
    for (const key of duplicateKeys(text))
      findings.fault(file, key, "duplicate key, of which only the last one counts: remove the others");
  }

  function reportFolders(): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const isKnown = FOLDERS.some((each) => each === entry.name);
      const meant = entry.isDirectory() && !isKnown && didYouMean(entry.name, FOLDERS);
      if (meant) findings.fault(`${entry.name}/`, "", `unknown folder, which is not read${meant}`);
    }
  }

  /** The content of a file as its schema returns it, without `$schema` and `replace`. */
  function contentOf(file: string, json: Json): readonly (readonly [string, Json])[] {
    const kind = kindOf(file);
    if (!kind) return [];
    const { $schema: _, replace, ...content } = json;
    const whole = typeof replace === "boolean" || replace === undefined ? content : { ...content, replace };
    if (isPackaged(folder) || sources.get(file) === "packaged") return [[file, whole]];
    const { data, mistakes } = parsed(kind, whole);
    for (const { path, text } of mistakes) findings.mistake(file, path, text);
    return data ? [[file, data]] : [];
  }

  function versionOf(): string {
    const digest = createHash("sha256");
    const used = (file: string) => (sources.get(file) === "own" ? undefined : packagedBytes.get(file));
    // The length separates the content of a file from the next.
    for (const file of [...new Set([...bytes.keys(), ...packagedBytes.keys()])].sort())
      for (const content of [used(file), bytes.get(file)])
        if (content && file !== BASE) digest.update(`${file} ${content.length}\n`).update(content);
    return digest.digest("hex").slice(0, 12);
  }
}

/** The content of a kind of which a catalog has one file. */
export function contentOf<Kind extends CatalogKind>({ files }: CatalogContents, kind: Kind): ContentOf<Kind> {
  return (files.get(fileOf(kind)) ?? catalogKinds[kind].absent) as ContentOf<Kind>;
}

/** The files of a kind of which a catalog has several, in the order of their names. */
export function contentsOf<Kind extends (typeof FOLDERS)[number]>(
  { files }: CatalogContents,
  kind: Kind,
): readonly (readonly [string, ContentOf<Kind>])[] {
  return [...files].flatMap(([file, content]) =>
    kindOf(file) === kind ? [[file, content as ContentOf<Kind>] as const] : [],
  );
}

/** Duplicate keys of one object, of which `JSON.parse` silently keeps the last. */
function duplicateKeys(json: string): readonly string[] {
  const found: string[] = [];
  const open: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key) {
      const keys = open.at(-1);
      if (keys?.has(key)) found.push(key);
      keys?.add(key);
    },
  });
  return found;
}

/** " at line 3, column 7", where a text stops being JSON. */
function placeOfError(json: string): string {
  let place = "";
  visit(
    json,
    {
      onError(_code, _offset, _length, line, column) {
        place ||= ` at line ${line + 1}, column ${column + 1}`;
      },
    },
    { disallowComments: true },
  );
  return place;
}
