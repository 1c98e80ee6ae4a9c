import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Catalog } from "./catalog.ts";

/** Beside the built program only: run from its sources, the program reads and checks every catalog. */
const FILE = fileURLToPath(new URL("../../packaged-catalog.json", import.meta.url));

/** The last one, while something uses it: a reload of the same catalog need not parse it again. */
let parsed: { readonly hash: string; readonly catalog: WeakRef<Catalog> } | undefined;

/**
 * The catalog of a folder with this content hash, if it is the one that was checked when the program was built: 15 ms of
 * CPU time with the hash, where reading and linking take 32 and the schemas 140 more.
 */
export function compiledCatalog(hash: string): Catalog | undefined {
  const known = parsed?.hash === hash ? parsed.catalog.deref() : undefined;
  if (known) return known;
  const catalog = readCompiled(hash);
  parsed = catalog && { hash, catalog: new WeakRef(catalog) };
  return catalog;
}

function readCompiled(hash: string): Catalog | undefined {
  if (!existsSync(FILE)) return undefined;
  const text = readFileSync(FILE, "latin1");
  if (!text.startsWith(`{"hash":"${hash}"`)) return undefined;
  const { catalog, nodes } = JSON.parse(text);
  return { ...catalog, roads: { ...catalog.roads, nodes: new Map(nodes) } };
}

/** Replaces the compiled catalog by what `load` returns while there is none. */
export function compileCatalog(hash: string, load: () => Required<Catalog>): void {
  rmSync(FILE, { force: true });
  const catalog = load();
  const text = JSON.stringify({ hash, catalog, nodes: [...catalog.roads.nodes] });
  // V8 reads and parses a text of bytes in half the time of one of characters.
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(FILE, text.replace(/[^\0-\x7f]/g, escaped));
}
