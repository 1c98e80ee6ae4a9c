import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
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

/** Runs a stage of a call as a child span, which ends when the promise that the task returns has settled. */
export function inSpan<A>(name: string, task: () => A): A {
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
export function inCallSpan<A>(
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
export function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
