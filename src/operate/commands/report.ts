import { once } from "node:events";
import { francsText } from "../../contract/notice-formats.ts";
import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { LOST_GROUPS, reportLost } from "../../domain/sales/lost-demand.ts";
import {
  joinSales,
  localDay,
  type Payment,
  REPORT_GROUPS,
  reportSales,
  type Sale,
} from "../../domain/sales/sales-report.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { openSales } from "../compose/compose-storage.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type Arguments, wrongOption } from "./command.ts";
import { instantArgument } from "./local-time-argument.ts";
import { LOST, PAID_SALES, reportCsv, reportJson, reportTable, SALES, type ShownReport } from "./report-table.ts";
import { saleRows } from "./sale-rows.ts";
import { readSoldList } from "./sold-list.ts";

export const options = {
  since: { value: "TIME", meaning: "30d, 12h or a day such as 2026-12-24; default: 30d" },
  until: { value: "TIME", meaning: "the end of the period, which is not part of it; default: now" },
  by: { multiple: true, value: "GROUP", meaning: `one line for each ${REPORT_GROUPS.join(", ")}; two make pairs` },
  refused: { meaning: `what was asked for and refused, by ${LOST_GROUPS.join(", ")}; default: code` },
  sales: { meaning: "one row for each quote, as CSV or with --json" },
  sold: { value: "FILE", meaning: "joins your list of what was paid: CSV with quote_id, paid_at, amount" },
  csv: { meaning: "comma-separated values" },
  excel: { meaning: "CSV for Excel in Switzerland: semicolons, a byte order mark, decimal commas" },
  json: { meaning: "JSON" },
} as const;

const EVER = { since: new Date(0), until: new Date("9999-12-30") };

/** The `report` command: what became of the quotes of a period. Reads only, so that it can run beside a server. */
export async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { timeZone } = loadCatalog(config.catalogDir).tariff;
  const now = new Date();
  const since = instantArgument("since", values.since ?? "30d", now, timeZone);
  const until = values.until === undefined ? now : instantArgument("until", values.until, now, timeZone);
  if (until <= since) {
    const end = values.until === undefined ? `, which is now (${localDateTime(until, timeZone).slice(0, 19)})` : "";
    throw new ConfigError(`--until must be after --since${end}`);
  }
  const period = { since, until, timeZone };
  const dialect = values.excel ? "excel" : "csv";
  const textOf = <Counts>(shown: ShownReport<Counts>) => {
    if (values.json) return reportJson(shown);
    return values.csv || values.excel ? reportCsv(shown, dialect) : reportTable(shown);
  };
  if (values.refused) {
    if (values.sales || values.sold !== undefined)
      throw new ConfigError("--refused counts what was not sold; leave out --sales and --sold");
    const by = groupsOf(values.by ?? ["code"], LOST_GROUPS, LOST_GROUPS.length);
    const source = await openSales(config);
    const lost = await reportLost(source.refused(period), { by, timeZone }).finally(source.close);
    await print(textOf({ ...lost, ...period, by, ...LOST }));
    return 0;
  }
  const by = groupsOf(values.by ?? [], REPORT_GROUPS, 2);
  if (values.sales && by.length > 0) throw new ConfigError("--sales prints every quote; leave out --by");
  const hasPayments = values.sold !== undefined;
  const unmatched = values.sold === undefined ? new Map<string, Payment>() : readSoldList(values.sold);
  const source = await openSales(config);
  try {
    const doubts: string[] = [];
    const sales = withPayments(joinSales(source, period), unmatched, doubts);
    if (values.sales) {
      const showTime = (instant: string) => localDateTime(new Date(instant), timeZone);
      const format = values.json ? "json" : dialect;
      for await (const text of saleRows(sales, { format, showTime, hasPayments })) await print(text);
    } else {
      const counted = await reportSales(sales, { ...period, now, by });
      await print(textOf({ ...counted, ...period, by, ...(hasPayments ? PAID_SALES : SALES) }));
    }
    const damagedLines = source.damagedLines();
    if (unmatched.size > 0)
      for await (const { created } of joinSales(source, EVER)) {
        if (!unmatched.delete(created.quoteId)) continue;
        doubts.push(`${created.quoteId} was created on ${localDay(created.at, timeZone)}, which is not of this period`);
      }
    for (const id of unmatched.keys()) doubts.push(`no quote in the ledger has the id ${id}`);
    for (const doubt of doubts) process.stderr.write(`${values.sold}: ${doubt}\n`);
    if (damagedLines === 0) return 0;
    process.stderr.write(`${damagedLines} damaged lines of the ledger are not counted\n`);
    return 1;
  } finally {
    await source.close();
  }
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

/** What was paid is expected to be the price of a class that was handed over. */
function doubtsAbout({ created: { quoteId }, steps }: Sale, { rappen }: Payment): readonly string[] {
  const links = steps.filter(({ type }) => type === "handoff.created");
  const prices = links.flatMap(({ options }) => options.map(({ totalRappen }) => totalRappen));
  if (prices.length === 0) return [`${quoteId} was paid, but no checkout link was created for it`];
  if (prices.includes(rappen)) return [];
  const asked = [...new Set(prices)].map(francsText).join(" or ");
  return [`${francsText(rappen)} was paid for ${quoteId}, but its price is ${asked}`];
}

/** `--by day --by client` or `--by day,client`. */
function groupsOf<Group extends string>(texts: readonly string[], all: readonly Group[], most: number): Group[] {
  const names = texts.flatMap((text) => text.split(","));
  const allowed = all.join(", ");
  const groups = names.map((name) => {
    const group = all.find((each) => each === name);
    if (group) return group;
    throw wrongOption("by", name, `allowed: ${allowed}`);
  });
  if (groups.length <= most && new Set(groups).size === groups.length) return groups;
  const number = most === 2 ? "one or two different of " : "different ones of ";
  throw wrongOption("by", names.join(","), `allowed: ${number}${allowed}`);
}

/** Waits while the reader is slow, so that a long list does not fill the memory. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}
