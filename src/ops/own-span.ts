import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  defaultTextMapSetter,
  type Span as OtelSpan,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Attributes, Span, TraceContext } from "./tracing.ts";

const propagator = new W3CTraceContextPropagator();

export interface SpanParts {
  readonly tracer: Tracer;
  /** Only where there are requests to carry to: on Node 20 it takes part in every promise of the process. */
  present: AsyncLocalStorage<OwnSpan> | undefined;
}

/** A span of this process. One that sampling leaves out has no `recorded`, and its context is what the caller named. */
export class OwnSpan implements Span {
  readonly within: Context;
  readonly recorded: OtelSpan | undefined;
  readonly #parts: SpanParts;

  constructor(parts: SpanParts, within: Context, recorded?: OtelSpan) {
    this.#parts = parts;
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
    const { tracer, present } = this.#parts;
    if (!this.recorded) return present ? present.run(this, task) : task();
    const begun = tracer.startSpan(name, {}, this.within);
    if (!present) return untilSettled(begun, task);
    const part = new OwnSpan(this.#parts, trace.setSpan(this.within, begun), begun);
    return untilSettled(begun, () => present.run(part, task));
  }

  /** Only when asked for: log lines and engines do, of few spans. */
  #written(): TraceContext {
    const carrier: TraceContext = {};
    propagator.inject(this.within, carrier, defaultTextMapSetter);
    return carrier;
  }
}

/** Without the error's message, which may quote the caller. */
function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs a task; the span ends with it, or when a promise that it returns has settled. */
export function untilSettled<A>(span: OtelSpan, task: () => A): A {
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
