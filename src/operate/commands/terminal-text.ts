import { styleText } from "node:util";

/** Width of every output, in columns of the terminal. */
export const WIDTH = 80;

/** Wraps a text to the terminal's width. Lines after the first are indented; a word that is too long stays whole. */
export function wrapped(text: string, indent = 0): string {
  const lines = printable(text).match(new RegExp(`\\S.{0,${WIDTH - indent - 1}}(?= |$)|\\S+`, "g")) ?? [];
  return `${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}

/** A text from outside for a terminal: characters that move its cursor, or that nobody sees, are written as `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** JSON in which such characters are escaped, too. */
export function jsonText(value: unknown, indent = 2): string {
  const unitOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, indent).replace(/(?!\n)\p{C}/gu, (character) =>
    character.split("").map(unitOf).join(""),
  );
}

type Format = Parameters<typeof styleText>[0];

/** Colors a text on a terminal without NO_COLOR. */
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

/** CSV as programs read it, or as Excel in Switzerland opens it: with semicolons, decimal commas and a byte order mark. */
export type Dialect = "csv" | "excel";

/** What a file of CSV begins with. */
export const csvStart = (dialect: Dialect) => (dialect === "excel" ? "\uFEFF" : "");

/**
 * One line of CSV; `null` is an empty cell. Where a spreadsheet would take a text, or what it splits off from it at
 * another separator, for a formula, that gets an apostrophe; a text that is a number stays a number.
 */
export function csvLine(cells: readonly (string | number | null)[], dialect: Dialect = "csv"): string {
  return `${cells.map((cell) => cellOf(cell, dialect)).join(dialect === "excel" ? ";" : ",")}\n`;
}

const FORMULA = /(^|[,;|\t\r\n])(["\s]*)(?=[=+@\-＝＋＠－])/g;

function cellOf(value: string | number | null, dialect: Dialect): string {
  const text = String(value ?? "");
  const isNumber = typeof value === "number" || /^[+-]?\d+(\.\d+)?$/.test(text);
  if (isNumber) return dialect === "excel" ? text.replace(".", ",") : text;
  const safe = printable(text.replace(FORMULA, "$1$2'"));
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
