import { readFileSync } from "node:fs";

/** The records of a CSV file without its comments and its head. */
export function recordsOf(path: string): readonly string[] {
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  return lines.filter((line) => line !== "" && !line.startsWith("#")).slice(1);
}
