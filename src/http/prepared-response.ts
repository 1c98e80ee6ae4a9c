import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/** A response that is the same for everyone until the next start. */
export interface PreparedResponse {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export function prepareResponse(type: string, text: string): PreparedResponse {
  const bytes = Buffer.from(text);
  return { type, bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
}

/** Sends the bytes, or 304 to a client that has them: it may keep them and asks whether they still hold. */
export function sendPrepared(request: Request, response: Response, prepared: PreparedResponse): void {
  const { type, bytes, etag } = prepared;
  response.setHeader("ETag", etag);
  response.setHeader("Cache-Control", "no-cache");
  if (isKnown(request.get("if-none-match"), etag)) return void response.status(304).end();
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes);
}

/** Not Express's `fresh`: that refuses a client that adds `Cache-Control: no-cache`, as every `fetch` does. */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags?.some((tag) => tag === etag || tag === "*") ?? false;
}
