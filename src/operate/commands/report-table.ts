import type { LostReport } from "../../domain/sales/lost-demand.ts";
import type { GroupedReport, ReportQuery, SaleTotals } from "../../domain/sales/sales-report.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { columns, widthsOf } from "./columns.ts";
import { colored, csvLine, csvStart, type Dialect, jsonText, printable, WIDTH } from "./terminal-text.ts";

/** A report, what it was made of, and how it is shown. */
export interface ShownReport<Counts> extends GroupedReport<Counts>, Pick<ReportQuery, "since" | "until" | "timeZone"> {
  readonly by: readonly string[];
  readonly title: string;
  /** The first one counts what is grouped. */
  readonly columns: readonly Column<Counts>[];
}

/** The name of a column in JSON and CSV, its head in the table, from the first line on, and its value. */
type Column<Counts> = readonly [string, readonly string[], Unit, (counts: Counts) => number | null];

const MOST_LINES = 50;
const SHORTEST_NAME = 10;

/** How CSV and the table write a value; JSON has it as it is. */
const UNITS = {
  count: { csv: String, cell: String },
  francs: { csv: (francs: number) => francs.toFixed(2), cell: (francs: number) => String(Math.round(francs)) },
  share: { csv: String, cell: (share: number) => `${(share * 100).toFixed(1)}%` },
};
type Unit = keyof typeof UNITS;

function written(unit: Unit, as: "csv" | "cell", value: number | null): string {
  return value === null ? "" : UNITS[unit][as](value);
}

/** A share of quotes, to four decimals. */
function share(count: number, { quotes }: SaleTotals): number | null {
  return quotes === 0 ? null : Math.round((count / quotes) * 10_000) / 10_000;
}

// biome-ignore format: a table reads by its columns
const SALES_COLUMNS: readonly Column<SaleTotals>[] = [
  ["quotes", ["", "", "quotes"], "count", ({ quotes }) => quotes],
  ["handed_over", ["", "handed", "over"], "count", ({ handedOver }) => handedOver],
  ["opened", ["", "", "opened"], "count", ({ opened }) => opened],
  ["expired", ["", "", "expired"], "count", ({ expired }) => expired],
  ["quoted_chf", ["", "CHF", "quoted"], "francs", ({ quotedRappen }) => quotedRappen / 100],
  ["handed_over_chf", ["CHF", "handed", "over"], "francs", ({ handedOverRappen }) => handedOverRappen / 100],
  ["opened_chf", ["", "CHF", "opened"], "francs", ({ openedRappen }) => openedRappen / 100],
  ["handed_over_share", ["share", "handed", "over"], "share", (sums) => share(sums.handedOver, sums)],
];

// biome-ignore format: a table reads by its columns
const PAYMENT_COLUMNS: typeof SALES_COLUMNS = [
  ["sold", ["", "", "sold"], "count", ({ sold }) => sold],
  ["sold_chf", ["", "CHF", "sold"], "francs", ({ soldRappen }) => soldRappen / 100],
  ["sold_share", ["", "share", "sold"], "share", (sums) => share(sums.sold, sums)],
  ["commission_chf", ["", "CHF", "commission"], "francs", ({ commissionRappen }) => commissionRappen / 100],
];

export const SALES = { title: "Quotes created", columns: SALES_COLUMNS };
/** Where the operator has a list of what was paid: otherwise nothing is called sold. */
export const PAID_SALES = { ...SALES, columns: [...SALES_COLUMNS, ...PAYMENT_COLUMNS] };
const LOST_COLUMNS: readonly Column<LostReport["total"]>[] = [
  ["refused", ["refused"], "count", ({ refused }) => refused],
];
export const LOST = { title: "Prices asked for and refused", columns: LOST_COLUMNS };

/** A pipe has no width: whatever reads it gets whole names. */
function terminalWidth(): number {
  return process.stdout.isTTY ? Math.max(WIDTH, process.stdout.columns) : Number.POSITIVE_INFINITY;
}

/** A table of at most `width` characters: whole francs, and the largest groups. Days stay in their order. */
export function reportTable<Counts>(report: ShownReport<Counts>, width = terminalWidth()): string {
  const { title, since, until, timeZone, by, total, groups, columns: listed } = report;
  const isByDay = by.length === 1 && by[0] === "day";
  const sizeOf = (counts: Counts) => listed[0]?.[3](counts) ?? 0;
  const shown = isByDay ? groups : [...groups].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_LINES);
  const cells = [...shown, total].map((counts) => listed.map(([, , unit, of]) => written(unit, "cell", of(counts))));
  const head = (listed[0]?.[1] ?? []).map((_, line) => listed.map(([, lines]) => lines[line] ?? ""));
  const left = Math.max(1, by.length);
  const room = width - widthsOf([...head, ...cells]).reduce((sum, each) => sum + each + 2, 2 * (left - 1));
  const nameRows = [...shown.map((group) => namesOf(group).map(printable)), ["total", ...Array(left - 1).fill("")]];
  const whole = widthsOf([...nameRows, by]);
  const share = Math.max(SHORTEST_NAME, Math.floor(room / left));
  const fits = whole.reduce((sum, each) => sum + each, 0) <= room;
  const colWidths = fits ? whole : whole.map((each) => Math.min(each, share));
  const heads = head.map((row, n) => [...Array.from({ length: left }, (_, m) => (n === 0 && by[m]) || ""), ...row]);
  const rows = nameRows.map((row, n) => [...row, ...(cells[n] ?? [])]);
  // Without widths the table takes those of its cells, in which a wide character counts two columns.
  const lines = columns([...heads, ...rows], left, Number.isFinite(width) ? { colWidths } : {});
  const table = colored("bold", lines.slice(0, head.length).join("")) + lines.slice(head.length).join("");
  const more = groups.length - shown.length;
  const rest = more > 0 ? `\n${more} more; --csv and --json have them all\n` : "";
  const [from, to] = [since, until].map((at) => localDateTime(at, timeZone).slice(0, 16).replace("T", " "));
  return `${title} from ${from} to ${to} (${timeZone})\n\n${table}${rest}`;
}

/** Every group, or the total alone where nothing is grouped; sums in francs. */
export function reportCsv<Counts>(report: ShownReport<Counts>, dialect: Dialect): string {
  const { by, total, groups, columns: listed } = report;
  const csvOf = (counts: Counts) => listed.map(([, , unit, of]) => written(unit, "csv", of(counts)));
  const rows = by.length > 0 ? groups.map((group) => [...namesOf(group), ...csvOf(group)]) : [csvOf(total)];
  const head = [...by, ...listed.map(([name]) => name)];
  return csvStart(dialect) + [head, ...rows].map((cells) => csvLine(cells, dialect)).join("");
}

export function reportJson<Counts>(report: ShownReport<Counts>): string {
  const { since, until, timeZone, by, total, groups, columns: listed } = report;
  const wireOf = (counts: Counts) => Object.fromEntries(listed.map(([name, , , of]) => [name, of(counts)]));
  const wireGroup = (group: ShownReport<Counts>["groups"][number]) => ({
    ...Object.fromEntries(by.map((name, n) => [name, group.keys[n] ?? null])),
    ...wireOf(group),
  });
  const wire = {
    since: localDateTime(since, timeZone),
    until: localDateTime(until, timeZone),
    total: wireOf(total),
    ...(by.length > 0 && { by, groups: groups.map(wireGroup) }),
  };
  return `${jsonText(wire)}\n`;
}

function namesOf({ keys }: GroupedReport<unknown>["groups"][number]): readonly string[] {
  return keys.map((key) => key ?? "(none)");
}
