import express from "express";

/** The largest valid call, ten stops of full length, has 28 KiB in UTF-8 and 54 KiB with every character as `\uXXXX`. */
const LARGEST_BODY_KIB = 64;

/** Bytes of the largest request body, decompressed, at every endpoint. */
export const LARGEST_BODY_BYTES = LARGEST_BODY_KIB * 1024;

export const BODY_TOO_LARGE = `The body is larger than ${LARGEST_BODY_KIB} KiB`;

/** The problem's prose for a larger body, which keeps its HTTP status 413. */
export const bodyTooLarge = {
  detail: `${BODY_TOO_LARGE}.`,
  nextAction: `Send a body of at most ${LARGEST_BODY_KIB} KiB.`,
} as const;

/** Parses a body as JSON, whatever its Content-Type, which the routes check. */
export const readJson = express.json({ limit: LARGEST_BODY_BYTES, strict: false, type: () => true });
