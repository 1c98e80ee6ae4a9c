import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

/** A test runs compiled, by `test/run.mjs`, or from its source, by tsx: so do the modules that its processes run. */
const extension = extname(import.meta.url);
const folder = extension === ".ts" ? packageRoot : join(packageRoot, "dist");

/** The URL of a module, which is named by its path without an extension. */
export const moduleUrl = (path: string) => pathToFileURL(join(folder, path + extension)).href;

/** Arguments with which Node runs such a module, or a script that imports some. */
export const runsModule = (path: string) => [...process.execArgv, join(folder, path + extension)];
export const runsScript = (script: string) => [...process.execArgv, "--input-type=module", "--eval", script];
