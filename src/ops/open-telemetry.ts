import { setTimeout as pause } from "node:timers/promises";
import { context, DiagLogLevel, diag, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
} from "@opentelemetry/sdk-trace-base";
import { createLatch, type Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";

const FLUSH_MILLISECONDS = 2_000;
const TRACES_PER_SECOND = 20;

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read. Where they set no sampler, at most 20 traces begin in a second. Returns a
 * function that sends the remaining spans and stops.
 */
export function startOpenTelemetry(env: NodeJS.ProcessEnv, log: Log): () => Promise<void> {
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
    ...(!env.OTEL_TRACES_SAMPLER && { sampler: createRateLimitedSampler(TRACES_PER_SECOND) }),
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const timeLimit = pause(FLUSH_MILLISECONDS, undefined, { ref: false });
    await Promise.race([provider.shutdown().catch(ignore), timeLimit]);
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

/**
 * Records at most `limit` traces that begin in a second. Only server spans begin a trace here; every other span follows
 * its parent. A trace that the caller does not record is not recorded here.
 */
function createRateLimitedSampler(limit: number): Sampler {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  const root: Sampler = {
    shouldSample(_within, _traceId, _name, kind, _attributes, links) {
      // A span with a link belongs to a request that was counted.
      const isRecorded = links.length > 0 || (kind === SpanKind.SERVER && isWithinLimit());
      return { decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `RateLimitedSampler{${limit}/s}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled: root });

  function isWithinLimit(): boolean {
    const at = performance.now();
    if (at - since >= 1_000) [since, count] = [at, 0];
    count += 1;
    return count <= limit;
  }
}
