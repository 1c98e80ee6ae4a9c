import type { TestContext } from "node:test";
import type { Budgets } from "../../src/contract/tiers.ts";
import { aCatalogFolder, changeCatalog } from "./catalog-folder.ts";

/** A copy of the default catalog with these budgets; no test exceeds the others. */
export function aCatalogWithBudgets(t: Pick<TestContext, "after">, budgets: Partial<Budgets> = {}): string {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "budgets.json", (tiers) => {
    for (const tier of Object.keys(tiers)) tiers[tier] = { points: 1_000_000_000, seconds: 60 };
    Object.assign(tiers, budgets);
  });
  return folder;
}
