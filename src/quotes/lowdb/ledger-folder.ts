import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import type { HourSums } from "../../ledger/hour-sums.ts";
import type { LedgerHour, SummableHours } from "../../ledger/ledger-hours.ts";
import { AROUND_MILLISECONDS, HOUR_MILLISECONDS } from "../../ledger/sales-count.ts";
import { sha256 } from "../../ops/sha256.ts";
import { type Disk, localDisk, systemCode } from "./disk.ts";
import { itemStartsWith, sealLine, unsealLine } from "./json-line.ts";
import { eachSale, hourNamed, hourOf, instantOf, isCovered, ledgerHead, ledgerName, sizesOf } from "./ledger-files.ts";
import { countedQuote, countedStep, createLedgerLines, LEDGER_STEPS_START, type LedgerLine } from "./ledger-rows.ts";
import { isPartitionName } from "./quote-partition.ts";

const ATTEMPTS = 3;
/** Another shape of `HourSums` needs another. */
const FORMAT = "1";

/** An hour of the folder: the lines of its partitions, or, where its ledger holds their events, that. */
interface Hour {
  readonly name: string;
  readonly lines: readonly LedgerLine[] | undefined;
}

interface SumsFile {
  readonly version: string;
  readonly sums: HourSums;
}

/**
 * The ledgers of a folder, and the partitions of hours that have none yet. Beside a ledger may be the sums of its hour,
 * `sums-2026-11-20T10-00Z.json`, which name the ledgers that they were made of by their sizes: where one of these has
 * another size, or is missing, the sums count for nothing. Only `write` writes.
 */
