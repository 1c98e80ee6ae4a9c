import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { aFolder } from "./temporary-folder.ts";

/** A copy of the packaged catalog that a test may change. */
export function aCatalogFolder(t: Pick<TestContext, "after">): string {
  const folder = aFolder(t);
  cpSync(packagedCatalog, folder, { recursive: true });
  return folder;
}

/** Rewrites one JSON file of a catalog folder. */
export function changeCatalog(folder: string, file: string, change: (content: unknown) => unknown): void {
  const path = join(folder, file);
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
}
