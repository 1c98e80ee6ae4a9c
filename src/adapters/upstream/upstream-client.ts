import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleType,
  handleWhen,
  retry,
  wrap,
} from "cockatiel";
import { upstreamUnavailable } from "../../contract/errors.ts";
import type { Log } from "../../ops/log.ts";
import { createUpstreamHttp, UpstreamFault, type UpstreamRequest, type UpstreamResponse } from "./upstream-http.ts";

export type { UpstreamResponse } from "./upstream-http.ts";

/**
 * JSON over HTTP with a routing engine or geocoder. Concurrent equal calls are merged. A response with a JSON body and a
 * status below 500, except 3xx and 429, is returned; everything else throws UPSTREAM_UNAVAILABLE, at once while the
 * circuit breaker is open. Paths start with a slash and include their query.
 */
export interface UpstreamClient {
  getJson(path: string, signal: AbortSignal): Promise<UpstreamResponse>;
  postJson(path: string, body: unknown, signal: AbortSignal): Promise<UpstreamResponse>;
  /** Like `getJson`, but without the queue: for requests about the service itself, which must not fail under load. */
  probe(path: string, signal: AbortSignal): Promise<UpstreamResponse>;
  /** Resolves when a probe of this path returns HTTP status 200 and a body that `isHealthy` accepts, by default any. */
  ping(path: string, isHealthy?: (body: unknown) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamClientOptions {
  /** As in "The routing engine is not available now."; part of public errors. */
  readonly name: string;
  /** http or https; its path is kept as a prefix, its user, password and query are sent with every call. */
  readonly baseUrl: string;
  readonly log: Log;
  /** Milliseconds until the end of the response body, for each attempt. Default 2,000. */
  readonly callMs?: number;
}

const RETRY_AFTER_MS = 100;
const CONCURRENT_CALLS = 16;
const QUEUED_CALLS = 64;
/** Consecutive failures that open the circuit breaker. */
const FAULTS_TO_BREAK = 5;
/** How long the circuit breaker is open before a trial call. */
const BROKEN_MS = 10_000;

export function createUpstreamClient({ name, baseUrl, log, callMs = 2_000 }: UpstreamClientOptions): UpstreamClient {
  const http = createUpstreamHttp(baseUrl);
  /** By policy and request. A caller that leaves does not end a call, which others may share and which ends soon. */
  const inFlight = new Map<string, Promise<UpstreamResponse>>();
  const breaker = circuitBreaker(
    // In the half-open state any error counts, because one that is not handled would otherwise count as a success.
    handleWhen((error) => error instanceof UpstreamFault || breaker.state === CircuitState.HalfOpen),
    { breaker: new ConsecutiveBreaker(FAULTS_TO_BREAK), halfOpenAfter: BROKEN_MS },
  );
  const again = retry(
    handleType(UpstreamFault, ({ transient }) => transient),
    { maxAttempts: 1, backoff: new ConstantBackoff(RETRY_AFTER_MS) },
  );
  // From the outside in. The breaker comes before the queue, so that nothing queues for a failed service.
  const queued = wrap(again, breaker, bulkhead(CONCURRENT_CALLS, QUEUED_CALLS));
  const unqueued = wrap(again, breaker);
  breaker.onBreak((reason) =>
    log.warn({ upstream: name, reason: reasonOf(reason) }, "circuit breaker opened: calls are rejected"),
  );
  breaker.onReset(() => log.info({ upstream: name }, "circuit breaker closed: calls are sent again"));

  return {
    getJson: (path, signal) => call(queued, { method: "GET", path, body: undefined }, signal),
    postJson: (path, body, signal) => call(queued, { method: "POST", path, body: JSON.stringify(body) }, signal),
    probe,
    async ping(path, isHealthy = () => true) {
      const { status, body } = await probe(path, new AbortController().signal);
      if (status !== 200) throw upstreamUnavailable(`The ${name} responded with HTTP status ${status}.`);
      if (!isHealthy(body)) throw upstreamUnavailable(`The ${name} reports that it is not healthy.`);
    },
    close: http.close,
  };

  function probe(path: string, signal: AbortSignal): Promise<UpstreamResponse> {
    return call(unqueued, { method: "GET", path, body: undefined }, signal);
  }

  async function call(policy: typeof queued | typeof unqueued, request: UpstreamRequest, signal: AbortSignal) {
    signal.throwIfAborted();
    const key = [policy === queued, request.method, request.path, request.body].join(" ");
    const answer = inFlight.get(key) ?? policy.execute(() => attempt(request)).finally(() => inFlight.delete(key));
    inFlight.set(key, answer);
    try {
      return await untilAborted(answer, signal);
    } catch (error) {
      throw signal.aborted ? error : upstreamUnavailable(`The ${name} is not available now.`, error);
    }
  }

  async function attempt(request: UpstreamRequest) {
    const limit = AbortSignal.timeout(callMs);
    try {
      return await http.exchange(request, limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new UpstreamFault(`no response within ${callMs} ms`, { cause: error });
    }
  }
}

function untilAborted<A>(answer: Promise<A>, signal: AbortSignal): Promise<A> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function reasonOf(reason: object): string {
  return "error" in reason && reason.error instanceof Error ? reason.error.message : "";
}
