import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Budgets } from "../../src/contract/tiers.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import type { Fields } from "./mcp-client.ts";
import { aFolder } from "./temporary-folder.ts";

/** A copy of the packaged catalog that stands alone, and that a test may change. */
export function aCatalogFolder(t: Pick<TestContext, "after">): string {
  const folder = aFolder(t);
  cpSync(packagedCatalog, folder, { recursive: true });
  return folder;
}

/** Changes the content of one JSON file of a catalog folder in place, and writes it. */
export function changeCatalog(folder: string, file: string, change: (content: Fields) => void): void {
  const path = join(folder, file);
  const content = JSON.parse(readFileSync(path, "utf8"));
  change(content);
  writeFileSync(path, JSON.stringify(content));
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
