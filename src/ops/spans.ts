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
import type { TracedCall } from "./tracing.ts";
import { untilSettled } from "./until-settled.ts";

/**
 * The spans of `tracing.ts`, which loads this file where an OTLP endpoint is set. Attributes contain nothing that a caller
 * chose: no addresses, names, tokens or paths with parameters.
 */
const tracer = trace.getTracer("transfer-quote-mcp", packageVersion);

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
function failSpan(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

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
 * Over MCP the span continues the trace that the message's `_meta` names (SEP-414) and is linked to the span of the HTTP
 * request.
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
  if (surface === "rest") return inSpan(name, run, { attributes });
  const options = { kind: SpanKind.SERVER, attributes };
  const named = propagation.extract(ROOT_CONTEXT, meta);
  if (!trace.getSpanContext(named)) return inSpan(name, run, options);
  const request = trace.getActiveSpan();
  const links = request?.isRecording() ? [{ context: request.spanContext() }] : [];
  return inSpan(name, run, { ...options, links }, named);
}

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

export function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
