import { styleText } from "node:util";

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

type Format = Parameters<typeof styleText>[0];

/** Colored where stdout is a terminal with colors and without NO_COLOR; made after the columns, which count characters. */
export function colored(format: Format, text: string): string {
  return process.stdout.hasColors?.() ? styleText(format, text) : text;
}
