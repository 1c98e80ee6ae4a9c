import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Another process may remove the file between two looks at it; a link into nothing never comes to an end. */
const ATTEMPTS = 3;

/**
 * The text of a file. A missing one is created with `createContent()`, its folder too, readable by their owner only;
 * processes that start together all get the text of the one that was first. For a start, which has nothing else to do:
 * each call of `fs/promises` would take four turns of the event loop to read a file.
 */
export async function readOrCreateFile(path: string, createContent: () => string | Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || attempt > ATTEMPTS) throw error;
    }
    createFile(path, await createContent());
  }
}

/** Creates the file whole or not at all; does nothing if it exists. */
function createFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
    linkOrCopy(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Some file systems (exFAT) have no links; a copy is exclusive too, only not atomic. */
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
