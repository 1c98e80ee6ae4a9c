import { STATUS_CODES } from "node:http";
import { PublicError } from "../src/contract/errors.ts";
import { toProblem } from "../src/contract/problem.ts";
import type { RefuseBroken } from "../src/ops/http-server.ts";
import { createId } from "../src/ops/ids.ts";

const REASONS = {
  400: ["The request is no valid HTTP.", "Send a well-formed HTTP/1.1 request."],
  408: ["The request did not arrive in time.", "Send the whole request at once."],
  413: ["The body is larger than 128 KiB.", "Send a body of at most 128 KiB."],
  431: ["The request's headers are too large.", "Send at most 16 KiB of headers."],
} as const;

/** Problem documents also for what is refused before Express sees a request. */
export function createRefuseBroken(docsBase: string): RefuseBroken {
  return (status) => {
    const requestId = createId("req");
    const [detail, nextAction] = REASONS[status];
    const error = new PublicError("INVALID_REQUEST", detail, { status, nextAction });
    const text = JSON.stringify(toProblem(error, { docsBase, requestId, instance: null }));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    return `${head.join("\r\n")}\r\n\r\n${text}`;
  };
}
