import { type Disk, systemCode } from "./disk.ts";

/** The file beside a partition, also where that was set aside under another name. */
export function acknowledgementsOf(partition: string): string {
  return `${partition.replace(/\.damaged-[^/\\]*$/, "")}.delivered`;
}

export function isAcknowledgements(name: string): boolean {
  return /^quotes-[\w-]+\.jsonl\.delivered$/.test(name);
}

/** The ids in the file; what a crash cut off is none. */
export async function acknowledgedIn(disk: Disk, file: string): Promise<Set<string>> {
  try {
    const handle = await disk.open(file, "r");
    try {
      const lines = (await handle.readFile("utf8")).split("\n").slice(0, -1);
      return new Set(lines.map((line) => line.split(" ", 1)[0] ?? ""));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return new Set();
    throw error;
  }
}

/** The newline comes first too: the line before may have been cut off. */
export async function acknowledge(disk: Disk, file: string, line: string): Promise<void> {
  const handle = await disk.open(file, "a", 0o600);
  try {
    await handle.appendFile(`\n${line}\n`);
  } finally {
    await handle.close();
  }
}
