import type { Log } from "./log.ts";

/** W3C Trace Context as headers or `_meta` carry it; from a caller, nothing in it has been verified. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Where a request keeps its span: a symbol, which no header and no message can name. */
const SPAN = Symbol("span");

type Attributes = Readonly<Record<string, string | number | undefined>>;

interface SpanOptions {
  readonly name: string;
  /** A `server` span begins a trace where it continues none; an `internal` one is part of a span of this process. */
  readonly kind: "server" | "internal";
  readonly parent: TraceContext | undefined;
  /** Another trace that it belongs to. */
  readonly link?: TraceContext | undefined;
  /** Nothing that a caller chose: no addresses, names, tokens or paths with parameters. */
  readonly attributes?: Attributes;
}

/** For whoever continues it, a trace too; without a `traceparent` where it is not recorded and no caller named one. */
export interface Span extends TraceContext {
  /** Whether it is sent: sampling leaves traces out. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  describe(attributes: Attributes): void;
  /** Marks it as failed; so does a task that throws or rejects. */
  fail(type: string): void;
  /** Runs a task as a part of this span. */
  part<A>(name: string, task: () => A): A;
}

/** Runs a request to another service as a span of the part in which it is sent, wherever that is known. */
export type TraceRequest = <A>(options: Pick<SpanOptions, "name" | "attributes">, task: (span: Span) => A) => A;

export interface Tracing {
  /** Runs a task as a span, which ends when a promise that it returns has settled. */
  span<A>(options: SpanOptions, task: (span: Span) => A): A;
  /** For clients of other services. */
  readonly request: TraceRequest;
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
  return createOpenTelemetry(env, log);
}

type Carrier = Readonly<Record<string, unknown>> & { readonly [SPAN]?: Span };

/** What a request or a message says it continues, or the span that it is. */
export function traceOf(carrier: Carrier | undefined): TraceContext | undefined {
  if (!carrier) return undefined;
  if (carrier[SPAN]) return carrier[SPAN];
  const { traceparent, tracestate } = carrier;
  if (typeof traceparent !== "string") return undefined;
  return { traceparent, tracestate: typeof tracestate === "string" ? tracestate : undefined };
}

/** Has calls of a request continue its span. */
export function keepSpan(headers: object, span: Span): void {
  (headers as { [SPAN]?: Span })[SPAN] = span;
}
