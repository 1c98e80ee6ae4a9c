import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";

/** Attributes of spans contain nothing that a caller chose: no addresses, names, tokens or paths with parameters. */
const tracer = trace.getTracer("transfer-quote-mcp", packageVersion);

/**
 * Tracing by the standard variables of OpenTelemetry. Unless they set an OTLP endpoint, the SDK is not loaded and spans
 * are those of the API, which record nothing. Returns what sends the rest at the end, within 2 s.
 */
export async function startTracing(env: NodeJS.ProcessEnv, log: Log): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none")
    return async () => {};
  const { startOpenTelemetry } = await import("./open-telemetry.ts");
  return startOpenTelemetry(env, log);
}

/** Runs a task as a child span, which ends when the promise that the task returns has settled. */
export function inSpan<A>(
  name: string,
  task: (span: Span) => A,
  options: SpanOptions = {},
  parent = context.active(),
): A {
  return tracer.startActiveSpan(name, options, parent, (span) => {
    const ended = (error?: unknown) => {
      if (error !== undefined) failSpan(span, error instanceof Error ? error.name : typeof error);
      span.end();
    };
    return untilSettled(() => task(span), ended);
  });
}

/** Without the error's message, which may quote the caller. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Serves an HTTP request as a span. `routeOf` is asked at the end for its path as declared, without parameters. */
export function serveInSpan(
  { method = "", headers }: IncomingMessage,
  response: ServerResponse,
  routeOf: () => string | undefined,
  serve: () => void,
): void {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
    parent,
  );
  response.once("close", () => {
    const [route, { statusCode }] = [routeOf(), response];
    if (route !== undefined) span.updateName(`${method} ${route}`);
    span.setAttributes({ "http.route": route, "http.response.status_code": statusCode });
    if (statusCode >= 500) failSpan(span, String(statusCode));
    span.end();
  });
  context.with(trace.setSpan(parent, span), serve);
}

/**
 * Runs a call as a span. Over MCP `message` is its `_meta`: the span continues the trace that this names (SEP-414) and is
 * linked to the span of the HTTP request.
 */
export function inCallSpan<A>(
  name: string,
  message: object | undefined,
  attributes: Attributes,
  task: (span: Span) => A,
): A {
  if (!message) return inSpan(name, task, { attributes });
  const options = { kind: SpanKind.SERVER, attributes };
  const named = propagation.extract(ROOT_CONTEXT, message);
  if (!trace.getSpanContext(named)) return inSpan(name, task, options);
  const request = trace.getActiveSpan();
  const links = request?.isRecording() ? [{ context: request.spanContext() }] : [];
  return inSpan(name, task, { ...options, links }, named);
}

/** Sends a request to another service as a span, if a call needs it; `headers` continue the trace there. */
export function inRequestSpan<A>(
  name: string,
  attributes: Attributes,
  task: (headers: Readonly<Record<string, string>>, span?: Span) => A,
): A {
  if (!trace.getActiveSpan()) return task({});
  const send = (span: Span) => {
    const headers = {};
    propagation.inject(context.active(), headers);
    return task(headers, span);
  };
  return inSpan(name, send, { kind: SpanKind.CLIENT, attributes });
}

/** The id of the current trace, for the log. */
export function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}

/** The parts of a call whose time is measured. */
export const STAGES = ["authentication", "places", "routing", "pricing", "store"] as const;
export type Stage = (typeof STAGES)[number];

/** Runs a part of a call, and returns what `task` returns or throws. */
export type ObserveStage = <A>(stage: Stage, task: () => A) => A;

/** Runs each stage as a span, and reports its time, whether it succeeds or fails. */
export function createStages(onEnded: (stage: Stage, milliseconds: number) => void = () => {}): ObserveStage {
  return (stage, task) =>
    inSpan(stage, () => {
      const started = performance.now();
      return untilSettled(task, () => onEnded(stage, performance.now() - started));
    });
}

/** Runs a task; `ended` is called when it, or a promise that it returns, has ended. */
function untilSettled<A>(task: () => A, ended: (error?: unknown) => void): A {
  let result: A;
  try {
    result = task();
  } catch (error) {
    ended(error);
    throw error;
  }
  if (result instanceof Promise) result.then(() => ended(), ended);
  else ended();
  return result;
}
