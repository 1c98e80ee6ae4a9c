import { styleText } from "node:util";

/** Width of every output for people, in columns of the terminal. */
export const WIDTH = 80;

/** Wraps a text; lines after the first are indented, and a word that is too long stays whole. */
export function wrapped(text: string, indent = 0, width = WIDTH): string {
  const lines = printable(text).match(new RegExp(`\\S.{0,${width - indent - 1}}(?= |$)|\\S+`, "g")) ?? [];
  return lines.join(`\n${" ".repeat(indent)}`);
}

/** Lines with a mark before each. */
export function listed(texts: readonly string[]): string {
  return texts.map((text) => `- ${wrapped(text, 2)}\n`).join("");
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

/** Colors a text on a terminal without NO_COLOR. */
export function colored(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return stream.hasColors?.() ? styleText(format, text) : text;
}
