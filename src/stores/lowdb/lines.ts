import type { FileHandle } from "node:fs/promises";
import { sha256 } from "../../ops/ids.ts";
import type { QuoteEntry } from "../quote-store.ts";
import { type Disk, openExisting } from "./disk.ts";

const NEWLINE = 0x0a;
const SUM_START = '{"sum":"'.length;
const SUM_LENGTH = 12;
/** Position of the entry's fields, after `{"sum":"………………",`. */
const ENTRY_START = SUM_START + SUM_LENGTH + '",'.length;
const CHUNK_BYTES = 1 << 20;
/** Far more than any entry has: a longer line is damaged and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 22;

/**
 * An entry, of at least one field, as a line of JSON with its newline. A checksum is its first field, because a line
 * with a changed price is still valid JSON.
 */
export function sealLine(entry: Partial<QuoteEntry>): Buffer {
  const fields = JSON.stringify(entry).slice(1);
  return Buffer.from(`{"sum":"${sumOf(fields)}",${fields}\n`);
}

/** The entry of a line without its newline; `undefined` where the checksum is wrong. */
export function unsealLine(line: Buffer): Partial<QuoteEntry> | undefined {
  const sum = line.toString("latin1", SUM_START, SUM_START + SUM_LENGTH);
  if (line.length <= ENTRY_START || sum !== sumOf(line.subarray(ENTRY_START))) return undefined;
  return JSON.parse(`{${line.toString("utf8", ENTRY_START)}`);
}

function sumOf(fields: string | Uint8Array): string {
  return sha256(fields, "base64url").slice(0, SUM_LENGTH);
}

interface Line {
  /** Without the newline. */
  readonly bytes: Buffer;
  /** The position in the file after the newline. */
  readonly end: number;
}

/** The complete lines of a file in chunks, since the file may be larger than the memory. */
export async function* readLines(file: FileHandle): AsyncGenerator<readonly Line[]> {
  let rest = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })) {
    const bytes = Buffer.concat([rest, chunk]);
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, rest.length); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      lines.push({ bytes: bytes.subarray(from, end), end: position + end + 1 });
      from = end + 1;
    }
    rest = bytes.subarray(from);
    position += from;
    if (rest.length > MAX_LINE_BYTES) {
      position += rest.length;
      rest = Buffer.alloc(0);
    }
    yield lines;
  }
}

/** The entries of a file in chunks, with `undefined` for each damaged line; yields nothing where there is no file. */
export async function* readEntries(disk: Pick<Disk, "open">, path: string) {
  const file = await openExisting(disk, path);
  try {
    if (file) for await (const lines of readLines(file)) yield lines.map(({ bytes }) => unsealLine(bytes));
  } finally {
    await file?.close();
  }
}

/**
 * Files of an hour: `quotes-2026-11-20T10.jsonl` holds entries, `sales-2026-11-20T10.jsonl` the events of deleted ones.
 */
type Kind = "quotes" | "sales";

export function fileOf(kind: Kind, hour: string): string {
  return `${kind}-${hour}.jsonl`;
}

/** The hour of an instant in UTC, such as `2026-11-20T10`, which sorts as text. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}

/** The hours of which `names` contains a file of this kind, sorted. */
export function hoursOf(kind: Kind, names: readonly string[]): readonly string[] {
  const hours = names.map((name) => /-(\d{4}-\d\d-\d\dT\d\d)\.jsonl$/.exec(name)?.[1] ?? "");
  return hours.filter((hour, n) => names[n] === fileOf(kind, hour)).sort();
}
