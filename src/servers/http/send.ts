import { gzipSync } from "node:zlib";
import type { Response } from "express";
import type { Problem } from "../../contract/problem.ts";
import { sha256 } from "../../ops/ids.ts";
import { bearerOf } from "./request.ts";

export function sendProblem(response: Response, problem: Problem, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
  if (problem.status === 401) {
    const challenge = response.getHeader("WWW-Authenticate") ?? 'Bearer realm="transfer-quote"';
    // Only requests with a token get an error code (RFC 6750, 3.1).
    const error = bearerOf(response.req) === null ? "" : ', error="invalid_token"';
    response.setHeader("WWW-Authenticate", `${challenge}${error}`);
  }
  // Express would add a charset, which `application/problem+json` does not have.
  response.status(problem.status).setHeader("Content-Type", "application/problem+json");
  sendContent(response, JSON.stringify(problem));
}

/** Sends JSON. */
export function sendJson(response: Response, json: string): void {
  sendContent(response.type("json"), json);
}

/** A text is sent in one write with its headers: Express's `send` would copy it into a buffer, which is written beside them. */
function sendContent(response: Response, content: string | Buffer): void {
  response.setHeader("Content-Length", Buffer.byteLength(content)).end(content);
}

export type Document = ReturnType<typeof aDocument>;

/** A response with an ETag, which clients may cache and revalidate. */
export function aDocument(type: string, content: string | Buffer) {
  let gzipped: Buffer | undefined;
  return {
    type,
    content,
    etag: sha256(content, "base64url"),
    /** Made when a client first asks for it. */
    gzipped() {
      gzipped ??= gzipSync(content);
      return gzipped;
    },
  };
}

/** Sends a document, compressed where the client takes it, or 304 if the client's ETag matches. */
export function sendDocument(response: Response, document: Document, caching = "no-cache"): void {
  const { type, content, etag, gzipped } = document;
  const { req: request } = response;
  const isZipped = isText(type) && request.acceptsEncodings("gzip") === "gzip";
  // Representations of one document have different ETags (RFC 9110, 8.8.3).
  response.vary("Accept-Encoding").set({ ETag: `"${etag}${isZipped ? "-gzip" : ""}"`, "Cache-Control": caching });
  if (request.fresh) return void response.status(304).end();
  if (isZipped) response.set("Content-Encoding", "gzip");
  sendContent(response.type(type), isZipped ? gzipped() : content);
}

/** Pictures other than SVG are compressed already. */
function isText(type: string): boolean {
  return !type.startsWith("image/") || type === "image/svg+xml";
}
