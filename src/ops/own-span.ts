import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Attributes, Span, TraceContext } from "./tracing.ts";

const propagator = new W3CTraceContextPropagator();

/** What spans of a process share. */
export interface SpanSource {
  readonly tracer: Tracer;
  /** Only where there are requests to carry to: on Node 20 it takes part in every promise of the process. */
  active: AsyncLocalStorage<OwnSpan> | undefined;
}

/** A span of this process. One that sampling leaves out has no `recorded`, and its context is what the caller named. */
export class OwnSpan implements Span {
  readonly within: Context;
  readonly recorded: OtelSpan | undefined;
  readonly #source: SpanSource;

  constructor(source: SpanSource, within: Context, recorded?: OtelSpan) {
    this.#source = source;
    this.within = within;
    this.recorded = recorded;
  }

  get isRecorded() {
    return this.recorded !== undefined;
  }

  get traceparent() {
    return this.#written().traceparent;
  }

  get tracestate() {
    return this.#written().tracestate;
  }

  rename(name: string) {
    this.recorded?.updateName(name);
  }

  describe(attributes: Attributes) {
    this.recorded?.setAttributes(attributes);
  }

  fail(type: string) {
    if (this.recorded) fail(this.recorded, type);
  }

  part<A>(name: string, task: () => A): A {
    const { tracer, active } = this.#source;
    if (!this.recorded) return active ? active.run(this, task) : task();
    const begun = tracer.startSpan(name, {}, this.within);
    if (!active) return untilSettled(begun, task);
    return runAsSpan(this.#source, begun, this.within, (part) => active.run(part, task));
  }

  /** Only when asked for: log lines and engines do, of few spans. */
  #written(): TraceContext {
    const carrier: TraceContext = {};
    propagator.inject(this.within, carrier, defaultTextMapSetter);
    return carrier;
  }
}

/** What a caller named; the root where it named nothing, or nothing valid. */
export function contextOf(carrier: TraceContext | undefined): Context {
  return carrier ? propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter) : ROOT_CONTEXT;
}

/** Without the error's message, which may quote the caller. */
function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs a task as a span that has begun. */
export function runAsSpan<A>(source: SpanSource, begun: OtelSpan, around: Context, task: (span: OwnSpan) => A): A {
  return untilSettled(begun, () => task(new OwnSpan(source, trace.setSpan(around, begun), begun)));
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
