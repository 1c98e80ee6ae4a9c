import { join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";

/** The catalogue that the package brings; tests read it and never change it. */
export const DEFAULT_CATALOGUE = join(packageRoot, "fixtures", "catalog");
