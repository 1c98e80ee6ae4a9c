import { once } from "node:events";
import Table from "cli-table3";
import { colored, jsonText, printable, WIDTH, wrapped } from "./terminal-text.ts";

/** What a row has in a column: an amount is a number in JSON, and a text with two decimals elsewhere. */
export type Cell = string | number | boolean | null | undefined | { readonly rappen: number };

/** The values of a row by column; every row has the same, and in their names `_` stands for a space. */
export type Cells = Readonly<Record<string, Cell>>;

/** `excel` is CSV as Excel in Switzerland opens it: with semicolons, decimal commas and a byte order mark. */
export type Format = "table" | "csv" | "excel" | "json";

/** The format that the options of a command ask for. */
export function formatOf(values: { readonly csv?: true; readonly excel?: true; readonly json?: true }): Format {
  return (["json", "excel", "csv"] as const).find((each) => values[each]) ?? "table";
}

/** Prints a line for each row, or a list of objects. Waits while the reader is slow, so that a long list fills no memory. */
export async function print<Row>(...args: Parameters<typeof printed<Row>>): Promise<void> {
  for await (const text of printed(...args)) if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** How much is written at once. */
const MOST_CHARACTERS = 100_000;

/** The text of many rows at a time. In a table the column called `wrapping` has what the others leave of 80 characters. */
export async function* printed<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: (row: Row) => Cells,
  as: Format = "table",
  wrapping?: string,
): AsyncGenerator<string> {
  const inTable: Cells[] = [];
  let text = as === "json" ? "[" : as === "excel" ? "\uFEFF" : "";
  let isFirst = true;
  for await (const each of rows) {
    const row = columns(each);
    if (as === "table") inTable.push(row);
    else if (as !== "json") text += (isFirst ? csvLine(Object.keys(row), as) : "") + csvLine(Object.values(row), as);
    else text += `${isFirst ? "" : ","}\n${jsonText(jsonOf(row), 0)}`;
    isFirst = false;
    if (text.length < MOST_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (as === "table") yield table(inTable, wrapping);
  else yield as === "json" ? `${text}${isFirst ? "" : "\n"}]\n` : text;
}

const PARTS = ["", "-mid", "-left", "-right"].flatMap((at) =>
  ["top", "bottom", "left", "right", "mid"].map((of) => of + at),
);
const NO_BORDERS = { ...Object.fromEntries(PARTS.map((part) => [part, ""])), middle: "  " };
const PLAIN = { "padding-left": 0, "padding-right": 0, head: [], border: [] };

/** Numbers are aligned to the right; the head has a line for each word. */
function table(rows: readonly Cells[], wrapping = ""): string {
  const names = Object.keys(rows[0] ?? {});
  const colAligns = names.map((name) => (rows.some((row) => isNumber(row[name])) ? "right" : "left"));
  const texts = rows.map((row) => names.map((name) => printable(textOf(row[name]))));
  const width = (column: number) => Math.max(...texts.map((row) => row[column]?.length ?? 0));
  const at = names.indexOf(wrapping);
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

function isNumber(cell: Cell): boolean {
  return typeof cell === "number" || (typeof cell === "object" && cell !== null);
}

function textOf(cell: Cell): string {
  return typeof cell === "object" && cell !== null ? (cell.rappen / 100).toFixed(2) : String(cell ?? "");
}

function jsonOf(row: Cells): object {
  const numberOf = (cell: Cell) => (typeof cell === "object" && cell !== null ? cell.rappen / 100 : (cell ?? null));
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, numberOf(cell)]));
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
