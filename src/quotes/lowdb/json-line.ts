import type { FileHandle } from "node:fs/promises";
import { sha256 } from "../../ops/sha256.ts";

const NEWLINE = 0x0a;
const END = Buffer.from("}\n");
const SEALED = /^\{"sum":"([\w-]{12})","item":(.*)\}$/s;
/** Far more than any entry has: a longer line is garbage and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 26;

/**
 * One item as a line of JSON with its newline. Only the checksum shows that a price was changed: garbage in a string is
 * still JSON.
 */
export function sealLine(item: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(item));
  return Buffer.concat([Buffer.from(`{"sum":"${sumOf(json)}","item":`), json, END]);
}

/** The item of a line without its newline, or `undefined` where the line is not as it was sealed. */
export function unsealLine(line: Buffer): unknown {
  const [, sum, json] = SEALED.exec(line.toString("utf8")) ?? [];
  return json !== undefined && sumOf(json) === sum ? JSON.parse(json) : undefined;
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

function sumOf(json: string | Buffer): string {
  return sha256(json, "base64url").slice(0, 12);
}
