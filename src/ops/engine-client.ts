import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleType,
  handleWhen,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import { upstreamUnavailable } from "../contract/errors.ts";
import { createEngineHttp, type EngineAnswer, EngineFault, type EngineRequest } from "./engine-http.ts";
import type { Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";
import { createSharedCalls } from "./shared-calls.ts";

export type { EngineAnswer } from "./engine-http.ts";

/**
 * JSON over HTTP with a routing engine or geocoder. Equal calls under way are merged. Any status below 500 but 3xx and
 * 429 is an answer, as long as its body is JSON; everything else throws UPSTREAM_UNAVAILABLE, and at once while the
 * engine is known to be away. Paths start with a slash and carry their query.
 */
export interface EngineClient {
  getJson(path: string, signal: AbortSignal): Promise<EngineAnswer>;
  postJson(path: string, body: unknown, signal: AbortSignal): Promise<EngineAnswer>;
  /** As `getJson`, but past the queue: for the few questions about the engine itself, which load must not fail. */
  probe(path: string, signal: AbortSignal): Promise<EngineAnswer>;
  /** Resolves when a probe of this path is answered with HTTP status 200 and a body that `isWell`, by default any. */
  ping(path: string, isWell?: (body: unknown) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface EngineClientOptions {
  /** As in "The routing engine is not available now."; callers read it. */
  readonly name: string;
  /** http or https; a path before the engine's own is kept, user, password and query go with every call. */
  readonly baseUrl: string;
  readonly log: Log;
  /** Default the package and its version. Public Nominatim servers ask for one that identifies the operator. */
  readonly userAgent?: string;
  /** Milliseconds to connect. Default 500. */
  readonly connectMs?: number;
  /** Milliseconds from asking to the end of the body, each try. Default 2,000. */
  readonly callMs?: number;
  /** Longest answer that is read. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Calls at the same time, and how many more may wait for their turn. Default 16 and 64. */
  readonly concurrency?: number;
  readonly queue?: number;
  /** Faults in a row that stop the calls, and milliseconds until one is tried again. Default 5 and 10,000. */
  readonly faultsToBreak?: number;
  readonly brokenMs?: number;
}

const RETRY_AFTER_MS = 100;

export function createEngineClient(options: EngineClientOptions): EngineClient {
  const { name, baseUrl, log, userAgent = `transfer-quote-mcp/${packageVersion}` } = options;
  const { connectMs = 500, callMs = 2_000, maxBodyBytes = 1024 * 1024 } = options;
  const { concurrency = 16, queue = 64, faultsToBreak = 5, brokenMs = 10_000 } = options;
  const http = createEngineHttp({ baseUrl, userAgent, connectMs, maxBodyBytes });
  const share = createSharedCalls();
  const breaker = circuitBreaker(
    // A trial call that its caller gave up has proved nothing: without this it would count as a success.
    handleWhen((error) => error instanceof EngineFault || breaker.state === CircuitState.HalfOpen),
    { breaker: new ConsecutiveBreaker(faultsToBreak), halfOpenAfter: brokenMs },
  );
  const again = retry(
    handleType(EngineFault, ({ passing }) => passing),
    { maxAttempts: 1, backoff: new ConstantBackoff(RETRY_AFTER_MS) },
  );
  const timeLimit = timeout(callMs, TimeoutStrategy.Cooperative);
  // From the outside in. The breaker sees each try and stands before the queue, so that nobody queues for a dead
  // engine; waiting in the queue is not the engine's slowness, so the time limit is inside it.
  const queued = wrap(again, breaker, bulkhead(concurrency, queue), timeLimit);
  const unqueued = wrap(again, breaker, timeLimit);
  breaker.onBreak((reason) =>
    log.warn({ engine: name, reason: reasonOf(reason) }, "An engine fails; calls to it are stopped."),
  );
  breaker.onReset(() => log.info({ engine: name }, "An engine answers again."));

  return {
    getJson: (path, signal) => call({ method: "GET", path, body: undefined }, signal),
    postJson: (path, body, signal) => call({ method: "POST", path, body: JSON.stringify(body) }, signal),
    probe,
    async ping(path, isWell = () => true) {
      const { status, body } = await probe(path, new AbortController().signal);
      if (status !== 200) throw upstreamUnavailable(`The ${name} answers with HTTP status ${status}.`);
      if (!isWell(body)) throw upstreamUnavailable(`The ${name} says that it is not well.`);
    },
    close: http.close,
  };

  function call(request: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
    const key = `${request.method} ${request.path} ${request.body ?? ""}`;
    return share(key, signal, (abandoned) => guarded(queued, request, abandoned));
  }

  function probe(path: string, signal: AbortSignal): Promise<EngineAnswer> {
    const request = { method: "GET", path, body: undefined } as const;
    return share(`probe ${path}`, signal, (abandoned) => guarded(unqueued, request, abandoned));
  }

  async function guarded(
    policy: typeof queued | typeof unqueued,
    request: EngineRequest,
    abandoned: AbortSignal,
  ): Promise<EngineAnswer> {
    try {
      return await policy.execute((context) => attempt(request, context.signal, abandoned), abandoned);
    } catch (error) {
      throw upstreamUnavailable(`The ${name} is not available now.`, error);
    }
  }

  async function attempt(request: EngineRequest, limit: AbortSignal, abandoned: AbortSignal) {
    abandoned.throwIfAborted();
    try {
      return await http.exchange(request, limit);
    } catch (error) {
      if (!limit.aborted || abandoned.aborted) throw error;
      throw new EngineFault(`no answer within ${callMs} ms`, { cause: error });
    }
  }
}

function reasonOf(reason: object): string {
  return "error" in reason && reason.error instanceof Error ? reason.error.message : "";
}
