import type { OnFinished } from "../calls/finished-call.ts";
import { PublicError } from "../contract/errors.ts";
import { toProblem } from "../contract/problem.ts";
import { createId } from "../ops/ids.ts";
import { bodyTooLarge } from "./body-limit.ts";
import type { RefuseBroken } from "./http-server.ts";
import { rawProblem } from "./send.ts";

const REASONS = {
  400: { detail: "The request is not valid HTTP.", nextAction: "Send a well-formed HTTP/1.1 request." },
  408: { detail: "The request did not arrive in time.", nextAction: "Send the whole request at once." },
  413: bodyTooLarge,
  431: { detail: "The request headers are too large.", nextAction: "Send at most 16 KiB of headers." },
} as const;

/** Writes a problem document for a request that is rejected before Express receives it. */
export function createRefuseBroken(docsBase: string, onFinished: OnFinished): RefuseBroken {
  return (status) => {
    const { detail, nextAction } = REASONS[status];
    const error = new PublicError("INVALID_REQUEST", detail, { status, nextAction });
    const requestId = createId("req");
    onFinished({ requestId, surface: "http", status, code: error.code, milliseconds: 0 });
    return rawProblem(toProblem(error, { docsBase, requestId, instance: null }));
  };
}
