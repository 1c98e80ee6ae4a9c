import { localDateTime } from "../ops/local-time.ts";
import type { ReportQuery, SaleGroup, SalesReport, SaleTotals } from "../quotes/sales-report.ts";
import { colored, columns } from "./columns.ts";
import { csvLine } from "./csv.ts";

/** A report and what it was made of. */
export interface ShownReport extends SalesReport, Omit<ReportQuery, "now"> {}

const MOST_LINES = 50;
const SHORTEST_NAME = 10;
const HEAD = [
  ["", "", "", "", "", "CHF", "", ""],
  ["", "handed", "", "", "CHF", "handed", "CHF", "handed"],
  ["quotes", "over", "opened", "expired", "quoted", "over", "opened", "over"],
];

/** For people, in so many columns: whole francs, and the groups with the most quotes; days in their order. */
export function reportTable(report: ShownReport, width: number): string {
  const { total, groups, by, since, until, timeZone } = report;
  const time = (instant: Date) => localDateTime(instant, timeZone).slice(0, 16).replace("T", " ");
  const title = `Quotes created from ${time(since)} to ${time(until)} (${timeZone})\n\n`;
  const isByDay = by.length === 1 && by[0] === "day";
  const shown = isByDay ? groups : [...groups].sort((a, b) => b.quotes - a.quotes).slice(0, MOST_LINES);
  const cells = [...shown, total].map(cellsOf);
  const widths = cells[0]?.map((_, n) => Math.max(...[...HEAD, ...cells].map((row) => row[n]?.length ?? 0))) ?? [];
  const room = width - widths.reduce((sum, each) => sum + each + 2, 0);
  const left = Math.max(1, by.length);
  const nameRows = [...shown.map(namesOf), ["total", ...Array(left - 1).fill("")]];
  const names = shortened(nameRows, room - 2 * (left - 1));
  const heads = HEAD.map((row, n) => [...Array.from({ length: left }, (_, m) => (n === 0 && by[m]) || ""), ...row]);
  const lines = columns([...heads, ...names.map((row, n) => [...row, ...(cells[n] ?? [])])], left);
  const table = lines.replace(/^(?:.*\n){3}/, (head) => colored("bold", head));
  const more = groups.length - shown.length;
  return `${title}${table}${more > 0 ? `\n${more} more; --csv and --json have them all\n` : ""}`;
}

/** Every group, or the total alone where nothing is grouped; sums in francs. */
export function reportCsv({ groups, total, by }: ShownReport): string {
  const names = ["quotes", "handed_over", "opened", "expired", "quoted_chf", "handed_over_chf", "opened_chf"];
  const rows = by.length > 0 ? groups.map((group) => [...namesOf(group), ...csvCells(group)]) : [csvCells(total)];
  return [[...by, ...names, "handed_over_share"], ...rows].map(csvLine).join("");
}

export function reportJson({ total, groups, by, since, until, timeZone }: ShownReport): string {
  const wireGroup = (group: SaleGroup) => ({
    ...Object.fromEntries(by.map((name, n) => [name, group.keys[n] ?? null])),
    ...wireSums(group),
  });
  const report = {
    since: localDateTime(since, timeZone),
    until: localDateTime(until, timeZone),
    total: wireSums(total),
    ...(by.length > 0 && { by, groups: groups.map(wireGroup) }),
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
    handed_over_share: shareOf(sums),
  };
}

function csvCells(sums: SaleTotals): readonly string[] {
  const { quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen } = sums;
  return [
    ...[quotes, handedOver, opened, expired].map(String),
    ...[quotedRappen, handedOverRappen, openedRappen].map((rappen) => (rappen / 100).toFixed(2)),
    String(shareOf(sums) ?? ""),
  ];
}

function cellsOf(sums: SaleTotals): readonly string[] {
  const { quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen } = sums;
  const share = shareOf(sums);
  return [
    ...[quotes, handedOver, opened, expired].map(String),
    ...[quotedRappen, handedOverRappen, openedRappen].map((rappen) => String(Math.round(rappen / 100))),
    share === null ? "" : `${(share * 100).toFixed(1)}%`,
  ];
}

/** The share of quotes that were handed over, to four decimals. */
function shareOf({ quotes, handedOver }: SaleTotals): number | null {
  return quotes === 0 ? null : Math.round((handedOver / quotes) * 10_000) / 10_000;
}

/** Without what moves the cursor of a terminal. */
function namesOf({ keys }: SaleGroup): readonly string[] {
  return keys.map((key) => key?.replace(/\p{C}/gu, "?") ?? "(none)");
}

/** Rows whose columns fit the room together: the widest give way. */
function shortened(rows: readonly (readonly string[])[], room: number): readonly (readonly string[])[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
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
