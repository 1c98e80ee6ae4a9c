import { join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";

/** The packaged catalog, which tests must not change. */
export const DEFAULT_CATALOG = join(packageRoot, "fixtures", "catalog");
