import type { Log } from "./log.ts";

/** W3C Trace Context as headers or `_meta` carry it; from a caller, nothing in it has been verified. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

interface SpanOptions {
  readonly name: string;
  /** A `server` span begins a trace where it continues none; the others exist only within a span. */
  readonly kind: "server" | "client" | "internal";
  /** What it continues. Default: the span in which the task runs. */
  readonly parent?: TraceContext | undefined;
  /** Another trace that it belongs to. */
  readonly link?: TraceContext | undefined;
  /** Nothing that a caller chose: no addresses, names, tokens or paths with parameters. */
  readonly attributes?: Attributes;
}

export interface Span {
  /** For whoever continues it; `undefined` where there is none. */
  readonly trace: TraceContext | undefined;
  rename(name: string): void;
  describe(attributes: Attributes): void;
  /** Marks it as failed; so does a task that throws or rejects. */
  fail(type: string): void;
}

export interface Tracing {
  /** Runs a task as a span, which ends when a promise that it returns has settled. */
  span<A>(options: SpanOptions, task: (span: Span) => A): A;
  /** Sends what has not been sent, within 2 s. */
  close(): Promise<void>;
}

/**
 * Tracing by the standard variables of OpenTelemetry; `undefined`, and nothing of it loaded, unless an OTLP endpoint is
 * set.
 */
export async function openTracing(env: NodeJS.ProcessEnv, log: Log): Promise<Tracing | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none")
    return undefined;
  const { createOpenTelemetry } = await import("./open-telemetry.ts");
  return createOpenTelemetry(log);
}

/** What a request or a message says it continues. */
export function traceOf(carrier: Readonly<Record<string, unknown>> | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = carrier ?? {};
  if (typeof traceparent !== "string") return undefined;
  return { traceparent, tracestate: typeof tracestate === "string" ? tracestate : undefined };
}
