import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  INVALID_SPAN_CONTEXT,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";
import { createRateLimitedSampler } from "./rate-limited-sampler.ts";
import type { Span, TraceContext, Tracing } from "./tracing.ts";

const NAME = "transfer-quote-mcp";
const FLUSH_MILLISECONDS = 2_000;
const WARNED_MILLISECONDS = 60_000;
const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL };
const TRACES_PER_SECOND = 20;

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read; where they set no sampler, at most 20 traces are begun in a second.
 */
export function createOpenTelemetry(env: NodeJS.ProcessEnv, log: Log): Tracing {
  diag.setLogger(warnings(log), DiagLogLevel.ERROR);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const named = resourceFromAttributes({ "service.name": NAME, "service.version": packageVersion });
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    ...(!env.OTEL_TRACES_SAMPLER && { sampler: createRateLimitedSampler(TRACES_PER_SECOND) }),
  });
  const tracer = provider.getTracer(NAME, packageVersion);
  const propagator = new W3CTraceContextPropagator();

  return {
    span({ name, kind, parent, link, attributes = {} }, task) {
      const own = isOwn(parent) ? parent : undefined;
      if (own && !own.isRecorded) return task(own);
      const around = own?.context ?? contextOf(parent);
      const linked = isOwn(link) && link.isRecorded ? trace.getSpanContext(link.context) : undefined;
      const links = linked ? [{ context: linked }] : [];
      const begun = tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, around);
      const within = trace.setSpan(around, begun);
      // A span that is left out names the caller's trace, if any, in the log.
      return untilSettled(begun, () => task(spanOf(begun, within, begun.isRecording() ? within : around)));
    },
    request({ name, attributes = {} }, task) {
      // A probe is part of no call: it begins no trace.
      const begun = trace.getActiveSpan()
        ? tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
        : trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
      const within = trace.setSpan(context.active(), begun);
      return untilSettled(begun, () => task(spanOf(begun, within, within)));
    },
    async close() {
      const patience = new AbortController();
      const timeLimit = pause(FLUSH_MILLISECONDS, undefined, { signal: patience.signal, ref: false }).catch(() => {});
      await Promise.race([provider.shutdown().catch(() => {}), timeLimit]);
      patience.abort();
    },
  };

  /** What a caller named; the root where it named nothing, or nothing valid. */
  function contextOf(carrier: TraceContext | undefined): Context {
    return carrier ? propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter) : ROOT_CONTEXT;
  }

  function spanOf(span: OtelSpan, within: Context, named: Context): OwnSpan {
    const carrier: TraceContext = {};
    propagator.inject(named, carrier, defaultTextMapSetter);
    return {
      ...carrier,
      context: within,
      isRecorded: span.isRecording(),
      rename: (name) => void span.updateName(name),
      describe: (attributes) => void span.setAttributes(attributes),
      fail: (type) => fail(span, type),
      part(name, task) {
        const begun = tracer.startSpan(name, {}, within);
        return untilSettled(begun, () => context.with(trace.setSpan(within, begun), task));
      },
    };
  }
}

/** A span of this process, with the context that its parts continue. */
type OwnSpan = Span & { readonly context: Context };

function isOwn(carrier: TraceContext | undefined): carrier is OwnSpan {
  return carrier !== undefined && "context" in carrier;
}

/** Without the error's message, which may quote the caller. */
function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs a task; the span ends with it, or when a promise that it returns has settled. */
function untilSettled<A>(span: OtelSpan, task: () => A): A {
  const failed = (error: unknown) => {
    fail(span, error instanceof Error ? error.name : typeof error);
    span.end();
  };
  let result: A;
  try {
    result = task();
  } catch (error) {
    failed(error);
    throw error;
  }
  if (result instanceof Promise) result.then(() => span.end(), failed);
  else span.end();
  return result;
}

/** A collector that is down would make a line every few seconds. */
function warnings(log: Log) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const ignore = () => {};
  return {
    ...{ verbose: ignore, debug: ignore, info: ignore, warn: ignore },
    error(message: string) {
      const now = performance.now();
      if (now - warnedAt < WARNED_MILLISECONDS) return;
      warnedAt = now;
      log.warn({ reason: message.slice(0, 500) }, "traces cannot be sent");
    },
  };
}
