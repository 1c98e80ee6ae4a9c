import type { Direction, Offer, PriceLine } from "./offer.ts";
import type { Item } from "./party-view.ts";
import type { Said, Words } from "./words.ts";

export interface PriceView {
  /** Lines of each direction with their total, then the others; empty if the operator publishes none. */
  readonly lines: readonly { readonly item: Item; readonly isTotal: boolean }[];
  /** The price of each direction, where each line belongs to one. */
  readonly ofDirection: Readonly<Partial<Record<Direction, string>>>;
}

export function priceView(
  { price_lines: lines = [], currency, total_price: total = 0 }: Offer,
  words: Words,
): PriceView {
  if (lines.length === 0) return { lines: [], ofDirection: {} };
  const money = (rappen: number) => words.money(rappen / 100, currency);
  const row = (term: string | Said, rappen: number, isTotal = false) => {
    const item: Item = [typeof term === "string" ? [term] : term, [money(rappen)]];
    return { item, isTotal };
  };
  const linesIn = (direction: Direction | undefined) => lines.filter((line) => line.direction === direction);
  const sumOf = (direction: Direction) => linesIn(direction).reduce((sum, { amount }) => sum + rappenOf(amount), 0);
  const rows = ([...DIRECTIONS, undefined] as const).flatMap((direction) => {
    const own = linesIn(direction).map((line) => row(labelOf(line, words), rappenOf(line.amount)));
    return direction && own.length > 1
      ? [...own, row(words.text(`line_${direction}`, { line: words.text("total_price") }), sumOf(direction), true)]
      : own;
  });
  const isDivided = linesIn("return").length > 0 && linesIn(undefined).length === 0;
  const ofDirection = DIRECTIONS.map((direction) => [
    direction,
    words.text(`line_${direction}`, { line: money(sumOf(direction)) }),
  ]);
  return {
    lines: [...rows, row(words.text("total_price"), rappenOf(total), true)],
    ofDirection: isDivided ? Object.fromEntries(ofDirection) : {},
  };
}

const DIRECTIONS = ["outbound", "return"] as const;

function rappenOf(francs: number): number {
  return Math.round(francs * 100);
}

/** A line without a code has the operator's own label. */
function labelOf({ label, code, count = 0, direction, name = label }: PriceLine, words: Words): Said {
  const known = words.known(`line_${code}`, { count, time: words.duration(count) }) ?? words.operator(name);
  return direction ? [words.text(`line_${direction}`, { line: "" }), known] : [known];
}
