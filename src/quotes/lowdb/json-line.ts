import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const SEALED = /^\{"sum":"([\w-]{12})","item":(.*)\}$/s;

/**
 * One item as a line of JSON with its newline. The checksum is what tells a changed price from a price: garbage inside
 * a string is still JSON.
 */
export function sealLine(item: unknown): string {
  const json = JSON.stringify(item);
  return `{"sum":"${sumOf(json)}","item":${json}}\n`;
}

/** The item of a line without its newline, or `undefined` where the line is not as it was sealed. */
export function unsealLine(line: Buffer): unknown {
  const [, sum, json] = SEALED.exec(line.toString("utf8")) ?? [];
  return json !== undefined && sumOf(json) === sum ? JSON.parse(json) : undefined;
}

/**
 * Hands on each line that its newline ends, and gives their length in bytes, newlines included: what follows is a
 * torn line. Reads in pieces, since a busy partition is larger than a string or a buffer may be.
 */
export async function eachLine(file: FileHandle, onLine: (line: Buffer) => void): Promise<number> {
  let whole = 0;
  let pieces: Buffer[] = [];
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]);
      pieces = [];
      from = end + 1;
      whole += line.length + 1;
      onLine(line);
    }
    pieces.push(chunk.subarray(from));
  }
  return whole;
}

function sumOf(json: string): string {
  return createHash("sha256").update(json).digest("base64url").slice(0, 12);
}
