import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { summed } from "../../ledger/day-counts.ts";
import type { Ledger, ReportQuery } from "../../ledger/ledger.ts";
import { createSalesCount } from "../../ledger/sales-count.ts";
import { countsBetween } from "./count-files.ts";
import { localDisk, systemCode } from "./disk.ts";
import { itemStartsWith, unsealLine } from "./json-line.ts";
import {
  eachSale,
  hourOf,
  instantOf,
  isCovered,
  ledgerHead,
  ledgerName,
  partitionsOf,
  sizesOf,
} from "./ledger-files.ts";
import { countedQuote, countedStep, createLedgerLines, LEDGER_STEPS_START, type LedgerLine } from "./ledger-rows.ts";

/** Steps follow their quote within the half hour; a clock that was set back puts them into an earlier file. */
const AROUND_MILLISECONDS = 24 * 60 * 60_000;
const ATTEMPTS = 3;

/** An hour of a folder: the lines of its partitions, or, where its ledger holds their events, that. */
interface Hour {
  readonly folder: string;
  readonly name: string;
  readonly lines: readonly LedgerLine[] | undefined;
}

/**
 * Reads the ledgers of folders, and the partitions of hours that have none yet. Only reads, so that it can run beside
 * the process that writes them.
 */
export function openLowdbLedger(folders: readonly string[]): Ledger {
  return {
    report,
    counts: async (from, to) => summed(folders.filter(existsSync).flatMap((folder) => countsBetween(folder, from, to))),
    close: async () => {},
  };

  async function report(query: ReportQuery) {
    const count = createSalesCount(query);
    const hours = await hoursAround(query);
    let damagedLines = 0;
    // Twice, because a quote's row may come before its handoff's: only lines of the wanted kind are parsed.
    for (const hour of hours) {
      damagedLines += eachLedgerLine(hour, "steps", ({ rows, names }) => {
        for (const row of rows) count.step(countedStep(row, names));
      });
    }
    for (const hour of hours) {
      damagedLines += eachLedgerLine(hour, "quotes", ({ rows, names }) => {
        for (const row of rows) count.quote(countedQuote(row, names));
      });
    }
    return { ...count.result(), damagedLines };
  }

  async function hoursAround({ since, until }: ReportQuery): Promise<readonly Hour[]> {
    const [from, to] = [since.getTime() - AROUND_MILLISECONDS, until.getTime() + AROUND_MILLISECONDS];
    const hours: Hour[] = [];
    for (const folder of folders.filter(existsSync)) {
      const names = new Set(readdirSync(folder).map(hourOf));
      for (const name of [...names].sort()) {
        if (name !== "" && instantOf(name) >= from && instantOf(name) < to) hours.push(await hourIn(folder, name));
      }
    }
    return hours;
  }
}

async function hourIn(folder: string, name: string): Promise<Hour> {
  for (let attempt = 1; ; attempt += 1) {
    const partitions = partitionsOf(name, readdirSync(folder));
    const sizes = await sizesOf(localDisk, folder, partitions);
    const isMade = existsSync(join(folder, ledgerName(name)));
    const isGone = sizes.every((size) => size === undefined);
    if (isMade && (isGone || isCovered(await ledgerHead(localDisk, folder, name), sizes))) {
      return { folder, name, lines: undefined };
    }
    try {
      const lines = createLedgerLines();
      for (const [index, partition] of partitions.entries())
        await eachSale(localDisk, join(folder, partition), sizes[index] ?? 0, lines.add);
      return { folder, name, lines: lines.all() };
    } catch (error) {
      // Its ledger has been made meanwhile, and the partition deleted.
      if (systemCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Passes on the lines of a kind; returns how many of them are damaged. What is of no kind counts as quotes. */
function eachLedgerLine({ folder, name, lines }: Hour, kind: LedgerLine["kind"], onLine: (line: LedgerLine) => void) {
  if (lines) {
    for (const line of lines) if (line.kind === kind) onLine(line);
    return 0;
  }
  const bytes = readFileSync(join(folder, ledgerName(name)));
  let damaged = 0;
  // The first line lists what the ledger was made of.
  for (let from = bytes.indexOf("\n") + 1; from > 0 && from < bytes.length; ) {
    const end = bytes.indexOf("\n", from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    from += line.length + 1;
    if (itemStartsWith(line, LEDGER_STEPS_START) !== (kind === "steps")) continue;
    const content = unsealLine(line) as LedgerLine | undefined;
    if (content?.kind === kind) onLine(content);
    else damaged += 1;
  }
  return damaged;
}
