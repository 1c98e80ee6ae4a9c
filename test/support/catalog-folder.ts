import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Budgets } from "../../src/contract/tiers.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { aFolder } from "./lifetime.ts";
import type { Fields } from "./mcp-client.ts";

/** Files of a catalog folder by name: JSON, or text or bytes that are no JSON. */
export type CatalogFiles = Map<string, Fields | string | Buffer>;

/** A new folder with these files. */
export function folderOf(t: Pick<TestContext, "after">, files: CatalogFiles): string {
  const folder = aFolder(t);
  for (const [file, content] of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    writeFileSync(path, isText ? content : JSON.stringify(content));
  }
  return folder;
}

/** What an operator seldom changes. To compare it with its schemas takes five times as long as to read all the rest. */
const OF_PACKAGE = ["catalog.json", "places", "regions.json", "roads", "schemas", "sites.json", "words.json"];

/** A copy of the packaged catalog that a test may change, over the places and roads of the package. */
export function aCatalogFolder(t: Pick<TestContext, "after">): string {
  const folder = aFolder(t);
  const filter = (path: string) => !OF_PACKAGE.includes(basename(path));
  cpSync(packagedCatalog, folder, { recursive: true, filter });
  return folder;
}

/** A copy of the packaged catalog that stands alone. */
export function aWholeCatalog(t: Pick<TestContext, "after">): string {
  const folder = aFolder(t);
  cpSync(packagedCatalog, folder, { recursive: true });
  return folder;
}

/** Changes the content of one JSON file of a catalog folder, and writes it in place of the package's. */
export function changeCatalog(folder: string, file: string, change: (content: Fields) => void): void {
  const path = join(folder, file);
  const before = readFileSync(existsSync(path) ? path : join(packagedCatalog, file), "utf8");
  const { replace: _, ...content } = JSON.parse(before);
  change(content);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...content, replace: true }));
}

/** A copy of the default catalog with these budgets; no test exceeds the others. */
export function aCatalogWithBudgets(t: Pick<TestContext, "after">, budgets: Partial<Budgets> = {}): string {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "budgets.json", (tiers) => {
    for (const tier of Object.keys(tiers)) tiers[tier] = { points: 1_000_000_000, seconds: 60 };
    Object.assign(tiers, budgets);
  });
  return folder;
}
