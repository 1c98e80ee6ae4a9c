import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../../../ops/package-root.ts";
import { readOrCreateFile } from "../../../ops/read-or-create-file.ts";
import { UnusableStorage } from "../unusable-storage.ts";

/** Of all that the embedded store and the embedded issuer keep in a data folder; 1 is that of 0.1.0. */
const FORMAT = 1;
export const FORMAT_FILE = "format.json";

/** Records in a data folder its format, and which release has made it. Throws UnusableStorage as `checkFormat` does. */
export async function claimFormat(dataDir: string): Promise<void> {
  await readOrCreateFile(join(dataDir, FORMAT_FILE), () => `{"format":${FORMAT},"release":"${packageVersion}"}\n`);
  checkFormat(dataDir);
}

/** Throws UnusableStorage where a later release, whose format this one does not read, has written the folder. */
export function checkFormat(dataDir: string): void {
  const path = join(dataDir, FORMAT_FILE);
  // Nothing is stored, or by a preview, whose format is the first.
  if (!existsSync(path)) return;
  const text = readFileSync(path, "utf8");
  const [, format, release] = /^\{"format":(\d+),"release":"([^"]+)"\}\n$/.exec(text) ?? [];
  if (Number(format) <= FORMAT) return;
  const what = format === undefined ? "is damaged" : `has format ${format}, which is unknown to ${packageVersion}`;
  const how = format === undefined ? "restore it from a backup" : `start ${release} or a later release`;
  throw new UnusableStorage(`TRANSFER_DATA_DIR: ${path} ${what}; ${how}, or restore a backup into an empty folder`);
}
