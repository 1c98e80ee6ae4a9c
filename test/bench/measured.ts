import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { table, withMarked } from "../../scripts/docs/with-marked.ts";
import { packageRoot } from "../../src/ops/package-root.ts";

const CAPACITY = join(packageRoot, "docs/maintainers/capacity.md");
const MACHINE = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version.slice(1)}`;

interface Measured {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Prints what was measured; with `--write` also into its block of docs/maintainers/capacity.md. */
export function showMeasured(block: string, tables: readonly Measured[]): void {
  const shown = tables.map(({ title, head, rows }) => `${title}:\n\n${table(head, rows)}`);
  const text = [`Measured on ${new Date().toISOString().slice(0, 10)}: ${MACHINE}.`, ...shown].join("\n\n");
  process.stdout.write(`${text}\n`);
  if (process.argv.includes("--write"))
    writeFileSync(CAPACITY, withMarked(readFileSync(CAPACITY, "utf8"), block, text));
}
