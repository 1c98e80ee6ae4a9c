import { loadCatalog } from "../catalog/catalog.ts";
import { openSales } from "../compose/compose-sales.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { localDateTime } from "../ops/local-time.ts";
import { joinSales, REPORT_GROUPS, type ReportGroup, reportSales } from "../quotes/sales-report.ts";
import { type Arguments, defineCommand } from "./command.ts";
import { instantArgument } from "./period.ts";
import { reportCsv, reportJson, reportTable } from "./report-table.ts";

const options = {
  since: { type: "string", value: "TIME", meaning: "30d, 12h or a day such as 2026-12-24; default: 30d" },
  until: { type: "string", value: "TIME", meaning: "the end of the period, which is not part of it; default: now" },
  by: { type: "string", value: "GROUP", meaning: `one line for each ${REPORT_GROUPS.join(", ")}` },
  csv: { type: "boolean", meaning: "comma-separated values" },
  json: { type: "boolean", meaning: "JSON" },
} as const;

/** The `report` command: what became of the quotes of a period. Reads only, so that it can run beside a server. */
async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { timeZone } = loadCatalog(config.catalogDir).tariff;
  const now = new Date();
  const since = instantArgument("since", values.since ?? "30d", now, timeZone);
  const until = values.until === undefined ? now : instantArgument("until", values.until, now, timeZone);
  if (until <= since) {
    const end = values.until === undefined ? `, which is now (${localDateTime(until, timeZone).slice(0, 19)})` : "";
    throw new ConfigError(`--until must be after --since${end}`);
  }
  const by = groupOf(values.by);
  const sales = await openSales(config);
  try {
    const query = { since, until, now, timeZone, by };
    const shown = { ...query, ...(await reportSales(joinSales(sales, query), query)) };
    process.stdout.write(values.json ? reportJson(shown) : values.csv ? reportCsv(shown) : reportTable(shown));
    const damagedLines = sales.damagedLines();
    if (damagedLines === 0) return 0;
    process.stderr.write(`${damagedLines} damaged lines of the ledger are not counted\n`);
    return 1;
  } finally {
    await sales.close();
  }
}

export const report = defineCommand({ operands: [], options, run });

function groupOf(text: string | undefined): ReportGroup | undefined {
  if (text === undefined) return undefined;
  const group = REPORT_GROUPS.find((each) => each === text);
  if (group) return group;
  throw new ConfigError(`--by is ${JSON.stringify(text)}; allowed: ${REPORT_GROUPS.join(", ")}`);
}
