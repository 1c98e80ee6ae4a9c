import { readFileSync } from "node:fs";
import type { Payment } from "../../domain/sales/sales-report.ts";
import { ConfigError } from "../config/setting.ts";

const COLUMNS = ["quote_id", "paid_at", "amount"] as const;
const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;

/**
 * The operator's list of paid quotes: CSV with a head that names quote_id, paid_at and amount (francs), among any others,
 * separated by commas or semicolons. Throws ConfigError with the line of a mistake.
 */
export function readSoldList(file: string): Map<string, Payment> {
  const [head = "", ...lines] = textOf(file)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const separator = head.includes(";") ? ";" : ",";
  const names = cellsOf(head, separator);
  const [idAt = -1, paidAt = -1, amountAt = -1] = COLUMNS.map((name) => names.indexOf(name));
  if (Math.min(idAt, paidAt, amountAt) < 0)
    throw new ConfigError(
      `--sold ${file}: its first line is ${JSON.stringify(head.slice(0, 200))}; allowed: a head with ${COLUMNS.join(", ")}`,
    );
  const sold = new Map<string, Payment>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const cells = cellsOf(line, separator);
    const [id = "", paid = "", amount = ""] = [cells[idAt], cells[paidAt], cells[amountAt]];
    const fault = faultOf(id, amount, sold.has(id));
    if (fault) throw new ConfigError(`--sold ${file}, line ${index + 2}: ${fault}`);
    sold.set(id, { paidAt: paid, rappen: Math.round(Number(amount) * 100) });
  }
  return sold;
}

function faultOf(id: string, amount: string, isKnown: boolean): string | undefined {
  if (!/^q_[\w-]+$/.test(id))
    return `quote_id is ${JSON.stringify(id)}; allowed: the id of a quote, which find prints for a reference`;
  if (isKnown) return `${id} is listed twice; list each quote once, with all that was paid for it`;
  if (!AMOUNT.test(amount)) return `amount is ${JSON.stringify(amount)}; allowed: francs such as 490 or 490.05`;
  return undefined;
}

function cellsOf(line: string, separator: string): readonly string[] {
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:${separator}|$)`, "y");
  const cells: string[] = [];
  while (pattern.lastIndex <= line.length) {
    const [whole, quoted, plain = ""] = pattern.exec(line) ?? [];
    if (whole === undefined) break;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (!whole.endsWith(separator)) break;
  }
  return cells;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`--sold ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
