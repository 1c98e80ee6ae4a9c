import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { OnFinished } from "../calls/finished-call.ts";
import { upstreamUnavailable } from "../contract/errors.ts";
import { toProblem } from "../contract/problem.ts";
import { createId } from "../ops/ids.ts";
import { loggablePath } from "../ops/log.ts";
import { surfaceOf } from "./call-of.ts";
import type { OverloadGuard } from "./overload.ts";
import { sendProblem } from "./send.ts";

/** Everything but the liveness probe, whose failure would restart an overloaded process. */
const UNGUARDED = /^(?:\w+:\/\/[^/]*)?\/healthz\/?(?:\?|$)/i;
/** A gap in the metrics would hide the overload: one request a second is admitted, as often as they are rendered. */
const METRICS = /^(?:\w+:\/\/[^/]*)?\/metrics\/?(?:\?|$)/i;
const SCRAPE_MILLISECONDS = 1_000;
const BUSY = upstreamUnavailable("The server is overloaded.");
const RETRY_AFTER_SECONDS = "1";
/** Slows callers that ignore Retry-After; random, so that they do not return all at once. */
const pauseMilliseconds = () => 50 + Math.random() * 150;

export interface AdmissionParts {
  readonly guard: OverloadGuard;
  readonly docsBase: string;
  /** Headers of every v1 response. */
  readonly versionHeaders: Readonly<Record<string, string>>;
  readonly onFinished: OnFinished;
  /** Milliseconds of a monotonic clock. Default: the process's. */
  now?(): number;
}

/**
 * Passes the calls that the guard admits to `listener` and rejects the others with 503 after a pause, before their bodies
 * are read. Each call first yields to what the event loop has read with it, so that its wait measures the backlog. What
 * is no call of an operation takes turns, one for each turn of the event loop, so that calls keep most of the time.
 */
export function createAdmission(parts: AdmissionParts, listener: RequestListener): RequestListener {
  const { guard, onFinished, now = () => performance.now() } = parts;
  let scrapedAt = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  return (request, response) => {
    const { url = "", socket } = request;
    if (surfaceOf(url) !== "http") return guarded(request, response);
    oneATurn(() => {
      if (socket.destroyed) return;
      if (UNGUARDED.test(url) || isScrape(url)) listener(request, response);
      else guarded(request, response);
    });
  };

  function oneATurn(task: () => void): void {
    waiting.push(task);
    if (!isScheduled) setImmediate(next);
    isScheduled = true;
  }

  function next(): void {
    const task = waiting.shift();
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(next);
    task?.();
  }

  function guarded(request: IncomingMessage, response: ServerResponse): void {
    const { url = "", socket } = request;
    const arrivedAt = guard.arrived();
    setImmediate(() => {
      if (socket.destroyed) return guard.left();
      const reason = guard.shedReason(arrivedAt);
      if (reason) {
        const requestId = createId("req");
        setTimeout(shed, pauseMilliseconds(), response, url, requestId, parts);
        const milliseconds = now() - arrivedAt;
        const call = { requestId, surface: surfaceOf(url), status: 503, milliseconds, shed: reason };
        return onFinished({ ...call, code: BUSY.code });
      }
      response.once("close", guard.ended);
      listener(request, response);
    });
  }

  function isScrape(url: string): boolean {
    if (!METRICS.test(url) || now() - scrapedAt < SCRAPE_MILLISECONDS) return false;
    scrapedAt = now();
    return true;
  }
}

function shed(
  response: ServerResponse,
  url: string,
  requestId: string,
  { docsBase, versionHeaders }: AdmissionParts,
): void {
  const headers = {
    ...(surfaceOf(url) === "rest" && versionHeaders),
    "Retry-After": RETRY_AFTER_SECONDS,
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendProblem(response, toProblem(BUSY, { docsBase, requestId, instance: loggablePath(url) }));
}
