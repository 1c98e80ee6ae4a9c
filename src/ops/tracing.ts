import type { IncomingMessage, ServerResponse } from "node:http";
import type { Attributes, Span } from "@opentelemetry/api";
import type { Log } from "./log.ts";
import { untilSettled } from "./until-settled.ts";

/** Records spans; `undefined` without an OTLP endpoint, where a call creates nothing for them. */
let spans: typeof import("./spans.ts") | undefined;

/**
 * Tracing by the standard variables of OpenTelemetry. Unless they set an OTLP endpoint, none of it is loaded. Returns
 * what sends the rest at the end, within 2 s.
 */
export async function startTracing(env: NodeJS.ProcessEnv, log: Log): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none")
    return async () => {};
  const { startOpenTelemetry } = await import("./open-telemetry.ts");
  const stop = startOpenTelemetry(env, log);
  spans = await import("./spans.ts");
  return stop;
}

/** Runs a task as a child span, which ends when the promise that the task returns has settled. */
export function inSpan<A>(name: string, task: () => A): A {
  return spans ? spans.inSpan(name, task) : task();
}

/** Serves an HTTP request as a span. `routeOf` is asked at the end for its path as declared, without parameters. */
export function serveInSpan(
  request: IncomingMessage,
  response: ServerResponse,
  routeOf: () => string | undefined,
  serve: () => void,
): void {
  if (spans) spans.serveInSpan(request, response, routeOf, serve);
  else serve();
}

/** A call of an operation, as its span describes it. */
export interface TracedCall {
  readonly surface: string;
  readonly requestId: string;
  /** `_meta` of the MCP message. */
  readonly meta?: object | undefined;
}

/** Runs a call as a span; `endOf` returns how it has ended. */
export function inCallSpan<A>(
  name: string,
  call: TracedCall,
  task: () => Promise<A>,
  endOf: (outcome: A) => { readonly code: string; readonly status: number },
): Promise<A> {
  return spans ? spans.inCallSpan(name, call, task, endOf) : task();
}

/** Sends a request to another service as a span, if a call needs it; `headers` continue the trace there. */
export function inRequestSpan<A>(
  name: string,
  attributes: Attributes,
  task: (headers: Readonly<Record<string, string>>, span?: Span) => A,
): A {
  return spans ? spans.inRequestSpan(name, attributes, task) : task({});
}

/** The id of the current trace, for the log. */
export function activeTraceId(): string | undefined {
  return spans?.activeTraceId();
}

/** The parts of a call whose time is measured. */
export const STAGES = ["authentication", "places", "routing", "pricing", "store"] as const;
export type Stage = (typeof STAGES)[number];

/** Runs a part of a call, and returns what `task` returns or throws. */
export type ObserveStage = <A>(stage: Stage, task: () => A) => A;

/** Runs each stage as a span, and reports its time, whether it succeeds or fails. */
export function createStages(onEnded?: (stage: Stage, milliseconds: number) => void): ObserveStage {
  if (!onEnded) return inSpan;
  return (stage, task) =>
    inSpan(stage, () => {
      const started = performance.now();
      return untilSettled(task, () => onEnded(stage, performance.now() - started));
    });
}
