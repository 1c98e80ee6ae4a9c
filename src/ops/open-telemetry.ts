import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";
import { OWN, type Span, type TraceContext, type Tracing } from "./tracing.ts";

const NAME = "transfer-quote-mcp";
const FLUSH_MILLISECONDS = 2_000;
const WARNED_MILLISECONDS = 60_000;
const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL };

interface OwnSpan extends Span {
  trace: TraceContext | undefined;
  readonly within: Context;
}

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read.
 */
export function createOpenTelemetry(log: Log): Tracing {
  diag.setLogger(warnings(log), DiagLogLevel.ERROR);
  const named = resourceFromAttributes({ "service.name": NAME, "service.version": packageVersion });
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer(NAME, packageVersion);
  const propagator = new W3CTraceContextPropagator();
  /** Only where there are requests to carry to: on Node 20 it takes part in every promise of the process. */
  let present: AsyncLocalStorage<Context> | undefined;

  return {
    span({ name, kind, parent, link, attributes = {} }, task) {
      const own = parent?.[OWN] as OwnSpan | undefined;
      if (kind === "internal" && own && !own.isRecorded) return task(own);
      const around = contextOf(parent) ?? ROOT_CONTEXT;
      if (kind === "internal" && !isRecorded(around)) return task(spanOf(undefined, around));
      const linked = trace.getSpanContext(contextOf(link) ?? ROOT_CONTEXT);
      const links = linked ? [{ context: linked }] : [];
      const begun = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes }, links }, around);
      const within = trace.setSpan(around, begun);
      if (!begun.isRecording()) return task(spanOf(undefined, within));
      return untilSettled(begun, () => task(spanOf(begun, within)));
    },
    requests() {
      present ??= new AsyncLocalStorage();
      const parts = present;
      return ({ name, attributes = {} }, task) => {
        const around = parts.getStore();
        if (!around) return task(spanOf(undefined, ROOT_CONTEXT));
        const begun = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...attributes } }, around);
        return untilSettled(begun, () => task(spanOf(begun, trace.setSpan(around, begun))));
      };
    },
    async close() {
      const patience = new AbortController();
      const limit = pause(FLUSH_MILLISECONDS, undefined, { signal: patience.signal, ref: false }).catch(() => {});
      await Promise.race([provider.shutdown().catch(() => {}), limit]);
      patience.abort();
    },
  };

  /** `undefined` also where what the caller sent is not valid. */
  function contextOf(carrier: TraceContext | undefined): Context | undefined {
    if (!carrier) return undefined;
    if (carrier[OWN]) return (carrier[OWN] as OwnSpan).within;
    const extracted = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
    return extracted === ROOT_CONTEXT ? undefined : extracted;
  }

  /** Without a span, where nothing of the trace is recorded or there is none. */
  function spanOf(span: OtelSpan | undefined, within: Context): OwnSpan {
    const carrier: { traceparent?: string; tracestate?: string } = {};
    propagator.inject(within, carrier, defaultTextMapSetter);
    const { traceparent, tracestate } = carrier;
    const own: OwnSpan = {
      within,
      isRecorded: span !== undefined,
      trace: undefined,
      rename: (name) => void span?.updateName(name),
      describe: (attributes) => void span?.setAttributes({ ...attributes }),
      fail: (type) => span && fail(span, type),
      part(name, task) {
        if (!span) return present ? present.run(within, task) : task();
        const begun = tracer.startSpan(name, {}, within);
        return untilSettled(begun, () => (present ? present.run(trace.setSpan(within, begun), task) : task()));
      },
    };
    if (traceparent !== undefined) own.trace = { traceparent, tracestate, [OWN]: own };
    return own;
  }
}

function isRecorded(context: Context): boolean {
  const { traceFlags = TraceFlags.NONE } = trace.getSpanContext(context) ?? {};
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Without the error's message, which may quote the caller. */
function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

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
