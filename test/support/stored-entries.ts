import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines of all entries in the embedded quote store of a server's data folder, without the ledger. */
export function storedEntries(dataDir: string): readonly string[] {
  const folder = join(dataDir, "quotes", "serve");
  return readdirSync(folder)
    .filter((name) => /^quotes-.*\.jsonl$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "");
}
