import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import type { Log } from "./log.ts";
import { contextOf, OwnSpan, runAsSpan, type SpanSource } from "./own-span.ts";
import { packageVersion } from "./package-root.ts";
import { countPerSecond } from "./per-second.ts";
import type { TraceContext, Tracing } from "./tracing.ts";

const NAME = "transfer-quote-mcp";
const FLUSH_MILLISECONDS = 2_000;
const WARNED_MILLISECONDS = 60_000;
const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL };

/** Recorded where no sampler is set: about 1 % of a processor, however many calls there are. */
const TRACES_PER_SECOND = 20;

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read; where they set no sampler, at most 20 traces are begun in a second.
 */
export function createOpenTelemetry(env: NodeJS.ProcessEnv, log: Log): Tracing {
  diag.setLogger(warnings(log), DiagLogLevel.ERROR);
  const named = resourceFromAttributes({ "service.name": NAME, "service.version": packageVersion });
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer(NAME, packageVersion);
  const ids = new RandomIdGenerator();
  const limit = env.OTEL_TRACES_SAMPLER ? undefined : countPerSecond(TRACES_PER_SECOND);
  const source: SpanSource = { tracer, active: undefined };
  /** Shared by all that is left out and names no trace. */
  const leftOut = new OwnSpan(source, ROOT_CONTEXT);

  return {
    span({ name, kind, parent, link, attributes = {} }, task) {
      const own = parent instanceof OwnSpan ? parent : undefined;
      if (own && !own.recorded) return task(own);
      const linked = link instanceof OwnSpan ? link.recorded?.spanContext() : undefined;
      // Its request was counted.
      const isCounted = own !== undefined || linked !== undefined;
      if (!isCounted && (kind === "internal" || limit?.isReached())) return task(leftOutOf(parent));
      const around = own?.within ?? contextOf(parent);
      const links = linked ? [{ context: linked }] : [];
      const begun = tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, around);
      if (!begun.isRecording()) return task(leftOutOf(parent));
      if (!isCounted) limit?.count();
      return runAsSpan(source, begun, around, task);
    },
    requests() {
      source.active ??= new AsyncLocalStorage();
      const { active } = source;
      return ({ name, attributes = {} }, task) => {
        const part = active.getStore();
        if (!part) return task(leftOut);
        if (!part.recorded) return task(unsampled(part.within));
        const begun = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, part.within);
        return runAsSpan(source, begun, part.within, task);
      };
    },
    async close() {
      const patience = new AbortController();
      const timeLimit = pause(FLUSH_MILLISECONDS, undefined, { signal: patience.signal, ref: false }).catch(() => {});
      await Promise.race([provider.shutdown().catch(() => {}), timeLimit]);
      patience.abort();
    },
  };

  function leftOutOf(carrier: TraceContext | undefined): OwnSpan {
    return carrier ? new OwnSpan(source, contextOf(carrier)) : leftOut;
  }

  /** Tells another service not to record it either. */
  function unsampled(around: Context): OwnSpan {
    const { generateTraceId, generateSpanId } = ids;
    const continued = { traceId: generateTraceId(), ...trace.getSpanContext(around) };
    const context = { ...continued, spanId: generateSpanId(), traceFlags: TraceFlags.NONE };
    return new OwnSpan(source, trace.setSpanContext(around, context));
  }
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
