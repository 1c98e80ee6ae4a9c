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
import { packageVersion } from "./package-root.ts";
import { untilSettled } from "./tracing.ts";

/**
 * The spans of `tracing.ts`, which loads this file where an OTLP endpoint is set. Attributes contain nothing that a caller
 * chose: no addresses, names, tokens or paths with parameters.
 */
const tracer = trace.getTracer("transfer-quote-mcp", packageVersion);

/** Runs a task as a child span, which ends when the promise that the task returns has settled. */
export function inSpan<A>(name: string, task: () => A): A {
  return inNewSpan(name, task);
}

function inNewSpan<A>(name: string, task: (span: Span) => A, options: SpanOptions = {}, parent = context.active()): A {
  return tracer.startActiveSpan(name, options, parent, (span) => {
    const ended = (error?: unknown) => {
      if (error !== undefined) failSpan(span, error instanceof Error ? error.name : typeof error);
      span.end();
    };
    return untilSettled(() => task(span), ended);
  });
}

/** Without the error's message, which may quote the caller. */
function failSpan(span: Span, type: string): void {
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

/** A call of an operation, as its span describes it. */
interface TracedCall {
  readonly surface: string;
  readonly requestId: string;
  /** `_meta` of the MCP message. */
  readonly meta?: object | undefined;
}

/**
 * Runs a call as a span; `endOf` returns how it has ended. Over MCP the span continues the trace that the message's
 * `_meta` names (SEP-414) and is linked to the span of the HTTP request.
 */
export function inCallSpan<A>(
  name: string,
  { surface, requestId, meta = {} }: TracedCall,
  task: () => Promise<A>,
  endOf: (outcome: A) => { readonly code: string; readonly status: number },
): Promise<A> {
  const attributes = { "transfer.operation": name, "transfer.surface": surface, "transfer.request_id": requestId };
  const run = async (span: Span) => {
    const outcome = await task();
    const { code, status } = endOf(outcome);
    span.setAttribute("transfer.code", code);
    if (status >= 500) failSpan(span, code);
    return outcome;
  };
  if (surface === "rest") return inNewSpan(name, run, { attributes });
  const options = { kind: SpanKind.SERVER, attributes };
  const named = propagation.extract(ROOT_CONTEXT, meta);
  if (!trace.getSpanContext(named)) return inNewSpan(name, run, options);
  const request = trace.getActiveSpan();
  const links = request?.isRecording() ? [{ context: request.spanContext() }] : [];
  return inNewSpan(name, run, { ...options, links }, named);
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
  return inNewSpan(name, send, { kind: SpanKind.CLIENT, attributes });
}

/** The id of the current trace, for the log. */
export function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
