import { existsSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { LRUCache } from "lru-cache";
import { syncFolder } from "../../ops/create-folder.ts";
import type { Log } from "../../ops/log.ts";
import { keptUntil } from "../../quotes/quote.ts";
import type { QuoteEntry } from "../quote-store.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { type Disk, replaceFile } from "./disk.ts";
import { createJsonLines, sealLine } from "./json-lines.ts";

/** Most entries of a segment. Small, because a closed segment is read whole where one of its entries is asked for. */
export const SEGMENT_ENTRIES = 200;
/** How many closed segments stay in memory after they were read. */
const CLOSED_IN_MEMORY = 8;

export type Entry = Partial<QuoteEntry>;
type Kind = "quote" | "record" | "sale";

interface Segment {
  /** Hour and number, such as `2026-11-20T10-0001`; sorts by age. */
  readonly name: string;
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil: number;
  size: number;
  /** What the index has of it. */
  readonly indexed: (readonly [Kind, string])[];
}

interface SegmentsOptions {
  readonly folder: string;
  readonly disk: Disk;
  readonly log: Log;
  readonly now: () => Date;
  /** Called for each entry that is found at the start, and that is appended. */
  readonly onEntry: (segment: string, entry: Entry) => void;
}

export type Segments = Awaited<ReturnType<typeof openSegments>>;

/** Names of the files that any version of this program has written, and of those that this version writes. */
const OURS = /^[a-z]+-\d{4}-\d\d-\d\d.*\.jsonl?$/;
const OF_THIS_VERSION = /^(quotes|sales)-\d{4}-\d\d-\d\dT\d\d-\d{4}\.(damaged-.*\.)?jsonl$/;

/**
 * The entries of a folder in segments, each a lowdb document of at most 200 entries of one hour. The open one stays in
 * memory, closed ones are read when they are asked for; the index leads from ids to segments. Every segment is read once
 * at the start. Throws UnusableStorage where another version has written the folder. Callers must not overlap calls of
 * `append`, `settle` and `close`.
 */
export async function openSegments({ folder, disk, log, now, onEntry }: SegmentsOptions) {
  const segments = new Map<string, Segment>();
  const index: Record<Kind, Map<string, Segment>> = { quote: new Map(), record: new Map(), sale: new Map() };
  const closed = new LRUCache<string, Promise<readonly Entry[]>>({ max: CLOSED_IN_MEMORY });
  /** The segment that is appended to. A new process begins a new one. */
  let open: (ReturnType<typeof documentOf> & { readonly segment: Segment }) | undefined;

  const names = await disk.readdir(folder);
  const foreign = names.find((name) => OURS.test(name) && !OF_THIS_VERSION.test(name));
  if (foreign !== undefined) {
    const why = "was written by another version of this program";
    throw new UnusableStorage(`${join(folder, foreign)} ${why}; move ${folder} away, or set TRANSFER_DATA_DIR`);
  }
  for (const name of segmentsOf("quotes", names)) {
    const { low, lines } = documentOf(name);
    await low.read();
    const segment = aSegment(name);
    segments.set(name, segment);
    for (const entry of low.data) add(segment, entry);
    const { damagedLines, tornBytes } = lines.skipped();
    const facts = { file: join(folder, fileOf("quotes", name)), torn_bytes: tornBytes };
    if (tornBytes > 0) log.warn(facts, "a quote file ends in a torn line");
    await copyDamaged(name, damagedLines, low.data.length);
  }
  // A process that was killed may have left names of files that are not synced yet.
  await syncFolder(disk, folder);

  return {
    /** The oldest first. */
    all: (): readonly Pick<Segment, "name" | "keptUntil" | "size">[] => [...segments.values()],
    /** Whether nothing will be appended to the segment any more. */
    isClosed: (name: string) => current()?.segment.name !== name,
    /** How many entries can be appended at once. */
    room: () => SEGMENT_ENTRIES - (current()?.segment.size ?? 0),
    /** Whether there is a quote with this id, a record with this scope, or an event that was stored without a quote. */
    has: (kind: Kind, name: string) => index[kind].has(name),
    entriesOf,

    /** The last entry with this quote or record; rejects if its line has been damaged meanwhile. */
    async find(kind: "quote" | "record", name: string): Promise<Entry | undefined> {
      const segment = index[kind].get(name);
      if (!segment) return undefined;
      const entries = await entriesOf(segment.name);
      const found = entries.find(({ quote, record }) => (kind === "quote" ? quote?.id : record?.scope) === name);
      if (!found) throw new Error(`a line of ${fileOf("quotes", segment.name)} is damaged`);
      return found;
    },

    /** Entries are durable once it resolves; where it rejects, none is stored. */
    async append(entries: readonly Entry[]): Promise<void> {
      const { segment, low } = current() ?? (await begin());
      const before = low.data.length;
      low.data.push(...entries);
      try {
        await low.write();
      } catch (error) {
        low.data.length = before;
        throw error;
      }
      segments.set(segment.name, segment);
      for (const entry of entries) add(segment, entry);
    },

    /** Undoes a failed `append` that could not be undone; rejects if undoing fails again. */
    settle: async () => open?.lines.settle(),

    /** Replaces a closed segment by its events, or by nothing. */
    async replace(name: string, keepsEvents: boolean): Promise<void> {
      if (keepsEvents) {
        const { low, lines } = documentOf(name);
        await low.read();
        // One rename stores all events of the segment at once.
        const sales = low.data.flatMap(({ sale }) => (sale ? [sealLine({ sale })] : []));
        await replaceFile(disk, join(folder, fileOf("sales", name)), sales);
        // Damaged after the start, which has copied the file otherwise.
        await copyDamaged(name, lines.skipped().damagedLines, low.data.length);
      }
      await disk.rm(join(folder, fileOf("quotes", name)), { force: true });
      for (const [kind, each] of segments.get(name)?.indexed ?? [])
        if (index[kind].get(each)?.name === name) index[kind].delete(each);
      segments.delete(name);
      closed.delete(name);
    },

    close: async () => open?.lines.close(),
  };

  function documentOf(name: string) {
    const lines = createJsonLines<Entry>(join(folder, fileOf("quotes", name)), disk);
    return { lines, low: new Low<Entry[]>(lines, []) };
  }

  function add(segment: Segment, { quote, record, sale }: Entry): void {
    segment.size += 1;
    // An event stored with a quote is as unique as the quote.
    const named = { quote: quote?.id, record: record?.scope, sale: quote ? undefined : sale?.id };
    for (const kind of ["quote", "record", "sale"] as const) {
      const name = named[kind];
      if (name === undefined) continue;
      index[kind].set(name, segment);
      segment.indexed.push([kind, name]);
    }
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at])
      if (instant) segment.keptUntil = Math.max(segment.keptUntil, keptUntil(instant));
    onEntry(segment.name, { quote, record, sale });
  }

  /** The open segment, unless it is full or its hour is over. */
  function current() {
    return open && open.segment.size < SEGMENT_ENTRIES && hourOf(open.segment.name) === hourAt(now())
      ? open
      : undefined;
  }

  async function begin() {
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await open?.lines.settle();
    await open?.lines.close();
    const hour = hourAt(now());
    const last = [...segments.keys()]
      .filter((name) => hourOf(name) === hour)
      .sort()
      .at(-1);
    const name = `${hour}-${String(Number(last?.slice(-4) ?? 0) + 1).padStart(4, "0")}`;
    open = { segment: aSegment(name), ...documentOf(name) };
    return open;
  }

  async function entriesOf(name: string): Promise<readonly Entry[]> {
    if (open?.segment.name === name) return open.low.data;
    const { low } = documentOf(name);
    const reading = closed.get(name) ?? low.read().then(() => low.data);
    closed.set(name, reading);
    reading.catch(() => closed.delete(name));
    return reading;
  }

  /** Copies a damaged file for the operator, once for each number of damaged lines. */
  async function copyDamaged(name: string, damagedLines: number, readable: number): Promise<void> {
    const path = join(folder, fileOf("quotes", name));
    const file = path.replace(/\.jsonl$/, `.damaged-${damagedLines}.jsonl`);
    if (damagedLines === 0 || existsSync(file)) return;
    await disk.copyFile(path, `${file}.draft`);
    await disk.rename(`${file}.draft`, file);
    const facts = { file, damaged_lines: damagedLines, readable };
    log.error(facts, "a quote file is damaged and was copied; the other lines are kept");
  }
}

function aSegment(name: string): Segment {
  return { name, keptUntil: 0, size: 0, indexed: [] };
}

/** `quotes-<segment>.jsonl` has the entries of a segment, `sales-<segment>.jsonl` the events of a deleted one. */
export function fileOf(kind: "quotes" | "sales", name: string): string {
  return `${kind}-${name}.jsonl`;
}

/** The segments of which `files` contains a file of this kind, the oldest first. */
export function segmentsOf(kind: "quotes" | "sales", files: readonly string[]): readonly string[] {
  const names = files.map((file) => /-(\d{4}-\d\d-\d\dT\d\d-\d{4})\.jsonl$/.exec(file)?.[1] ?? "");
  return names.filter((name, n) => files[n] === fileOf(kind, name)).sort();
}

/** The hour of an instant in UTC, such as `2026-11-20T10`, which sorts as text. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}

export function hourOf(name: string): string {
  return name.slice(0, 13);
}
