import { localDateTime } from "../ops/local-time.ts";
import type { LostGroup, LostReport } from "../quotes/lost-demand.ts";
import { colored, columns, csvLine, jsonText } from "./columns.ts";
import { periodTitle } from "./report-table.ts";

/** What was refused, and what it was counted by. */
interface ShownLost extends LostReport {
  readonly by: readonly LostGroup[];
  readonly since: Date;
  readonly until: Date;
  readonly timeZone: string;
}

const MOST_LINES = 50;

/** The groups with the most refusals. */
export function lostTable(report: ShownLost): string {
  const { by, groups, total } = report;
  const shown = groups.slice(0, MOST_LINES);
  const rows = shown.map((group) => [...namesOf(group), String(group.refused)]);
  const sum = ["total", ...by.slice(1).map(() => ""), String(total)];
  const [head = "", ...lines] = columns([[...by, "refused"], ...rows, sum], by.length);
  const more = groups.length - shown.length;
  const rest = more > 0 ? `\n${more} more; --csv and --json have them all\n` : "";
  return `${periodTitle("Prices asked for and refused", report)}${colored("bold", head)}${lines.join("")}${rest}`;
}

export function lostCsv({ by, groups }: ShownLost, separator?: string): string {
  const rows = groups.map((group) => [...namesOf(group), String(group.refused)]);
  return [[...by, "refused"], ...rows].map((cells) => csvLine(cells, separator)).join("");
}

export function lostJson({ by, groups, total, since, until, timeZone }: ShownLost): string {
  const wireGroup = ({ keys, refused }: LostReport["groups"][number]) => ({
    ...Object.fromEntries(by.map((name, n) => [name, keys[n] ?? null])),
    refused,
  });
  const report = {
    since: localDateTime(since, timeZone),
    until: localDateTime(until, timeZone),
    total: { refused: total },
    by,
    groups: groups.map(wireGroup),
  };
  return `${jsonText(report)}\n`;
}

function namesOf({ keys }: LostReport["groups"][number]): readonly string[] {
  return keys.map((key) => key ?? "(none)");
}
