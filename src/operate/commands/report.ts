import { readFileSync } from "node:fs";
import { francsText } from "../../contract/notice-formats.ts";
import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { LOST_GROUPS, reportLost } from "../../domain/sales/lost-demand.ts";
import {
  type GroupedReport,
  joinSales,
  type Payment,
  payableOptions,
  REPORT_GROUPS,
  reportSales,
  type Sale,
} from "../../domain/sales/sales-report.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { openSales } from "../compose/compose-storage.ts";
import { ConfigError } from "../config/setting.ts";
import { type CommandCall, CommandFailed, wrongOption } from "./command.ts";
import { type Cells, type Format, formatOf, print } from "./print.ts";
import { saleCells, serviceRows, totalCells } from "./report-columns.ts";
import { ALLOWED_AMOUNT, instantArgument, rappenOf } from "./typed-values.ts";

export const options = {
  since: { value: "TIME", meaning: "30d, 12h or a day such as 2026-12-24; default: 30d" },
  until: { value: "TIME", meaning: "the end of the period, which is not part of it; default: now" },
  by: { multiple: true, value: "GROUP", meaning: `one line for each ${REPORT_GROUPS.join(", ")}; two make pairs` },
  refused: { meaning: `what was asked for and refused, by ${LOST_GROUPS.join(", ")}; default: code` },
  sales: { meaning: "one row for each quote, as CSV or with --json" },
  "by-service-date": {
    meaning: "--sales by day of service: one row for each pickup and return of what was handed over",
  },
  sold: { value: "FILE", meaning: "joins your list of what was paid: CSV with quote_id, paid_at, amount" },
  csv: { meaning: "comma-separated values" },
  excel: { meaning: "CSV for Excel in Switzerland: semicolons, a byte order mark, decimal commas" },
  json: { meaning: "JSON" },
} as const;

/** The `report` command: what became of the quotes of a period. Reads only, so that it can run beside a server. */
export async function run({ config, values, opened }: CommandCall<typeof options>): Promise<undefined> {
  const { timeZone } = loadCatalog(config.catalogDir).tariff;
  const now = new Date();
  const since = instantArgument("since", values.since ?? "30d", now, timeZone);
  const until = values.until === undefined ? now : instantArgument("until", values.until, now, timeZone);
  const shown = (at: Date) => localDateTime(at, timeZone).slice(0, 16).replace("T", " ");
  if (until <= since)
    throw new ConfigError(`--until${values.until ? "" : `, which is now (${shown(until)}),`} must be after --since`);
  const period = { since, until, timeZone };
  const as = formatOf(values);
  const title = (text: string) => `${text} from ${shown(since)} to ${shown(until)} (${timeZone})`;
  const byServiceDate = values["by-service-date"] ?? false;
  if (byServiceDate && !values.sales) throw new ConfigError("--by-service-date lists what was sold; add --sales");
  if (values.refused) {
    if (values.sales || values.sold !== undefined)
      throw new ConfigError("--refused counts what was not sold; leave out --sales and --sold");
    const by = groupsOf(values.by ?? ["code"], LOST_GROUPS, LOST_GROUPS.length);
    const calls = opened(await openSales(config)).calls("refused", period);
    const lost = await reportLost(calls, { by, timeZone });
    await printGroups(title("Prices asked for and refused"), by, lost, ({ refused }) => ({ refused }), as);
    return;
  }
  const by = groupsOf(values.by ?? [], REPORT_GROUPS, 2);
  if (values.sales && by.length > 0) throw new ConfigError("--sales prints every quote; leave out --by");
  const hasPayments = values.sold !== undefined;
  const unmatched = values.sold === undefined ? new Map<string, Payment>() : readSoldList(values.sold);
  const source = opened(await openSales(config));
  const doubts: string[] = [];
  // What is driven in a period may have been quoted at any time before.
  const quoted = byServiceDate ? { since: new Date(0), until: now } : period;
  const sales = withPayments(joinSales(source, quoted), unmatched, doubts);
  if (byServiceDate) {
    const rows: ReturnType<typeof serviceRows>[number][] = [];
    for await (const sale of sales) rows.push(...serviceRows(sale, hasPayments));
    // A day belongs to the period in which it begins.
    const [from, to] = [shown(since), shown(until)];
    const within = rows.filter(({ service_date: day }) => `${day} 00:00` >= from && `${day} 00:00` < to);
    within.sort((a, b) => (a.service_date < b.service_date ? -1 : 1));
    await print(within, (row) => row, as === "table" ? "csv" : as);
  } else if (values.sales) {
    const showTime = (instant: string) => localDateTime(new Date(instant), timeZone);
    await print(sales, (sale) => saleCells(sale, showTime, hasPayments), as === "table" ? "csv" : as);
  } else {
    const counted = await reportSales(sales, { ...period, now, by });
    await printGroups(title("Quotes created"), by, counted, (sums) => totalCells(sums, hasPayments), as);
  }
  const damagedLines = source.damagedLines();
  for (const id of unmatched.keys()) doubts.push(`no quote of this period has the id ${id}`);
  for (const doubt of doubts) process.stderr.write(`${values.sold}: ${doubt}\n`);
  if (damagedLines > 0) throw new CommandFailed(`${damagedLines} damaged lines of the ledger are not counted`);
}

