import type { FileHandle } from "node:fs/promises";
import { sha256 } from "../../ops/sha256.ts";

const NEWLINE = 0x0a;
const SUM_START = '{"sum":"'.length;
const SUM_LENGTH = 12;
/** Where the fields of the item begin, after `{"sum":"………………",`. */
const ITEM_START = SUM_START + SUM_LENGTH + '",'.length;
const CHUNK_BYTES = 1 << 20;
/** Far more than any entry has: a longer line is garbage and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 26;

/**
 * An item as a line of JSON with its newline, and a checksum as its first field. Only that shows that a price was
 * changed: garbage in a string is still JSON. The item has at least one field.
 */
export function sealLine(item: object): Buffer {
  const fields = JSON.stringify(item).slice(1);
  return Buffer.from(`{"sum":"${sumOf(fields)}",${fields}\n`);
}

/** The item of a line without its newline, or `undefined` where the line is not as it was sealed. */
export function unsealLine(line: Buffer): object | undefined {
  const sum = line.toString("latin1", SUM_START, SUM_START + SUM_LENGTH);
  if (line.length <= ITEM_START || sum !== sumOf(line.subarray(ITEM_START))) return undefined;
  return JSON.parse(`{${line.toString("utf8", ITEM_START)}`);
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

/** The lines that end with a newline, in chunks, since a file may be larger than the memory. */
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
