import type { ObserveStage } from "../ops/stages.ts";
import type { TraceContext } from "../ops/tracing.ts";

/** The span that a call is, which is handed over beside it: another object of all its fields took 5 µs. */
export interface CallSpan {
  readonly trace: TraceContext | undefined;
  /** Reports the stages of the call. */
  readonly observe: ObserveStage;
}
