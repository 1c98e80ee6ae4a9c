import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { visit } from "jsonc-parser";
import { packagedCatalog } from "../../ops/package-root.ts";
import { type CatalogKind, type ContentOf, catalogKinds, FOLDERS, fileOf, kindNames, kindOf } from "./catalog-files.ts";
import { CatalogError, createFindings, type Finding, type Findings } from "./finding.ts";
import { didYouMean } from "./nearest-name.ts";
import { isObject, type Json, overlaid } from "./overlay.ts";
import { parsed } from "./schema-mistakes.ts";

/** The files of a catalog, each of which matches its schema. Plain data, which another thread can read and hand over. */
export type CatalogContents = Readonly<ReturnType<typeof readContents>>;

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
export function readContents(folder: string) {
  const findings = createFindings();
  const { mistake } = findings;
  const ownBytes = isPackaged(folder) ? new Map<string, Buffer>() : bytesIn(folder);
  const own = jsonIn(ownBytes, (file, bytes) => checkedJson(file, bytes, findings));
  for (const name of isPackaged(folder) ? [] : readdirSync(folder)) {
    const meant = FOLDERS.some((each) => each === name) ? "" : didYouMean(name, FOLDERS);
    if (meant) findings.fault(`${name}/`, "", `unknown folder, which is not read${meant}`);
  }
  const packagedBytes = own.get(BASE)?.base === "none" ? new Map<string, Buffer>() : bytesIn(packagedCatalog);
  const packaged = jsonIn(packagedBytes, (_, bytes) => JSON.parse(bytes.toString()));
  const { files, sources } = overlaid(packaged, own, findings);
  const read = new Map([...files].flatMap(([file, json]) => contentOf(file, json)));
  const isThere = (kind: CatalogKind) => [...files.keys(), ...ownBytes.keys()].some((file) => kindOf(file) === kind);
  for (const kind of kindNames) if (!catalogKinds[kind].absent && !isThere(kind)) mistake(fileOf(kind), "", "missing");
  if (findings.all.some(({ severity }) => severity === "mistake")) throw new CatalogError(folder, findings.all);
  return {
    folder,
    /** Digest of the files; changes with every change of one. */
    version: versionOf(),
    /** What the files contain, by name, with the defaults of absent fields. */
    files: read as ReadonlyMap<string, Json>,
    /** The pictures beside them. */
    pictures: new Map<string, Uint8Array>([...packagedBytes, ...ownBytes].filter(([file]) => !file.endsWith(".json"))),
    sources,
    /** Faults of the files themselves: unknown names, duplicate keys, text that is not UTF-8. */
    faults: findings.all as readonly Finding[],
  };

  function bytesIn(path: string): ReadonlyMap<string, Buffer> {
    // An overlay needs no file of a kind.
    const folders = ["", ...FOLDERS.filter((each) => existsSync(join(path, each)))];
    try {
      const names = folders.flatMap((each) => readdirSync(join(path, each)).map((name) => join(each, name)));
      const files = names.filter((name) => /\.(json|svg|png)$/.test(name)).sort();
      return new Map(files.map((file) => [file, readFileSync(join(path, file))]));
    } catch (cause) {
      mistake("", "", `cannot be read (${cause instanceof Error ? cause.message : cause})`);
      throw new CatalogError(folder, findings.all);
    }
  }

  /** The content of a file as its schema returns it, without `$schema` and `replace`. */
  function contentOf(file: string, json: Json): readonly (readonly [string, Json])[] {
    const kind = kindOf(file);
    if (!kind) return [];
    const { $schema: _, replace, ...content } = json;
    const whole = typeof replace === "boolean" || replace === undefined ? content : { ...content, replace };
    if (sources.get(file) === "packaged") return [[file, whole]];
    const { data, mistakes } = parsed(kind, whole);
    for (const { path, text } of mistakes) mistake(file, path, text);
    return data ? [[file, data]] : [];
  }

  function versionOf(): string {
    const digest = createHash("sha256");
    const used = (file: string) => (sources.get(file) === "own" ? undefined : packagedBytes.get(file));
    // The length separates the content of a file from the next.
    for (const file of [...new Set([...ownBytes.keys(), ...packagedBytes.keys()])].sort())
      for (const content of [used(file), ownBytes.get(file)])
        if (content && file !== BASE) digest.update(`${file} ${content.length}\n`).update(content);
    return digest.digest("hex").slice(0, 12);
  }
}

/** The objects in files; none where `read` returns nothing, and where it is a picture. */
function jsonIn(files: ReadonlyMap<string, Buffer>, read: (file: string, bytes: Buffer) => Json | undefined) {
  return new Map(
    [...files].flatMap(([file, bytes]) => {
      const json = file.endsWith(".json") ? read(file, bytes) : undefined;
      return json ? [[file, json] as const] : [];
    }),
  );
}

/** The object in a file of the operator; none where it is no JSON. */
function checkedJson(file: string, bytes: Buffer, { mistake, fault }: Findings): Json | undefined {
  const names = kindNames.map(fileOf);
  if (!kindOf(file)) fault(file, "", `unknown file, which is not read${didYouMean(file, names)}`);
  if (!isUtf8(bytes)) fault(file, "", "is not UTF-8: save it in that encoding");
  // Editors on Windows write a byte order mark.
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const open: Set<string>[] = [];
  let place = "";
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key) {
        // `JSON.parse` silently keeps the last.
        if (open.at(-1)?.has(key))
          fault(file, key, "duplicate key, of which only the last one counts: remove the others");
        open.at(-1)?.add(key);
      },
      onError(_code, _offset, _length, line, column) {
        place ||= ` at line ${line + 1}, column ${column + 1}`;
      },
    },
    { disallowComments: true },
  );
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
    mistake(file, "", `must be an object, is ${text.slice(0, 60)}`);
  } catch (cause) {
    mistake(file, "", `invalid JSON${place} (${cause instanceof Error ? cause.message : cause})`);
  }
  return undefined;
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
