import { existsSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { LRUCache } from "lru-cache";
import { keptUntil } from "../../../domain/quotes/quote.ts";
import type { QuoteEntry } from "../../../domain/sales/quote-store.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import { syncFolder } from "../../../ops/create-folder.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { createJsonLines, type Disk, replaceFile, sealLine } from "./json-lines.ts";
import type { StoreParts } from "./lowdb-quote-store.ts";

/** Most entries of a segment. Small, because a closed segment is read whole where one of its entries is asked for. */
export const SEGMENT_ENTRIES = 200;
/** How many closed segments stay in memory after they were read. */
const CLOSED_IN_MEMORY = 8;

type Entry = Partial<QuoteEntry>;

interface Segment {
  /** Hour and number, such as `2026-11-20T10-0001`; sorts by age. */
  readonly name: string;
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil: number;
  size: number;
  /** What the index has of it. */
  readonly indexed: string[];
}

export type Segments = Awaited<ReturnType<typeof openSegments>>;

/** Names of the files that any version of this program has written, and of those that this version writes. */
const OURS = /^[a-z]+-\d{4}-\d\d-\d\d.*\.jsonl?$/;
const OF_THIS_VERSION = /^(quotes|sales)-\d{4}-\d\d-\d\dT\d\d-\d{4}\.(damaged-.*\.)?jsonl$/;

/**
 * The entries of a folder in segments, each a lowdb document of at most 200 entries of one hour. The open one stays in
 * memory, closed ones are read when they are asked for; the index leads from ids to segments. Every segment is read once
 * at the start. `onSale` is called for each event that is found then, and that is appended. Throws UnusableStorage where
 * another version has written the folder. Callers must not overlap calls of `append`, `settle` and `close`.
 */
export async function openSegments(
  { folder, disk, log, clock }: StoreParts,
  onSale: (segment: string, sale: SaleEvent) => void,
) {
  const segments = new Map<string, Segment>();
  const index = new Map<string, Segment>();
  const closed = new LRUCache<string, readonly Entry[]>({
    max: CLOSED_IN_MEMORY,
    // A read goes on where its segment has to leave the memory meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: async (name) => (await readSegment(pathOf("quotes", name), disk)).entries,
  });
  /** The segment that is appended to. A new process begins a new one. */
  let open: (ReturnType<typeof documentAt> & { readonly segment: Segment }) | undefined;

  const names = await disk.readdir(folder);
  const foreign = names.find((name) => OURS.test(name) && !OF_THIS_VERSION.test(name));
  if (foreign !== undefined) {
    const why = "was written by another version of this program";
    throw new UnusableStorage(`${join(folder, foreign)} ${why}; move ${folder} away, or set TRANSFER_DATA_DIR`);
  }
  for (const name of segmentsOf("quotes", names)) {
    const { entries, tornBytes } = await readOrCopy(name);
    const segment: Segment = { name, keptUntil: 0, size: 0, indexed: [] };
    segments.set(name, segment);
    for (const entry of entries) add(segment, entry);
    const facts = { file: pathOf("quotes", name), torn_bytes: tornBytes };
    if (tornBytes > 0) log.warn(facts, "a quote file ends in a torn line");
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
    /** Whether there is a quote with this id, a record with this key hash, or an event that was stored without a quote. */
    has: (kind: "quote" | "record" | "sale", name: string) => index.has(`${kind} ${name}`),
    entriesOf,

    /** The last entry with this quote or record; rejects if its line has been damaged meanwhile. */
    async find(kind: "quote" | "record", name: string): Promise<Entry | undefined> {
      const segment = index.get(`${kind} ${name}`);
      if (!segment) return undefined;
      const entries = await entriesOf(segment.name);
      const found = entries.find(({ quote, record }) => (kind === "quote" ? quote?.id : record?.keyHash) === name);
      if (!found) throw new Error(`a line of ${fileOf("quotes", segment.name)} is damaged`);
      return found;
    },

    /** Entries are durable once it resolves; where it rejects, none is stored. */
    async append(entries: readonly Entry[]): Promise<void> {
      const { segment, low } = current() ?? (await begin());
      const before = low.data;
      low.data = [...before, ...entries];
      await low.write().catch((error) => {
        low.data = before;
        throw error;
      });
      segments.set(segment.name, segment);
      for (const entry of entries) add(segment, entry);
    },

    /** Opens the open segment for the next `append`, and undoes a failed one; rejects if that fails again. */
    settle: async () => void (await open?.lines.settle()),

    /** Replaces a closed segment by its events, or by nothing. */
    async replace(name: string, keepsEvents: boolean): Promise<void> {
      if (keepsEvents) {
        const { entries } = await readOrCopy(name);
        // One rename stores all events of the segment at once.
        const sales = entries.flatMap(({ sale }) => (sale ? [sealLine({ sale })] : []));
        await replaceFile(disk, pathOf("sales", name), Buffer.concat(sales));
      }
      await disk.rm(pathOf("quotes", name), { force: true });
      for (const key of segments.get(name)?.indexed ?? []) if (index.get(key)?.name === name) index.delete(key);
      segments.delete(name);
      closed.delete(name);
    },

    close: async () => open?.lines.close(),
  };

  function pathOf(kind: "quotes" | "sales", name: string): string {
    return join(folder, fileOf(kind, name));
  }

  function add(segment: Segment, { quote, record, sale }: Entry): void {
    segment.size += 1;
    const named = { quote: quote?.id, record: record?.keyHash, sale: quote ? undefined : sale?.id };
    for (const [kind, name] of Object.entries(named)) {
      if (name === undefined) continue;
      const key = `${kind} ${name}`;
      index.set(key, segment);
      segment.indexed.push(key);
    }
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at])
      if (instant) segment.keptUntil = Math.max(segment.keptUntil, keptUntil(instant));
    if (sale) onSale(segment.name, sale);
  }

  /** The open segment, unless it is full or its hour is over. */
  function current() {
    const isOver = !open || open.segment.size >= SEGMENT_ENTRIES || hourOf(open.segment.name) !== hourAt(clock.now());
    return isOver ? undefined : open;
  }

  async function begin() {
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await open?.lines.settle();
    await open?.lines.close();
    const hour = hourAt(clock.now());
    const numbers = [...segments.keys()].map((name) => (hourOf(name) === hour ? Number(name.slice(-4)) : 0));
    const name = `${hour}-${String(Math.max(0, ...numbers) + 1).padStart(4, "0")}`;
    open = { segment: { name, keptUntil: 0, size: 0, indexed: [] }, ...documentAt(pathOf("quotes", name), disk) };
    return open;
  }

  async function entriesOf(name: string): Promise<readonly Entry[]> {
    return open?.segment.name === name ? open.low.data : closed.forceFetch(name);
  }

  /** Reads a segment, and copies a damaged file for the operator, once for each number of damaged lines. */
  async function readOrCopy(name: string) {
    const path = pathOf("quotes", name);
    const read = await readSegment(path, disk);
    const file = path.replace(/\.jsonl$/, `.damaged-${read.damagedLines}.jsonl`);
    if (read.damagedLines > 0 && !existsSync(file)) {
      await disk.copyFile(path, `${file}.draft`);
      await disk.rename(`${file}.draft`, file);
      const facts = { file, damaged_lines: read.damagedLines, readable: read.entries.length };
      log.error(facts, "a quote file is damaged and was copied; the other lines are kept");
    }
    return read;
  }
}

/** The entries of a file of quotes or of sales, none where there is no file, and what was skipped in it. */
export async function readSegment(path: string, disk: Disk) {
  const { low, lines } = documentAt(path, disk);
  await low.read();
  return { entries: low.data, ...lines.skipped() };
}

function documentAt(path: string, disk: Disk) {
  const lines = createJsonLines<Entry>(path, disk);
  return { lines, low: new Low<Entry[]>(lines, []) };
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
