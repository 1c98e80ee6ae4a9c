import type { Response } from "express";
import type { Problem } from "../contract/problem.ts";
import { sha256 } from "../ops/ids.ts";
import { bearerOf } from "./request.ts";

export function sendProblem(response: Response, problem: Problem, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
  if (problem.status === 401) {
    const challenge = response.getHeader("WWW-Authenticate") ?? 'Bearer realm="transfer-quote"';
    // Only requests with a token get an error code (RFC 6750, 3.1).
    const error = bearerOf(response.req) === null ? "" : ', error="invalid_token"';
    response.setHeader("WWW-Authenticate", `${challenge}${error}`);
  }
  // Sent as bytes, since Express adds a charset to text and `application/problem+json` has none.
  response
    .status(problem.status)
    .type("application/problem+json")
    .send(Buffer.from(JSON.stringify(problem)));
}

export type Document = ReturnType<typeof aDocument>;

/** A response with an ETag, which clients may cache and revalidate. */
export function aDocument(type: string, content: string | Buffer) {
  return { type, bytes: Buffer.from(content), etag: `"${sha256(content, "base64url")}"` };
}

/** Sends a document. Express answers 304 if the client's ETag matches. */
export function sendDocument(response: Response, { type, bytes, etag }: Document, caching = "no-cache"): void {
  response.set({ ETag: etag, "Cache-Control": caching }).type(type).send(bytes);
}
