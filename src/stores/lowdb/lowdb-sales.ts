import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import type { Period, Sales } from "../sales.ts";
import { localDisk, systemCode } from "./disk.ts";
import { eachLine, unsealLine } from "./json-line.ts";
import { eachSale, hourNamed, hourOf, instantOf, isCovered, ledgerHead, ledgerName, sizesOf } from "./ledger-files.ts";
import { isPartitionName } from "./quote-partition.ts";

const HOUR = 60 * 60_000;

/** The ledgers of folders, and their partitions of hours without one. Only reads, beside the process that writes them. */
export function openLowdbSales(folders: readonly string[]): Sales {
  let damagedLines = 0;

  return {
    async *events({ since, until }: Period) {
      const existing = folders.filter(existsSync);
      const hours = new Set(existing.flatMap((folder) => readdirSync(folder).map(hourOf)));
      const named = [...hours].filter((hour) => hour !== "" && instantOf(hour) < until.getTime());
      for (const hour of named.filter((hour) => instantOf(hour) + HOUR > since.getTime()).sort()) {
        const events: SaleEvent[] = [];
        for (const folder of existing) events.push(...(await eventsOf(folder, hour)));
        const inPeriod = events.filter(({ at }) => at >= since.toISOString() && at < until.toISOString());
        yield inPeriod.sort((a, b) => (a.at < b.at ? -1 : 1));
      }
    },
    damagedLines: () => damagedLines,
    close: async () => {},
  };

  async function eventsOf(folder: string, hour: string): Promise<readonly SaleEvent[]> {
    const events: SaleEvent[] = [];
    const partitions = readdirSync(folder).filter((name) => isPartitionName(name) && hourOf(name) === hour);
    const sizes = await sizesOf(localDisk, folder, partitions);
    try {
      if (isCovered(await ledgerHead(localDisk, folder, hour), sizes)) return await ledgerEvents(folder, hour);
      for (const [index, partition] of partitions.sort().entries()) {
        await eachSale(localDisk, join(folder, partition), sizes[index] ?? 0, (sale) => events.push(sale));
      }
    } catch (error) {
      // Its ledger has been written meanwhile, and the partition deleted.
      if (systemCode(error) !== "ENOENT") throw error;
      return ledgerEvents(folder, hour);
    }
    return events;
  }

  async function ledgerEvents(folder: string, hour: string): Promise<readonly SaleEvent[]> {
    const events: SaleEvent[] = [];
    const file = await localDisk.open(join(folder, ledgerName(hourNamed(instantOf(hour)))), "r");
    let isHead = true;
    await eachLine(file, (line) => {
      const sale = unsealLine(line) as SaleEvent | undefined;
      if (!sale) damagedLines += 1;
      else if (!isHead) events.push(sale);
      isHead = false;
    }).finally(() => file.close());
    return events;
  }
}
