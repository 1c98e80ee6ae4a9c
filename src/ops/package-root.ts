import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, for the sources and for `dist`. */
export const packageRoot: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
})();

/** The catalog that the package contains. */
export const packagedCatalog = join(packageRoot, "fixtures", "catalog");

/** Text of a file that the package ships; `path` is relative to its folder. */
export function readPackageFile(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}

export const packageVersion: string = JSON.parse(readPackageFile("package.json")).version;
