import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the files that the program reads: the repository for the sources, `dist` for what was built. */
export const packageRoot: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
})();

/** The catalog that the package contains. */
export const packagedCatalog = join(packageRoot, "fixtures", "catalog");

/** Text of one of these files; `path` is relative to their folder. */
export function readPackageFile(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}

/** Text of a file that only the build writes, which the sources read from `dist`. */
export function readBuiltFile(name: string): string {
  return readPackageFile(import.meta.url.endsWith(".ts") ? join("dist", name) : name);
}

export const packageVersion: string = JSON.parse(readPackageFile("package.json")).version;
