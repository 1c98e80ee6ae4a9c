import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

/** The URL of a module, which is named by its path without an extension. */
export const moduleUrl = (path: string) => pathToFileURL(join(packageRoot, `${path}.ts`)).href;

/** Arguments with which Node runs such a module, or a script that imports some: tsx is among those of this process. */
export const runsModule = (path: string) => [...process.execArgv, join(packageRoot, `${path}.ts`)];
export const runsScript = (script: string) => [...process.execArgv, "--input-type=module", "--eval", script];
