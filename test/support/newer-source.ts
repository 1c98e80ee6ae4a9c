import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of the folders that was changed after `built` was written; `undefined` if there is none. */
export function newerSource(built: string, folders: readonly string[]): string | undefined {
  const builtAt = statSync(built).mtimeMs;
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  return files.find((file) => statSync(file).mtimeMs > builtAt);
}
