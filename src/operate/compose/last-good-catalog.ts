import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { FOLDERS } from "../../domain/catalog/catalog-files.ts";
import { CatalogError } from "../../domain/catalog/finding.ts";
import { isPackaged } from "../../domain/catalog/read-contents.ts";
import { createFolder } from "../../ops/create-folder.ts";
import { sha256 } from "../../ops/ids.ts";
import type { Log } from "../../ops/log.ts";
import type { Config } from "../config/config.ts";
import { loadPricing } from "./compose-pricing.ts";
import { checkedPricing, type Loaded } from "./embedded-pricing.ts";

type Folders = Pick<Config, "catalogDir" | "dataDir">;

/** The folder in the data folder that holds a copy of each catalog folder as it was when it last had no fault. */
export const COPIES = "last-good-catalog";

/**
 * The catalog of a start: that of its folder, or where this is refused the copy of the last good one, which is logged.
 * Throws CatalogError where there is no copy, or its files no longer have the digest in its name.
 */
export async function startCatalog(
  config: Folders & Pick<Config, "acceptFaults" | "authIssuer" | "issuer">,
  log: Log,
): Promise<{ readonly loaded: Loaded; readonly isRefused: boolean }> {
  try {
    const { loaded, faults } = await loadPricing(config, log, config.acceptFaults);
    if (faults.length === 0) await keepCopy(config, log);
    return { loaded, isRefused: false };
  } catch (error) {
    const copy = error instanceof CatalogError ? await lastGoodCopy(config) : undefined;
    const last = copy === undefined ? undefined : await checkedPricing(copy).catch(() => undefined);
    if (!last || last.faults.length > 0) throw error;
    log.error({ err: error, last_good: copy }, "the catalog is refused: the last good one is used");
    return { loaded: last.loaded, isRefused: true };
  }
}

/** Copies the operator's files in place of the last copy. Failures are logged: with a database the folder may be read-only. */
export async function keepCopy({ catalogDir, dataDir }: Folders, log: Log): Promise<void> {
  if (isPackaged(catalogDir)) return;
  try {
    const files = await filesIn(catalogDir);
    const copy = join(dataDir, COPIES, `${keyOf(catalogDir)}-${digestOf(files)}`);
    await createFolder(join(dataDir, COPIES));
    const earlier = await copiesOf({ catalogDir, dataDir });
    if (!earlier.includes(copy)) {
      const unfinished = `${copy}.${process.pid}`;
      try {
        for (const [name, content] of files) {
          await mkdir(dirname(join(unfinished, name)), { recursive: true, mode: 0o700 });
          await writeFile(join(unfinished, name), content, { mode: 0o600 });
        }
        // Another process may have made the same copy.
        await rename(unfinished, copy).catch(() => undefined);
      } finally {
        // Where the disk is full, quotes need what is left of it.
        await rm(unfinished, { recursive: true, force: true });
      }
    }
    for (const each of earlier) if (each !== copy) await rm(each, { recursive: true, force: true });
  } catch (error) {
    log.warn({ err: error }, "no copy of the catalog can be kept: a start needs a folder without faults");
  }
}

/** The copy of a catalog folder; `undefined` where there is none, or one whose files have changed. */
async function lastGoodCopy(folders: Folders): Promise<string | undefined> {
  for (const copy of await copiesOf(folders)) if (copy.endsWith(`-${digestOf(await filesIn(copy))}`)) return copy;
  return undefined;
}

/** One, or two where a process has ended before it removed the other. */
async function copiesOf({ catalogDir, dataDir }: Folders): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, COPIES)).catch(() => []);
  const name = new RegExp(`^${keyOf(catalogDir)}-[0-9a-f]{64}$`);
  return names.filter((each) => name.test(each)).map((each) => join(dataDir, COPIES, each));
}

/** Processes with other catalogs may share the data folder. */
function keyOf(catalogDir: string): string {
  return sha256(resolve(catalogDir), "hex").slice(0, 12);
}

/** What the catalog is read from, by name. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const subfolder of ["", ...FOLDERS]) {
    const names = await readdir(join(folder, subfolder)).catch(() => []);
    for (const name of names.filter((each) => /\.(json|svg|png)$/.test(each)).sort())
      files.set(join(subfolder, name), await readFile(join(folder, subfolder, name)));
  }
  return files;
}

/** The length separates the content of a file from the next. */
function digestOf(files: ReadonlyMap<string, Buffer>): string {
  const parts = [...files].flatMap(([name, content]) => [Buffer.from(`${name} ${content.length}\n`), content]);
  return sha256(Buffer.concat(parts), "hex");
}
