import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ShedReason } from "./overload.ts";

export interface Metrics {
  /** Counts a finished call; `code` is "OK" or the error code. */
  callFinished(operation: string, code: string, seconds: number): void;
  /** Counts a call that was refused at the door because of overload. */
  callShed(reason: ShedReason): void;
  /** Where to read, at each rendering, how many calls are under way. */
  watchCallsUnderWay(read: () => number): void;
  /** The Prometheus exposition and its content type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: "transfer_calls_total",
    help: "Finished calls by operation and outcome, over both surfaces.",
    labelNames: ["operation", "code"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "transfer_call_duration_seconds",
    help: "Time from a call's arrival at the engine to its outcome.",
    labelNames: ["operation"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  });
  const shed = new Counter({
    name: "transfer_shed_total",
    help: "Calls answered 503 at the door: they would have waited too long (delay), or too many were under way (calls).",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const reason of ["delay", "calls"] satisfies ShedReason[]) shed.inc({ reason }, 0);
  return {
    callFinished(operation, code, seconds) {
      calls.inc({ operation, code });
      duration.observe({ operation }, seconds);
    },
    callShed(reason) {
      shed.inc({ reason });
    },
    watchCallsUnderWay(read) {
      new Gauge({
        name: "transfer_calls_under_way",
        help: "Calls over HTTP that have been started and not yet answered.",
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
