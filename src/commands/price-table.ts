import { durationText } from "../contract/notices.ts";
import { colored, WIDTH, wrapped } from "./columns.ts";
import type { CorridorPrices } from "./corridor-prices.ts";

export interface PriceRow extends CorridorPrices {
  /** The corridor back, where it is published. */
  readonly backKey: string | undefined;
}

export interface PriceList {
  readonly title: readonly string[];
  /** Ids of the vehicle classes, in the order of the columns. */
  readonly classes: readonly string[];
  readonly rows: readonly PriceRow[];
}

const COLUMN = 10;
const PER_LINE = Math.floor(WIDTH / COLUMN);

/**
 * Each corridor in a line of its own, with its way back where that costs the same, and its prices below, so that any
 * number of classes fits the terminal.
 */
export function priceTable({ title, classes, rows }: PriceList): string {
  const head = linesOf(classes.map((id) => id.split("_").map((word) => `${word} `)));
  const isSame = (row: PriceRow, back: PriceRow) => row.backKey === back.key && sumsOf(row) === sumsOf(back);
  const shown = rows.filter((row, n) => !rows.slice(0, n).some((back) => isSame(row, back)));
  const blocks = shown.map((row) => {
    const { key, km, minutes, prices, why } = row;
    const name = rows.some((back) => isSame(row, back)) ? `${key} and back` : key;
    const end = km === null ? "" : `${km} km ${durationText(minutes ?? 0).padStart(11)}`;
    const first = colored("bold", `${name.padEnd(WIDTH - end.length)}${end}`.trimEnd());
    if (why !== undefined) return `${first}\n  ${wrapped(why, 2)}`;
    const cells = classes.map((id) => {
      const price = prices.get(id);
      return [price ? `${price.total.toFixed(2)}${price.onRequest ? "*" : " "}` : "- "];
    });
    return `${first}\n${linesOf(cells)}`;
  });
  const isOnRequest = rows.some(({ prices }) => classes.some((id) => prices.get(id)?.onRequest));
  const legend = isOnRequest ? "\n* needs the operator's confirmation\n" : "";
  return `${title.map((line) => wrapped(line)).join("")}\n${head}\n${blocks.join("")}${legend}`;
}

function sumsOf({ km, minutes, prices, why }: CorridorPrices): string {
  return JSON.stringify([km, minutes, [...prices], why]);
}

/** Cells of several words each, right-aligned in columns; those that do not fit the width follow below. */
function linesOf(cells: readonly (readonly string[])[]): string {
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += PER_LINE) {
    const part = cells.slice(start, start + PER_LINE);
    const height = Math.max(...part.map((words) => words.length));
    for (let line = 0; line < height; line += 1)
      lines.push(part.map((words) => (words[line] ?? "").padStart(COLUMN)).join(""));
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
