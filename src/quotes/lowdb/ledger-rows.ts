import type { SaleEvent } from "../../ledger/sale-event.ts";
import type { CountedQuote, CountedStep } from "../../ledger/sales-count.ts";

/**
 * Events as a line of the ledger keeps them, quotes and steps apart: numbers stand for the names of the line, so that a
 * million are read in a second. A row of a quote is its instant, its id, the milliseconds to its end, surface, client,
 * corridor, origin, destination, kilometers, tariff version, and class and total of each option; a row of a step is 1 for
 * an opening or 0, its instant, its quote, surface, client, class and total. -1 stands for no name.
 */
export interface LedgerLine {
  readonly kind: "quotes" | "steps";
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}
type Row = readonly (number | string)[];

/** How the JSON of a line of steps begins. */
export const LEDGER_STEPS_START = '{"kind":"steps"';

const ROWS_IN_LINE = 1_000;
const CLASSES_AT = 10;

/** Collects events as lines. */
export function createLedgerLines(): { add(sale: SaleEvent): void; all(): readonly LedgerLine[] } {
  const lines: LedgerLine[] = [];
  const quotes = createCollector("quotes", quoteRow);
  const steps = createCollector("steps", stepRow);

  return {
    add: (sale) => (sale.type === "quote.created" ? quotes : steps).add(sale),
    all() {
      for (const each of [quotes, steps]) each.end();
      return lines;
    },
  };

  function createCollector(kind: LedgerLine["kind"], rowOf: (sale: SaleEvent, indexOf: IndexOf) => Row) {
    let indices = new Map<string, number>();
    let rows: Row[] = [];
    return { add, end };

    function add(sale: SaleEvent): void {
      rows.push(rowOf(sale, indexOf));
      if (rows.length === ROWS_IN_LINE) end();
    }

    function end(): void {
      if (rows.length > 0) lines.push({ kind, names: [...indices.keys()], rows });
      indices = new Map();
      rows = [];
    }

    function indexOf(name: string | null): number {
      if (name === null) return -1;
      const index = indices.get(name) ?? indices.size;
      indices.set(name, index);
      return index;
    }
  }
}

type IndexOf = (name: string | null) => number;

function quoteRow(sale: SaleEvent, indexOf: IndexOf): Row {
  const at = Date.parse(sale.at);
  const names = [sale.surface, sale.client, sale.corridor, sale.origin, sale.destination].map(indexOf);
  const terms = [sale.distanceKm, indexOf(sale.tariffVersion), ...pricesOf(sale, indexOf)];
  return [at, sale.quoteId, Date.parse(sale.expiresAt) - at, ...names, ...terms];
}

function stepRow(sale: SaleEvent, indexOf: IndexOf): Row {
  const by = [sale.surface, sale.client].map(indexOf);
  const isOpening = sale.type === "handoff.opened" ? 1 : 0;
  return [isOpening, Date.parse(sale.at), sale.quoteId, ...by, ...pricesOf(sale, indexOf)];
}

function pricesOf({ options }: SaleEvent, indexOf: IndexOf): readonly number[] {
  return options.flatMap(({ vehicleClass, totalRappen }) => [indexOf(vehicleClass), totalRappen]);
}

export function countedQuote(row: Row, names: readonly string[]): CountedQuote {
  const [at, quoteId, open, , client, corridor, origin, destination] = row as [number, string, ...number[]];
  const classes: string[] = [];
  const totalsRappen: number[] = [];
  for (let n = CLASSES_AT; n < row.length; n += 2) {
    classes.push(names[row[n] as number] ?? "");
    totalsRappen.push(row[n + 1] as number);
  }
  return {
    quoteId,
    at,
    expiresAt: at + (open ?? 0),
    client: names[client ?? -1] ?? null,
    corridor: names[corridor ?? -1] ?? null,
    origin: names[origin ?? -1] ?? null,
    destination: names[destination ?? -1] ?? null,
    classes,
    totalsRappen,
  };
}

export function countedStep(row: Row, names: readonly string[]): CountedStep {
  const [isOpening, at, quoteId, , , vehicleClass, totalRappen] = row as [number, number, string, ...number[]];
  return {
    quoteId,
    at,
    isOpening: isOpening === 1,
    vehicleClass: names[vehicleClass ?? -1] ?? "",
    totalRappen: totalRappen ?? 0,
  };
}