export function createLedgerFolder(folder: string, disk: Disk = localDisk): SummableHours {
  return {
    async hours(from, until) {
      const files = filesIn(folder);
      const sizes = new Map<number, number | undefined>();
      for (const [hour, partitions] of files) {
        const startsAt = instantOf(hour);
        if (startsAt < from - AROUND_MILLISECONDS || startsAt >= until + AROUND_MILLISECONDS) continue;
        sizes.set(startsAt, await ledgerSize(hour, partitions));
      }
      const inPeriod = [...sizes.keys()].filter((startsAt) => startsAt >= from && startsAt < until);
      return new Map(
        inPeriod.map((startsAt): [number, LedgerHour] => {
          const version = versionOf(startsAt, sizes);
          const sums = version === undefined ? undefined : sumsOf(startsAt, version);
          return [startsAt, { version, sums, size: sizes.get(startsAt) ?? 0 }];
        }),
      );
    },

    async read(hours, on) {
      const damaged = new Map<number, number>();
      const wanted = new Set(hours);
      const around = hoursAround(wanted);
      const found: Hour[] = [];
      for (const [hour, partitions] of filesIn(folder)) {
        if (around.has(instantOf(hour))) found.push(await hourIn(hour, partitions));
      }
      // Twice, because a quote may come before its handoff: only lines of the wanted kind are parsed.
      for (const kind of ["steps", "quotes"] as const) {
        for (const hour of found) {
          const startsAt = instantOf(hour.name);
          if (kind === "quotes" && !wanted.has(startsAt)) continue;
          let lost = 0;
          for (const line of ledgerLines(hour, kind)) {
            if (!line) lost += 1;
            for (const row of line?.rows ?? []) {
              if (kind === "steps") on.step(countedStep(row, line?.names ?? []));
              else on.quote(countedQuote(row, line?.names ?? []), startsAt);
            }
            // Beside the calls of a server: a line has 1,000 events, which take 3 ms.
            await pause();
          }
          damaged.set(startsAt, lost + (damaged.get(startsAt) ?? 0));
        }
      }
      return damaged;
    },

    async earliest() {
      const [first] = filesIn(folder).keys();
      return first === undefined ? undefined : instantOf(first);
    },

    async write(hour, version, sums) {
      const file = await disk.open(join(folder, sumsName(hour)), "w", 0o600);
      try {
        // Cut off by a crash it counts for nothing.
        await file.writeFile(sealLine({ version, sums } satisfies SumsFile));
      } finally {
        await file.close();
      }
    },
  };

  /** Of an hour whose events are all in its ledger. */
  async function ledgerSize(hour: string, partitions: readonly string[]): Promise<number | undefined> {
    if (partitions.length > 0) {
      const sizes = await sizesOf(localDisk, folder, partitions);
      if (!isCovered(await ledgerHead(localDisk, folder, hour), sizes)) return undefined;
    }
    return statSync(join(folder, ledgerName(hour)), { throwIfNoEntry: false })?.size;
  }

  function sumsOf(startsAt: number, version: string): HourSums | undefined {
    const line = contentOf(join(folder, sumsName(startsAt)))?.subarray(0, -1);
    const file = line && (unsealLine(line) as SumsFile | undefined);
    return file?.version === version ? file.sums : undefined;
  }

  async function hourIn(name: string, known: readonly string[]): Promise<Hour> {
    for (let attempt = 1, partitions = known; ; attempt += 1, partitions = filesIn(folder).get(name) ?? []) {
      if ((await ledgerSize(name, partitions)) !== undefined) return { name, lines: undefined };
      try {
        const lines = createLedgerLines();
        const sizes = await sizesOf(localDisk, folder, partitions);
        for (const [index, partition] of partitions.entries())
          await eachSale(localDisk, join(folder, partition), sizes[index] ?? 0, lines.add);
        return { name, lines: lines.all() };
      } catch (error) {
        // Its ledger has been made meanwhile, and the partition deleted.
        if (systemCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The lines of a kind, and `undefined` for each that is damaged. What is of no kind counts as quotes. */
  function* ledgerLines({ name, lines }: Hour, kind: LedgerLine["kind"]): Generator<LedgerLine | undefined> {
    if (lines) return yield* lines.filter((line) => line.kind === kind);
    const bytes = contentOf(join(folder, ledgerName(name))) ?? Buffer.alloc(0);
    // The first line lists what the ledger was made of.
    for (let from = bytes.indexOf("\n") + 1; from > 0 && from < bytes.length; ) {
      const end = bytes.indexOf("\n", from);
      const line = bytes.subarray(from, end < 0 ? bytes.length : end);
      from += line.length + 1;
      if (itemStartsWith(line, LEDGER_STEPS_START) !== (kind === "steps")) continue;
      const content = unsealLine(line) as LedgerLine | undefined;
      yield content?.kind === kind ? content : undefined;
    }
  }
}

/** By the sizes of the ledgers around an hour; `undefined` where one of these is still to be made. */
function versionOf(hour: number, sizes: ReadonlyMap<number, number | undefined>): string | undefined {
  const around: (string | number)[] = [FORMAT];
  for (let at = hour - AROUND_MILLISECONDS; at <= hour + AROUND_MILLISECONDS; at += HOUR_MILLISECONDS) {
    const size = sizes.get(at);
    if (size !== undefined) around.push((at - hour) / HOUR_MILLISECONDS, size);
    else if (sizes.has(at)) return undefined;
  }
  return sha256(around.join(), "base64url").slice(0, 16);
}

/** The partitions of each hour with a ledger or partitions, the earliest hour first. */
function filesIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const hours = new Map<string, string[]>();
  for (const name of readdirSync(folder).sort()) {
    const hour = hourOf(name);
    const partitions = hours.get(hour) ?? [];
    if (isPartitionName(name)) partitions.push(name);
    else if (name !== ledgerName(hour)) continue;
    hours.set(hour, partitions);
  }
  return new Map([...hours].sort());
}

function hoursAround(wanted: ReadonlySet<number>): ReadonlySet<number> {
  const around = new Set<number>();
  for (const hour of wanted) {
    for (let at = hour - AROUND_MILLISECONDS; at <= hour + AROUND_MILLISECONDS; at += HOUR_MILLISECONDS) around.add(at);
  }
  return around;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    // Past its retention meanwhile.
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function sumsName(startsAt: number): string {
  return `sums-${hourNamed(startsAt)}.json`;
}
