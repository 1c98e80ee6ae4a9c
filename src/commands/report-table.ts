import { localDateTime } from "../ops/local-time.ts";
import type { ReportQuery, SaleGroup, SalesReport, SaleTotals } from "../quotes/sales-report.ts";
import { colored, columns, csvLine, jsonText, printable, widthsOf } from "./columns.ts";

/** A report and what it was made of. */
export interface ShownReport extends SalesReport, Omit<ReportQuery, "now"> {}

const MOST_LINES = 50;
const SHORTEST_NAME = 10;
/** A number as JSON, CSV and the table have it. */
interface Shown {
  readonly json: number | null;
  readonly csv: string;
  readonly cell: string;
}

const count = (number: number): Shown => ({ json: number, csv: String(number), cell: String(number) });
const francs = (rappen: number): Shown => ({
  json: rappen / 100,
  csv: (rappen / 100).toFixed(2),
  cell: String(Math.round(rappen / 100)),
});

/** A share of quotes, to four decimals. */
function share(count: number, { quotes }: SaleTotals): Shown {
  if (quotes === 0) return { json: null, csv: "", cell: "" };
  const json = Math.round((count / quotes) * 10_000) / 10_000;
  return { json, csv: String(json), cell: `${(json * 100).toFixed(1)}%` };
}

/** The name of each column in JSON and CSV, its head in the table, and what it shows. */
// biome-ignore format: a table reads by its columns
const COLUMNS: readonly (readonly [string, readonly string[], (sums: SaleTotals) => Shown])[] = [
  ["quotes", ["", "", "quotes"], ({ quotes }) => count(quotes)],
  ["handed_over", ["", "handed", "over"], ({ handedOver }) => count(handedOver)],
  ["opened", ["", "", "opened"], ({ opened }) => count(opened)],
  ["expired", ["", "", "expired"], ({ expired }) => count(expired)],
  ["quoted_chf", ["", "CHF", "quoted"], ({ quotedRappen }) => francs(quotedRappen)],
  ["handed_over_chf", ["CHF", "handed", "over"], ({ handedOverRappen }) => francs(handedOverRappen)],
  ["opened_chf", ["", "CHF", "opened"], ({ openedRappen }) => francs(openedRappen)],
  ["handed_over_share", ["share", "handed", "over"], (sums) => share(sums.handedOver, sums)],
];

/** Where the operator has a list of what was paid: otherwise nothing is called sold. */
// biome-ignore format: a table reads by its columns
const SOLD_COLUMNS: typeof COLUMNS = [
  ["sold", ["", "", "sold"], ({ sold }) => count(sold)],
  ["sold_chf", ["", "CHF", "sold"], ({ soldRappen }) => francs(soldRappen)],
  ["sold_share", ["", "share", "sold"], (sums) => share(sums.sold, sums)],
  ["commission_chf", ["", "CHF", "commission"], ({ commissionRappen }) => francs(commissionRappen)],
];

const columnsOf = ({ sold }: Pick<ShownReport, "sold">) => (sold ? [...COLUMNS, ...SOLD_COLUMNS] : COLUMNS);
type Column = (typeof COLUMNS)[number];

const csvOf = (sums: SaleTotals, shown: readonly Column[]) => shown.map(([, , of]) => of(sums).csv);
const wireSums = (sums: SaleTotals, shown: readonly Column[]) =>
  Object.fromEntries(shown.map(([name, , of]) => [name, of(sums).json]));

/** A table of so many characters: whole francs, and the groups with the most quotes. Days stay in their order. */
export function reportTable(report: ShownReport, width: number): string {
  const { total, groups, by } = report;
  const isByDay = by.length === 1 && by[0] === "day";
  const shown = isByDay ? groups : [...groups].sort((a, b) => b.quotes - a.quotes).slice(0, MOST_LINES);
  const listed = columnsOf(report);
  const cells = [...shown, total].map((sums) => listed.map(([, , of]) => of(sums).cell));
  const head = [0, 1, 2].map((line) => listed.map(([, lines]) => lines[line] ?? ""));
  const room = width - widthsOf([...head, ...cells]).reduce((sum, each) => sum + each + 2, 0);
  const left = Math.max(1, by.length);
  const nameRows = [...shown.map((group) => namesOf(group).map(printable)), ["total", ...Array(left - 1).fill("")]];
  const names = shortened(nameRows, room - 2 * (left - 1));
  const heads = head.map((row, n) => [...Array.from({ length: left }, (_, m) => (n === 0 && by[m]) || ""), ...row]);
  const lines = columns([...heads, ...names.map((row, n) => [...row, ...(cells[n] ?? [])])], left);
  const table = colored("bold", lines.slice(0, head.length).join("")) + lines.slice(head.length).join("");
  const more = groups.length - shown.length;
  return `${periodTitle("Quotes created", report)}${table}${more > 0 ? `\n${more} more; --csv and --json have them all\n` : ""}`;
}

/** The first line of a table, and an empty one. */
export function periodTitle(
  what: string,
  { since, until, timeZone }: Pick<ShownReport, "since" | "until" | "timeZone">,
): string {
  const time = (instant: Date) => localDateTime(instant, timeZone).slice(0, 16).replace("T", " ");
  return `${what} from ${time(since)} to ${time(until)} (${timeZone})\n\n`;
}

/** Every group, or the total alone where nothing is grouped; sums in francs. */
export function reportCsv(report: ShownReport, separator?: string): string {
  const { groups, total, by } = report;
  const listed = columnsOf(report);
  const rows =
    by.length > 0 ? groups.map((group) => [...namesOf(group), ...csvOf(group, listed)]) : [csvOf(total, listed)];
  const head = [...by, ...listed.map(([name]) => name)];
  return [head, ...rows].map((cells) => csvLine(cells, separator)).join("");
}

export function reportJson(shown: ShownReport): string {
  const { total, groups, by, since, until, timeZone } = shown;
  const listed = columnsOf(shown);
  const wireGroup = (group: SaleGroup) => ({
    ...Object.fromEntries(by.map((name, n) => [name, group.keys[n] ?? null])),
    ...wireSums(group, listed),
  });
  const report = {
    since: localDateTime(since, timeZone),
    until: localDateTime(until, timeZone),
    total: wireSums(total, listed),
    ...(by.length > 0 && { by, groups: groups.map(wireGroup) }),
  };
  return `${jsonText(report)}\n`;
}

function namesOf({ keys }: SaleGroup): readonly string[] {
  return keys.map((key) => key ?? "(none)");
}

/** Shortens the widest columns until all fit into `room` characters. */
function shortened(rows: readonly (readonly string[])[], room: number): readonly (readonly string[])[] {
  const widths = widthsOf(rows);
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = Math.max(...widths);
    if (widest <= SHORTEST_NAME) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return rows.map((row) =>
    row.map((name, column) => {
      const width = widths[column] ?? 0;
      return name.length > width ? `${name.slice(0, width - 1)}…` : name;
    }),
  );
}
