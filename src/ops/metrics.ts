import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

export interface Metrics {
  /** Counts a finished call; `code` is "OK" or the error code. */
  callFinished(operation: string, code: string, seconds: number): void;
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
  return {
    callFinished(operation, code, seconds) {
      calls.inc({ operation, code });
      duration.observe({ operation }, seconds);
    },
    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
