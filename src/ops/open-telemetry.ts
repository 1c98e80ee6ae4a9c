import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createLatch, type Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";
import { untilSettled } from "./tracing.ts";

const FLUSH_MILLISECONDS = 2_000;

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read. `stop` sends the remaining spans.
 */
export function startOpenTelemetry(log: Log) {
  const ignore = () => {};
  const error = (reason: string) => log.warn({ reason: reason.slice(0, 500) }, "OpenTelemetry reports a mistake");
  diag.setLogger({ verbose: ignore, debug: ignore, info: ignore, warn: ignore, error }, DiagLogLevel.ERROR);
  // Failed exports are logged by the exporter below.
  setGlobalErrorHandler(ignore);
  const named = resourceFromAttributes({ "service.name": "transfer-quote-mcp", "service.version": packageVersion });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(loggedExporter(log))],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    spans: { inSpan, inCallSpan, activeTraceId },
    async stop(): Promise<void> {
      const timeLimit = pause(FLUSH_MILLISECONDS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(ignore), timeLimit]);
    },
  };
}

function loggedExporter(log: Log): OTLPTraceExporter {
  const latch = createLatch(log, "warn", "traces cannot be sent", "traces can be sent again");
  const exporter = new OTLPTraceExporter();
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) latch.worked();
      else latch.failed({ reason: result.error?.message.slice(0, 500) });
      done(result);
    });
  return exporter;
}

/** Of the spans. Attributes contain nothing that a caller chose: no addresses, names, tokens or paths with parameters. */
const tracer = trace.getTracer("transfer-quote-mcp", packageVersion);

/** Runs a stage of a call as a child span, which ends when the promise that the task returns has settled. */
function inSpan<A>(name: string, task: () => A): A {
  // The token of a message at /mcp is verified before there is a call.
  return trace.getActiveSpan() ? inNewSpan(name, SpanKind.INTERNAL, context.active(), task) : task();
}

function inNewSpan<A>(name: string, kind: SpanKind, parent: Context, task: (span: Span) => A): A {
  return tracer.startActiveSpan(name, { kind }, parent, (span) => {
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

/** A call of an operation, as its span describes it. */
interface TracedCall {
  readonly surface: string;
  readonly requestId: string;
  readonly traceContext?: object | undefined;
}

/** Runs a call as a span, which continues the caller's trace; `endOf` returns how it has ended. */
function inCallSpan<A>(
  name: string,
  { surface, requestId, traceContext = {} }: TracedCall,
  task: () => Promise<A>,
  endOf: (outcome: A) => { readonly code: string; readonly status: number },
): Promise<A> {
  const parent = propagation.extract(ROOT_CONTEXT, traceContext);
  return inNewSpan(name, SpanKind.SERVER, parent, async (span) => {
    span.setAttributes({ "transfer.operation": name, "transfer.surface": surface, "transfer.request_id": requestId });
    const outcome = await task();
    const { code, status } = endOf(outcome);
    span.setAttribute("transfer.code", code);
    if (status >= 500) failSpan(span, code);
    return outcome;
  });
}

/** The id of the current trace, for the log. */
function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
