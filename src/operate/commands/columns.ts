import Table, { type TableConstructorOptions } from "cli-table3";
import { printable } from "./terminal-text.ts";

const PARTS = ["", "-mid", "-left", "-right"].flatMap((at) =>
  ["top", "bottom", "left", "right", "mid"].map((of) => of + at),
);
const NO_BORDERS = { ...Object.fromEntries(PARTS.map((part) => [part, ""])), middle: "  " };
const PLAIN = { "padding-left": 0, "padding-right": 0, head: [], border: [] };

/** The lines of a table without borders: the first `left` columns are aligned to the left, the others to the right. */
export function columns(
  rows: readonly (readonly string[])[],
  left = 1,
  layout: Pick<TableConstructorOptions, "colWidths" | "wordWrap"> = {},
): readonly string[] {
  const colAligns = (rows[0] ?? []).map((_, column) => (column < left ? "left" : "right"));
  const table = new Table({ ...layout, chars: NO_BORDERS, style: PLAIN, colAligns });
  table.push(...rows.map((row) => row.map(printable)));
  return table
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`);
}

/** The length of the longest cell of each column. */
export function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}
