import express, { type RequestHandler } from "express";

const LARGEST_BODY_KIB = 128;

/** Bytes of the largest request body, decompressed, at every endpoint. */
export const LARGEST_BODY_BYTES = LARGEST_BODY_KIB * 1024;

export const BODY_TOO_LARGE = `The body is larger than ${LARGEST_BODY_KIB} KiB`;

/** The problem's prose for a larger body, which keeps its HTTP status 413. */
export const bodyTooLarge = {
  detail: `${BODY_TOO_LARGE}.`,
  nextAction: `Send a body of at most ${LARGEST_BODY_KIB} KiB.`,
} as const;

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