/** Every group, and the total in a table and where nothing is grouped. */
async function printGroups<Counts>(
  title: string,
  by: readonly string[],
  { groups, total }: GroupedReport<Counts>,
  columns: (counts: Counts) => Cells,
  as: Format,
): Promise<void> {
  const all = { ...total, keys: by.map((_, n) => (n === 0 ? "total" : "")) };
  const shown = by.length === 0 || as === "table" ? [...groups, all] : groups;
  if (as === "table") process.stdout.write(`${title}\n\n`);
  const none = as === "json" ? null : "(none)";
  const named = (keys: readonly (string | null)[]) => Object.fromEntries(by.map((name, n) => [name, keys[n] ?? none]));
  await print(shown, (group) => ({ ...named(group.keys), ...columns(group) }), as);
}

/** Adds the payments to their sales and takes them off the list; `doubts` gets those that are not the price. */
async function* withPayments(
  sales: AsyncIterable<Sale>,
  listed: Map<string, Payment>,
  doubts: string[],
): AsyncGenerator<Sale> {
  for await (const sale of sales) {
    const { quoteId } = sale.created;
    const payment = listed.get(quoteId);
    if (payment) doubts.push(...doubtsAbout(sale, payment));
    listed.delete(quoteId);
    yield { ...sale, payment };
  }
}

/** What was paid is expected to be the price of a class that was handed over or asked for. */
function doubtsAbout(sale: Sale, { paidRappen }: Payment): readonly string[] {
  const { quoteId } = sale.created;
  const prices = payableOptions(sale).map(({ totalRappen }) => totalRappen);
  if (prices.length === 0) return [`${quoteId} was paid, but no checkout link was created for it`];
  if (prices.includes(paidRappen)) return [];
  const asked = [...new Set(prices)].map(francsText).join(" or ");
  return [`${francsText(paidRappen)} was paid for ${quoteId}, but its price is ${asked}`];
}

/** `--by day --by client` or `--by day,client`. */
function groupsOf<Group extends string>(texts: readonly string[], all: readonly Group[], most: number) {
  const names = texts.flatMap((text) => text.split(","));
  const groups = names.flatMap((name) => all.find((each) => each === name) ?? []);
  if (new Set(groups).size === names.length && names.length <= most) return groups;
  throw wrongOption("by", names.join(","), `allowed: at most ${most} different of ${all.join(", ")}`);
}

const LIST_COLUMNS = ["quote_id", "paid_at", "amount"] as const;

/**
 * The operator's list of paid quotes: CSV with a head that names quote_id, paid_at and amount (francs), among any others,
 * separated by commas or semicolons. The lines of a quote add up; a negative amount is a refund. Throws ConfigError with
 * the line of a mistake.
 */
function readSoldList(file: string): Map<string, Payment> {
  const [head = "", ...lines] = textOf(file)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const separator = head.includes(";") ? ";" : ",";
  const names = cellsOf(head, separator);
  const columns = LIST_COLUMNS.map((name) => names.indexOf(name));
  if (columns.includes(-1))
    throw new ConfigError(
      `--sold ${file}: its first line is ${JSON.stringify(head.slice(0, 200))}; allowed: a head with ${LIST_COLUMNS.join(", ")}`,
    );
  const sold = new Map<string, Payment>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const cells = cellsOf(line, separator);
    const [id = "", paidAt = "", amount = ""] = columns.map((at) => cells[at]);
    const rappen = rappenOf(amount);
    const fault = faultOf(id) ?? (cells.length > names.length ? TOO_LONG : undefined);
    if (rappen === undefined || fault) {
      const why = fault ?? `amount is ${JSON.stringify(amount)}; allowed: ${ALLOWED_AMOUNT}`;
      throw new ConfigError(`--sold ${file}, line ${index + 2}: ${why}`);
    }
    const before = sold.get(id) ?? { paidAt, paidRappen: 0, rappen: 0 };
    const paidRappen = before.paidRappen + Math.max(rappen, 0);
    sold.set(id, { ...before, paidRappen, rappen: before.rappen + rappen });
  }
  return sold;
}

const TOO_LONG =
  "it has more cells than the head; allowed: quotes around an amount with a decimal comma, or semicolons";

function faultOf(id: string): string | undefined {
  if (/^q_[\w-]+$/.test(id)) return undefined;
  return `quote_id is ${JSON.stringify(id)}; allowed: the id of a quote, which find prints for a reference`;
}

function cellsOf(line: string, separator: string): readonly string[] {
  const cell = new RegExp(`${separator}(?:"((?:[^"]|"")*)"(?=${separator}|$)|([^${separator}]*))`, "g");
  const found = [...`${separator}${line}`.matchAll(cell)];
  return found.map(([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`--sold ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
