import { type Context, type Link, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { type Sampler, SamplingDecision, type SamplingResult } from "@opentelemetry/sdk-trace-base";

/**
 * Records at most `limit` traces that begin in a second. Only server spans begin a trace here; every other span follows
 * its parent. A trace that its caller does not record is not recorded here either.
 */
export function createRateLimitedSampler(limit: number, now = () => performance.now()): Sampler {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;

  return {
    shouldSample(context: Context, _traceId: string, _name: string, kind: SpanKind, _attributes, links: Link[]) {
      const parent = trace.getSpanContext(context);
      if (parent && (parent.traceFlags & TraceFlags.SAMPLED) === 0) return resultOf(false);
      // A span with a link belongs to a request that was counted.
      if ((parent && !parent.isRemote) || links.length > 0) return resultOf(true);
      return resultOf(kind === SpanKind.SERVER && isWithinLimit());
    },
    toString: () => `RateLimitedSampler{${limit}/s}`,
  };

  function isWithinLimit(): boolean {
    const at = now();
    if (at - since >= 1_000) [since, count] = [at, 0];
    count += 1;
    return count <= limit;
  }
}

function resultOf(isRecorded: boolean): SamplingResult {
  return { decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
}
