import { randomUUID } from "node:crypto";
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Another process may remove the file between two looks at it; a link into nothing never comes to an end. */
const ATTEMPTS = 3;

/**
 * The text of a file. A missing one is created with `createContent()`, its folder too, readable by their owner only;
 * processes that start together all get the text of the one that was first.
 */
export async function readOrCreateFile(path: string, createContent: () => string | Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || attempt > ATTEMPTS) throw error;
    }
    await createFile(path, await createContent());
  }
}

/** Creates the file whole or not at all; does nothing if it exists. */
async function createFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: "wx", flush: true });
    await link(draft, path).catch((error) => {
      if (codeOf(error) === "EEXIST") throw error;
      // Some file systems (exFAT) have no links; a copy is exclusive too, only not atomic.
      return copyFile(draft, path, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
