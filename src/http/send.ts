import type { Response } from "express";
import type { Problem } from "../contract/problem.ts";
import { sha256 } from "../ops/ids.ts";
import { bearerOf } from "./request.ts";

export function sendProblem(response: Response, problem: Problem): void {
  if (problem.retry_after_seconds) response.setHeader("Retry-After", String(problem.retry_after_seconds));
  if (problem.status === 401) {
    const challenge = response.getHeader("WWW-Authenticate") ?? 'Bearer realm="transfer-quote"';
    // RFC 6750, 3.1: an error code belongs to a request that presented a token.
    const error = bearerOf(response.req) === null ? "" : ', error="invalid_token"';
    response.setHeader("WWW-Authenticate", `${challenge}${error}`);
  }
  // As bytes: Express adds a charset to text, and `application/problem+json` has none.
  response
    .status(problem.status)
    .type("application/problem+json")
    .send(Buffer.from(JSON.stringify(problem)));
}

export type Document = ReturnType<typeof aDocument>;

/** An answer that a client may keep and use again after asking whether it still holds. */
export function aDocument(type: string, content: string | Buffer) {
  return { type, bytes: Buffer.from(content), etag: `"${sha256(content, "base64url")}"` };
}

/** Express answers 304 to a client that has it. */
export function sendDocument(response: Response, { type, bytes, etag }: Document): void {
  response.set({ ETag: etag, "Cache-Control": "no-cache" }).type(type).send(bytes);
}
