import type { RequestListener, ServerResponse } from "node:http";
import { upstreamUnavailable } from "../src/contract/errors.ts";
import { toProblem } from "../src/contract/problem.ts";
import { createId } from "../src/ops/ids.ts";
import { loggablePath } from "../src/ops/log.ts";
import type { OverloadGuard, ShedReason } from "../src/ops/overload.ts";

/** The API and MCP, as Express would route them. Whoever watches the server is answered also while it is overloaded. */
const GUARDED = /^(?:\w+:\/\/[^/]*)?\/(?:api|mcp)(?:[/?]|$)/i;
const API = /^(?:\w+:\/\/[^/]*)?\/api\//i;
const BUSY = upstreamUnavailable("The server has more calls than it can answer now.");
const RETRY_AFTER_SECONDS = "1";
/** Callers that do not heed Retry-After would else take the time that others' calls need; spread, or they come as one. */
const pauseMilliseconds = () => 50 + Math.random() * 150;

export interface AdmissionParts {
  readonly guard: OverloadGuard;
  readonly docsBase: string;
  /** Headers on every answer of v1. */
  readonly versionHeaders: Readonly<Record<string, string>>;
  onShed(reason: ShedReason): void;
}

/**
 * Lets `listener` have the calls that the guard admits and answers the others 503 after a pause, before anything is made
 * or read for them. Each call gives way to what the event loop has read with it, so that its wait shows how much that is.
 */
export function createAdmission(parts: AdmissionParts, listener: RequestListener): RequestListener {
  const { guard, onShed } = parts;
  return (request, response) => {
    const { url = "", socket } = request;
    if (!GUARDED.test(url)) return listener(request, response);
    const arrivedAt = guard.arrived();
    setImmediate(() => {
      if (socket.destroyed) return guard.left();
      const reason = guard.shedReason(arrivedAt);
      if (reason) {
        setTimeout(shed, pauseMilliseconds(), response, url, parts);
        return onShed(reason);
      }
      response.once("close", guard.ended);
      listener(request, response);
    });
  };
}

function shed(response: ServerResponse, url: string, { docsBase, versionHeaders }: AdmissionParts): void {
  const requestId = createId("req");
  const text = JSON.stringify(toProblem(BUSY, { docsBase, requestId, instance: loggablePath(url) }));
  response.writeHead(503, {
    ...(API.test(url) && versionHeaders),
    "Content-Type": "application/problem+json",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "Retry-After": RETRY_AFTER_SECONDS,
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  });
  response.end(text);
}
