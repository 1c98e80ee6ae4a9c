import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { createFolder, syncFolder } from "./create-folder.ts";

/** More than one, because another process can remove the file meanwhile. Limited, because a broken link always fails. */
const ATTEMPTS = 3;

/**
 * The text of a file. A missing file and its folder are created, readable by their owner only, with `createContent()`.
 * Processes that start together all get the text of the first.
 */
export async function readOrCreateFile(path: string, createContent: () => string | Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || attempt > ATTEMPTS) throw error;
    }
    await createFile(path, await createContent());
  }
}

/** Creates the file and its folder whole or not at all; `false`, and does nothing, if it exists. */
export async function createFile(path: string, content: string): Promise<boolean> {
  await createFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
    linkOrCopy(draft, path);
    await syncFolder(fs, dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Some file systems (exFAT) have no links. A copy is exclusive too, but not atomic. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
