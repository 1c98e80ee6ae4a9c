/** Columns of a terminal that every output fits. */
export const WIDTH = 80;

/** A text in lines that fit; those after the first are indented. Words that are too long stay whole. */
export function wrapped(text: string, indent = 0): string {
  const lines = text.match(new RegExp(`\\S.{0,${WIDTH - indent - 1}}(?= |$)|\\S+`, "g")) ?? [];
  return `${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}

/** Lines of cells in columns: the first `left` of them left-aligned, the others right-aligned. */
export function columns(rows: readonly (readonly string[])[], left = 1): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join("");
}
