import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Budgets } from "../../src/limits/rate-limiter.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "./temporary-folder.ts";

/** A copy of the default catalogue whose budgets no test spends, but for those given. */
export function aCatalogueWithBudgets(t: Pick<TestContext, "after">, budgets: Partial<Budgets> = {}): string {
  const folder = aFolder(t);
  cpSync(join(packageRoot, "fixtures", "catalog"), folder, { recursive: true });
  const path = join(folder, "budgets.json");
  const tiers = Object.keys(JSON.parse(readFileSync(path, "utf8")));
  const ample = Object.fromEntries(tiers.map((tier) => [tier, { points: 100_000, seconds: 60 }]));
  writeFileSync(path, JSON.stringify({ ...ample, ...budgets }));
  return folder;
}
