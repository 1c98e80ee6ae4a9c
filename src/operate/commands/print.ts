import { once } from "node:events";
import Table from "cli-table3";
import { colored, jsonText, printable, WIDTH, wrapped } from "./terminal-text.ts";

/** What a column has of a row: an amount is a number in JSON, and a text with two decimals elsewhere. */
export type Cell = string | number | boolean | null | { readonly rappen: number };

/** By the name of each column, in which `_` stands for a space. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** `excel` is CSV as Excel in Switzerland opens it: with semicolons, decimal commas and a byte order mark. */
export type Format = "table" | "csv" | "excel" | "json";

/** The format that the options of a command ask for. */
export function formatOf(values: { readonly csv?: true; readonly excel?: true; readonly json?: true }): Format {
  return (["json", "excel", "csv"] as const).find((each) => values[each]) ?? "table";
}

/** Prints a line for each row, or a list of objects. Waits while the reader is slow, so that a long list fills no memory. */
export async function print<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: Columns<Row>,
  as: Format = "table",
  wrapping?: string,
): Promise<void> {
  for await (const text of printed(rows, columns, as, wrapping))
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** How much is written at once. */
const MOST_CHARACTERS = 100_000;

/** The text of many rows at a time. In a table the column called `wrapping` has what the others leave of 80 characters. */
export async function* printed<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: Columns<Row>,
  as: Format,
  wrapping?: string,
): AsyncGenerator<string> {
  const names = Object.keys(columns);
  const cells: Cell[][] = [];
  let text = as === "json" ? "[" : as === "table" ? "" : `${as === "excel" ? "\uFEFF" : ""}${csvLine(names, as)}`;
  let comma = "";
  for await (const row of rows) {
    const values = Object.values(columns).map((of) => of(row));
    if (as === "table") cells.push(values);
    else if (as === "json")
      text += `${comma}\n${jsonText(Object.fromEntries(values.map((v, n) => [names[n], jsonOf(v)])), 0)}`;
    else text += csvLine(values, as);
    comma = ",";
    if (text.length < MOST_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (as === "table") yield table(names, cells, wrapping);
  else yield as === "json" ? `${text}${comma && "\n"}]\n` : text;
}

const PARTS = ["", "-mid", "-left", "-right"].flatMap((at) =>
  ["top", "bottom", "left", "right", "mid"].map((of) => of + at),
);
const NO_BORDERS = { ...Object.fromEntries(PARTS.map((part) => [part, ""])), middle: "  " };
const PLAIN = { "padding-left": 0, "padding-right": 0, head: [], border: [] };

/** Numbers are aligned to the right; the head has a line for each word. */
function table(names: readonly string[], rows: readonly (readonly Cell[])[], wrapping?: string): string {
  const isNumber = (column: number) => rows.some((row) => !["string", "boolean"].includes(typeof (row[column] ?? "")));
  const colAligns = names.map((_, column): "right" | "left" => (isNumber(column) ? "right" : "left"));
  const texts = rows.map((row) => row.map((cell) => printable(textOf(cell))));
  const width = (column: number) => Math.max(...texts.map((row) => row[column]?.length ?? 0));
  const at = wrapping === undefined ? -1 : names.indexOf(wrapping);
  const room = WIDTH - names.reduce((sum, _, column) => sum + (column === at ? 0 : width(column) + 2), 0);
  const shown = texts.map((row) => row.map((text, column) => (column === at ? wrapped(text, 0, room) : text)));
  const drawn = new Table({ chars: NO_BORDERS, style: PLAIN, colAligns, rowAligns: ["bottom"] });
  drawn.push(
    names.map((name) => name.replaceAll("_", "\n")),
    ...shown,
  );
  const lines = drawn
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`);
  const heads = Math.max(...names.map((name) => name.split("_").length));
  return colored("bold", lines.slice(0, heads).join("")) + lines.slice(heads).join("");
}

function textOf(cell: Cell): string {
  return typeof cell === "object" && cell !== null ? (cell.rappen / 100).toFixed(2) : String(cell ?? "");
}

function jsonOf(cell: Cell): unknown {
  return typeof cell === "object" && cell !== null ? cell.rappen / 100 : cell;
}

/** An amount, or none. */
export const francs = (rappen: number | null | undefined): Cell => (rappen == null ? null : { rappen });

const FORMULA = /(^|[,;|\t\r\n])(["\s]*)(?=[=+@\-＝＋＠－])/g;

/**
 * One line of CSV; `null` is an empty cell. Where a spreadsheet would take a text, or what it splits off from it at
 * another separator, for a formula, that gets an apostrophe; a text that is a number stays a number.
 */
export function csvLine(cells: readonly Cell[], as: "csv" | "excel" = "csv"): string {
  const shown = cells.map((cell) => {
    const text = textOf(cell);
    if (/^[+-]?\d+(\.\d+)?$/.test(text)) return as === "excel" ? text.replace(".", ",") : text;
    const safe = printable(text.replace(FORMULA, "$1$2'"));
    return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${shown.join(as === "excel" ? ";" : ",")}\n`;
}
