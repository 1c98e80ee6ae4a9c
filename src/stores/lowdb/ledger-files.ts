import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import { type Disk, syncFolder, systemCode } from "./disk.ts";
import { eachLine, sealLine, unsealLine } from "./json-line.ts";
import { isDamagedName, isPartitionName } from "./quote-partition.ts";

const DAY = 24 * 60 * 60_000;
/** Longer than any first line. */
const HEAD_BYTES = 4_096;
const DRAFT = ".draft";

/** What a ledger was made of: the sizes of its hour's partitions in bytes. A partition that is renamed keeps its size. */
interface LedgerHead {
  readonly sizes: readonly number[];
}

export interface LedgerFiles {
  /** Writes the ledger of each hour that lacks events of its partitions, `isWritten` ones apart. */
  update(isWritten: (hour: string) => boolean, goOn: () => boolean): Promise<void>;
  /** Whether the ledger of a partition's hour holds its events. */
  covers(partition: string): Promise<boolean>;
  /** Deletes the ledgers of hours that ended before this instant. */
  deleteBefore(instant: Date): Promise<void>;
}

/**
 * The ledger beside the partitions of a folder, a file for each hour: `ledger-2026-11-20T10-00Z.jsonl`. It is made of the
 * partitions when the hour is over, under another name until it is durable. Where partitions of the hour have other sizes
 * than its first line says, it counts for nothing and they are read, so that an event is never lost nor counted twice.
 */
export function createLedgerFiles(disk: Disk, folder: string): LedgerFiles {
  return {
    async update(isWritten, goOn) {
      const names = await disk.readdir(folder);
      for (const hour of new Set(names.filter(isPartitionName).map(hourOf))) {
        if (isWritten(hour) || !goOn()) continue;
        const partitions = partitionsOf(hour, names);
        // One of the partitions that the ledger was made of has been deleted: made again, it would hold less.
        if (names.includes(ledgerName(hour)) && partitions.every(isDamagedName)) continue;
        const sizes = await sizesOf(disk, folder, partitions);
        if (!isCovered(await ledgerHead(disk, folder, hour), sizes)) await write(hour, partitions, goOn);
      }
    },
    async covers(partition) {
      const hour = hourOf(partition);
      return isCovered(await ledgerHead(disk, folder, hour), await sizesOf(disk, folder, [partition]));
    },
    async deleteBefore(instant) {
      const ended = (name: string) => instantOf(hourOf(name)) + DAY / 24 <= instant.getTime();
      for (const name of (await disk.readdir(folder)).filter(isLedgerName)) {
        if (ended(name)) await disk.unlink(join(folder, name));
      }
    },
  };

  async function write(hour: string, partitions: readonly string[], goOn: () => boolean): Promise<void> {
    const path = join(folder, ledgerName(hour));
    const sizes = (await sizesOf(disk, folder, partitions)).map((size) => size ?? 0);
    const draft = await disk.open(`${path}${DRAFT}`, "w", 0o600);
    try {
      const events: SaleEvent[] = [];
      for (const [index, partition] of partitions.entries()) {
        await eachSale(disk, join(folder, partition), sizes[index] ?? 0, (sale) => events.push(sale));
        if (!goOn()) return;
      }
      const head: LedgerHead = { sizes };
      await writeAll(draft, Buffer.concat([head, ...events].map(sealLine)));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await disk.rename(`${path}${DRAFT}`, path);
    await syncFolder(disk, folder);
  }
}

/** The valid events of a partition's first bytes; a line that another process is still writing is left out. */
export async function eachSale(
  disk: Pick<Disk, "open">,
  path: string,
  bytes: number,
  onSale: (sale: SaleEvent) => void,
): Promise<void> {
  const file = await disk.open(path, "r");
  try {
    await eachLine(file, (line, end) => {
      if (end > bytes) return;
      const { sale } = (unsealLine(line) ?? {}) as { sale?: SaleEvent };
      if (typeof sale?.id === "string") onSale(sale);
    });
  } finally {
    await file.close();
  }
}

/** `undefined` where there is no ledger of the hour, or none with a valid first line. */
export async function ledgerHead(
  disk: Pick<Disk, "open">,
  folder: string,
  hour: string,
): Promise<LedgerHead | undefined> {
  const head = Buffer.alloc(HEAD_BYTES);
  const read = await withFile(disk, join(folder, ledgerName(hour)), async (file) => file.read(head, 0, head.length, 0));
  if (!read) return undefined;
  const { sizes } = (unsealLine(head.subarray(0, Math.max(0, head.indexOf("\n")))) ?? {}) as Partial<LedgerHead>;
  return sizes && { sizes };
}

/** Of the files that exist, in bytes; `undefined` where one does not. */
export function sizesOf(disk: Pick<Disk, "open">, folder: string, names: readonly string[]) {
  const size = async (file: FileHandle) => (await file.stat()).size;
  return Promise.all(names.map((name) => withFile(disk, join(folder, name), size)));
}

export function isCovered(head: LedgerHead | undefined, sizes: readonly (number | undefined)[]): boolean {
  if (!head) return false;
  const left = [...head.sizes];
  return sizes.every((size) => {
    const index = size === undefined ? -1 : left.indexOf(size);
    if (index >= 0) left.splice(index, 1);
    return size === undefined || index >= 0;
  });
}

/** `2026-11-20T10-00Z`, of a partition or a ledger. */
export function hourOf(name: string): string {
  return /\d{4}-\d\d-\d\dT\d\d-\d\dZ/.exec(name)?.[0] ?? "";
}

/** In milliseconds since 1970. */
export function instantOf(hour: string): number {
  return Date.parse(hour.replace(/-(\d\dZ)$/, ":$1"));
}

/** The name of the hour that starts at this instant. */
export function hourNamed(startsAt: number): string {
  return `${new Date(startsAt).toISOString().slice(0, 16).replace(":", "-")}Z`;
}

export function ledgerName(hour: string): string {
  return `ledger-${hour}.jsonl`;
}

function isLedgerName(name: string): boolean {
  return /^ledger-/.test(name);
}

function partitionsOf(hour: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => isPartitionName(name) && hourOf(name) === hour).sort();
}

async function withFile<R>(
  disk: Pick<Disk, "open">,
  path: string,
  use: (file: FileHandle) => Promise<R>,
): Promise<R | undefined> {
  const file = await disk.open(path, "r").catch((error) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
  try {
    return file && (await use(file));
  } finally {
    await file?.close();
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, done)).bytesWritten;
  }
}
