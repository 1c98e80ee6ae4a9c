import { join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";

/** The catalog that the package brings; tests read it and never change it. */
export const DEFAULT_CATALOG = join(packageRoot, "fixtures", "catalog");
