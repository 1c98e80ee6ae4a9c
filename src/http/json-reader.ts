import express, { type RequestHandler } from "express";
import { BODY_TOO_LARGE, LARGEST_BODY_BYTES } from "./body-limit.ts";

/**
 * Parses a body as JSON, whatever its Content-Type. Errors: `status` 413 for a larger body, `type`
 * `entity.parse.failed` for one that is not JSON.
 */
export function createJsonReader(): RequestHandler {
  const read = express.json({ limit: LARGEST_BODY_BYTES, strict: false, type: () => true });
  return (request, response, next) => {
    // body-parser would read all of a body before it rejects its length.
    if (Number(request.headers["content-length"]) > LARGEST_BODY_BYTES) {
      return next(Object.assign(new Error(BODY_TOO_LARGE), { status: 413 }));
    }
    read(request, response, next);
  };
}
