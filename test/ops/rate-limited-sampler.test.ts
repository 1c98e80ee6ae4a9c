import assert from "node:assert/strict";
import { test } from "node:test";
import { type Link, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-base";
import { createRateLimitedSampler } from "../../src/ops/rate-limited-sampler.ts";

const SPAN: SpanContext = { traceId: "a1".repeat(16), spanId: "b2".repeat(8), traceFlags: 1 };

function aSampler(limit: number) {
  const time = { ms: 0 };
  const sampler = createRateLimitedSampler(limit, () => time.ms);
  const isRecorded = (kind: SpanKind, parent?: SpanContext, links: Link[] = []) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const { decision } = sampler.shouldSample(context, SPAN.traceId, "span", kind, {}, links);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  return { time, isRecorded };
}

test("begins as many traces in a second as the limit allows", () => {
  const { time, isRecorded } = aSampler(2);
  const begun = () => [1, 2, 3].map(() => isRecorded(SpanKind.SERVER));
  assert.deepEqual(begun(), [true, true, false]);
  time.ms = 999;
  assert.deepEqual(begun(), [false, false, false]);
  time.ms = 1_000;
  assert.deepEqual(begun(), [true, true, false]);
});

test("counts a trace that a caller records", () => {
  const { isRecorded } = aSampler(1);
  const caller = { ...SPAN, isRemote: true };
  assert.deepEqual([isRecorded(SpanKind.SERVER, caller), isRecorded(SpanKind.SERVER, caller)], [true, false]);
});

test("records spans within a recorded trace of this process, whatever was counted", () => {
  const { isRecorded } = aSampler(0);
  assert.equal(isRecorded(SpanKind.INTERNAL, SPAN), true);
  assert.equal(isRecorded(SpanKind.SERVER, { ...SPAN, isRemote: true }, [{ context: SPAN }]), true);
});

test("records nothing of a trace that its caller leaves out, and begins none with other spans", () => {
  const { isRecorded } = aSampler(10);
  assert.equal(isRecorded(SpanKind.SERVER, { ...SPAN, isRemote: true, traceFlags: 0 }), false);
  assert.equal(isRecorded(SpanKind.INTERNAL), false);
  assert.equal(isRecorded(SpanKind.CLIENT), false);
});
