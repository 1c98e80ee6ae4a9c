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

/** In color on a terminal without NO_COLOR; applied after the columns, which count characters. */
export function colored(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.hasColors?.() ? styleText(format, text) : text;
}

/** What stderr gets of an error: in lines that fit on a terminal, in one for a program that reads it. */
export function shownError(text: string): string {
  if (!process.stderr.isTTY) return text;
  const lines = text.trimEnd().split("\n");
  const fitted = lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    return `${" ".repeat(indent)}${wrapped(line.trimStart(), indent)}`;
  });
  return colored("red", fitted.join(""), process.stderr);
}

/** One line of CSV; empty where a cell is `null`. A text that a spreadsheet would take for a formula is kept from being one. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\n`;
}

function cellOf(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  const safe = /^[=+@\t-]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
