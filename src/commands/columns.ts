import { styleText } from "node:util";

/** Width of every output, in columns of the terminal. */
export const WIDTH = 80;

/** Wraps a text to the terminal's width. Lines after the first are indented; a word that is too long stays whole. */
export function wrapped(text: string, indent = 0): string {
  const lines = text.match(new RegExp(`\\S.{0,${WIDTH - indent - 1}}(?= |$)|\\S+`, "g")) ?? [];
  return `${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}

/** Aligns rows of cells in columns: the first `left` columns to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[], left = 1): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`);
}

type Format = Parameters<typeof styleText>[0];

/** Colors a text on a terminal without NO_COLOR. To be applied after `columns`, which counts characters. */
export function colored(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.hasColors?.() ? styleText(format, text) : text;
}

/** An error for stderr: wrapped and colored on a terminal, otherwise unchanged, for programs that read it. */
export function shownError(text: string): string {
  if (!process.stderr.isTTY) return text;
  const lines = text.trimEnd().split("\n");
  const fitted = lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    return `${" ".repeat(indent)}${wrapped(line.trimStart(), indent)}`;
  });
  return colored("red", fitted.join(""), process.stderr);
}

/** One line of CSV; `null` is an empty cell. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\n`;
}

function cellOf(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  const safe = /^[=+@\t-]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
