import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

/** The URL of a module by its path without the extension. */
export const moduleUrl = (path: string) => pathToFileURL(join(packageRoot, `${path}.ts`)).href;

/** Arguments with which Node runs a TypeScript module or a script that imports one; includes tsx. */
export const runsModule = (path: string) => [...process.execArgv, join(packageRoot, `${path}.ts`)];
export const runsScript = (script: string) => [...process.execArgv, "--input-type=module", "--eval", script];
