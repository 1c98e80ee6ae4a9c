import { setTimeout as pause } from "node:timers/promises";
import { context, DiagLogLevel, diag, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createLatch, type Log } from "./log.ts";
import { packageVersion } from "./package-root.ts";

const FLUSH_MILLISECONDS = 2_000;

/**
 * Spans over OTLP/HTTP (protobuf). Endpoint, headers, sampling, batches, limits and the resource are set by the standard
 * OTEL_* variables, which the packages read. Returns a function that sends the remaining spans and stops.
 */
export function startOpenTelemetry(log: Log): () => Promise<void> {
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
