import type { FileHandle } from "node:fs/promises";
import { type JsonBytes, jsonBytes } from "../../contract/json-bytes.ts";
import { sha256 } from "../../ops/sha256.ts";

const NEWLINE = 0x0a;
const [BEFORE_SUM, BEFORE_ITEM, AFTER_ITEM] = ['{"sum":"', '","item":', "}"] as const;
const END = `${AFTER_ITEM}\n`;
const SUM_LENGTH = 12;
const SUM_START = BEFORE_SUM.length;
const ITEM_START = SUM_START + SUM_LENGTH + BEFORE_ITEM.length;
/** Far more than any entry has: a longer line is garbage and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 26;

/**
 * One item as a line of JSON with its newline. Only the checksum shows that a price was changed: garbage in a string is
 * still JSON.
 */
export function sealLine(item: unknown): Buffer {
  return sealLines([jsonBytes(item)]).bytes;
}

/** The lines of items that are JSON already, written into one buffer, and how long each is. */
export function sealLines(items: readonly JsonBytes[]): {
  readonly bytes: Buffer;
  readonly lengths: readonly number[];
} {
  const lengths = items.map((item) => ITEM_START + item.length + END.length);
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let start = 0;
  for (const item of items) {
    const end = start + ITEM_START + bytes.write(item, start + ITEM_START, "latin1");
    const sum = sumOf(bytes.subarray(start + ITEM_START, end));
    bytes.write(`${BEFORE_SUM}${sum}${BEFORE_ITEM}`, start, "latin1");
    bytes.write(END, end, "latin1");
    start = end + END.length;
  }
  return { bytes, lengths };
}

/** The item of a line without its newline, or `undefined` where the line is not as it was sealed. */
export function unsealLine(line: Buffer): unknown {
  const end = line.length - AFTER_ITEM.length;
  if (end < ITEM_START) return undefined;
  const around = [line.toString("latin1", 0, SUM_START), line.toString("latin1", SUM_START + SUM_LENGTH, ITEM_START)];
  if (around[0] !== BEFORE_SUM || around[1] !== BEFORE_ITEM || line.toString("latin1", end) !== AFTER_ITEM)
    return undefined;
  const item = line.subarray(ITEM_START, end);
  if (line.toString("latin1", SUM_START, SUM_START + SUM_LENGTH) !== sumOf(item)) return undefined;
  return JSON.parse(item.toString("utf8"));
}

/**
 * Passes on each line that ends with a newline, and the position after it; what follows the last one is a torn line.
 * Reads in chunks, since a file may be larger than a string, a buffer or the memory.
 */
export async function eachLine(file: FileHandle, onLine: (line: Buffer, end: number) => void): Promise<void> {
  let position = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const hold = (piece: Buffer) => {
    held += piece.length;
    if (held > MAX_LINE_BYTES) pieces = [];
    else pieces.push(piece);
  };
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end));
      position += held + 1;
      onLine(Buffer.concat(pieces), position);
      pieces = [];
      held = 0;
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
}

function sumOf(json: Buffer): string {
  return sha256(json, "base64url").slice(0, SUM_LENGTH);
}
