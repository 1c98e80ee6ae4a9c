import type { Log } from "./log.ts";

type Spans = ReturnType<typeof import("./open-telemetry.ts")["startOpenTelemetry"]>["spans"];

/** Without an OTLP endpoint a call creates nothing for spans. */
export let spans: Spans = {
  inSpan: (_name, task) => task(),
  inCallSpan: (_name, _call, task) => task(),
  activeTraceId: () => undefined,
};

/**
 * Tracing by the standard variables of OpenTelemetry. Unless they set an OTLP endpoint, none of it is loaded. Returns
 * what sends the rest at the end, within 2 s.
 */
export async function startTracing(env: NodeJS.ProcessEnv, log: Log): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none")
    return async () => {};
  const { startOpenTelemetry } = await import("./open-telemetry.ts");
  const started = startOpenTelemetry(log);
  spans = started.spans;
  return started.stop;
}

/** The parts of a call whose time is measured. */
export const STAGES = ["authentication", "places", "routing", "pricing", "store"] as const;
export type Stage = (typeof STAGES)[number];

/** Runs a part of a call, and returns what `task` returns or throws. */
export type ObserveStage = <A>(stage: Stage, task: () => A) => A;

/** Runs each stage as a span, and reports its time, whether it succeeds or fails. */
export function createStages(onEnded: (stage: Stage, milliseconds: number) => void = () => {}): ObserveStage {
  return (stage, task) =>
    spans.inSpan(stage, () => {
      const started = performance.now();
      return untilSettled(task, () => onEnded(stage, performance.now() - started));
    });
}

/** Runs a task; `ended` is called when it, or a promise that it returns, has ended. */
export function untilSettled<A>(task: () => A, ended: (error?: unknown) => void): A {
  let result: A;
  try {
    result = task();
  } catch (error) {
    ended(error);
    throw error;
  }
  if (result instanceof Promise) result.then(() => ended(), ended);
  else ended();
  return result;
}
