import { localDateTime } from "../ops/local-time.ts";
import type { ReportGroup, SaleGroup, SalesReport, SaleTotals } from "../quotes/sales-report.ts";
import { columns } from "./columns.ts";

/** A report and the period that it is of. */
export interface ShownReport extends SalesReport {
  readonly since: Date;
  readonly until: Date;
  readonly timeZone: string;
  readonly by: ReportGroup | undefined;
}

const WIDTH = 80;
const MOST_LINES = 50;
const HEAD = [
  ["", "", "handed", "", "", "CHF", "CHF handed", "CHF", "handed"],
  ["", "quotes", "over", "opened", "expired", "quoted", "over", "opened", "over"],
];

/** For people, in 80 columns: whole francs, and the groups with the most quotes; days in their order. */
export function reportTable(report: ShownReport): string {
  const { total, groups, by, since, until, timeZone } = report;
  const time = (instant: Date) => localDateTime(instant, timeZone).slice(0, 16).replace("T", " ");
  const title = `Quotes created from ${time(since)} to ${time(until)} (${timeZone})\n\n`;
  const shown = by === "day" ? groups : [...groups].sort((a, b) => b.quotes - a.quotes).slice(0, MOST_LINES);
  const rows = [...shown.map((group) => ({ name: nameOf(group), sums: group })), { name: "total", sums: total }];
  const cells = rows.map(({ sums }) => cellsOf(sums));
  const [first = [], second = []] = HEAD.map((row) => row.slice(1));
  const widths = first.map((_, n) => Math.max(...[first, second, ...cells].map((row) => row[n]?.length ?? 0)));
  const room = WIDTH - widths.reduce((sum, width) => sum + width + 2, 0);
  const table = columns([
    [by ?? "", ...first],
    ["", ...second],
    ...rows.map(({ name }, n) => [shortened(name, room), ...(cells[n] ?? [])]),
  ]);
  const more = groups.length - shown.length;
  return `${title}${table}${more > 0 ? `\n${more} more; --csv and --json have them all\n` : ""}`;
}

/** Every group, or the total alone where nothing is grouped; sums in francs. */
export function reportCsv({ groups, total, by }: ShownReport): string {
  const names = ["quotes", "handed_over", "opened", "expired", "quoted_chf", "handed_over_chf", "opened_chf"];
  const rows = by ? groups.map((group) => [quoted(nameOf(group)), ...csvCells(group)]) : [csvCells(total)];
  const head = [...(by ? [by] : []), ...names, "conversion"];
  return [head, ...rows].map((row) => `${row.join(",")}\n`).join("");
}

export function reportJson({ total, groups, by, since, until, timeZone }: ShownReport): string {
  const report = {
    since: localDateTime(since, timeZone),
    until: localDateTime(until, timeZone),
    total: wireSums(total),
    ...(by && { by, groups: groups.map((group) => ({ [by]: group.key, ...wireSums(group) })) }),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function wireSums(sums: SaleTotals) {
  return {
    quotes: sums.quotes,
    handed_over: sums.handedOver,
    opened: sums.opened,
    expired: sums.expired,
    quoted_chf: sums.quotedRappen / 100,
    handed_over_chf: sums.handedOverRappen / 100,
    opened_chf: sums.openedRappen / 100,
    conversion: conversionOf(sums),
  };
}

function csvCells(sums: SaleTotals): readonly string[] {
  const { quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen } = sums;
  return [
    ...[quotes, handedOver, opened, expired].map(String),
    ...[quotedRappen, handedOverRappen, openedRappen].map((rappen) => (rappen / 100).toFixed(2)),
    String(conversionOf(sums) ?? ""),
  ];
}

function cellsOf(sums: SaleTotals): readonly string[] {
  const { quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen } = sums;
  const conversion = conversionOf(sums);
  return [
    ...[quotes, handedOver, opened, expired].map(String),
    ...[quotedRappen, handedOverRappen, openedRappen].map((rappen) => String(Math.round(rappen / 100))),
    conversion === null ? "" : `${(conversion * 100).toFixed(1)}%`,
  ];
}

/** The share of quotes that were handed over, to four decimals. */
function conversionOf({ quotes, handedOver }: SaleTotals): number | null {
  return quotes === 0 ? null : Math.round((handedOver / quotes) * 10_000) / 10_000;
}

/** Without what moves the cursor of a terminal. */
function nameOf({ key }: SaleGroup): string {
  return key?.replace(/\p{C}/gu, "?") ?? "(none)";
}

function shortened(name: string, room: number): string {
  return name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name;
}

/** A name for CSV; one that a spreadsheet would take for a formula is kept from being one. */
function quoted(name: string): string {
  const safe = /^[=+@\t-]/.test(name) ? `'${name}` : name;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
