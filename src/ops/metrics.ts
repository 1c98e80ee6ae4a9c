import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { cachedFor } from "./cached-for.ts";

/** Why a call is rejected under overload: it would wait too long, or too many calls are in flight. */
const SHED_REASONS = ["delay", "calls"] as const;
export type ShedReason = (typeof SHED_REASONS)[number];

/** What tells one catalog from another. */
export interface CatalogVersions {
  /** Of all files. */
  readonly version: string;
  /** As the operator named the prices. */
  readonly tariffVersion: string;
}

export interface Metrics {
  /** Counts a finished call; `code` is "OK" or the error code. */
  callFinished(operation: string, code: string, seconds: number): void;
  /** Counts a call that was rejected because of overload. */
  callShed(reason: ShedReason): void;
  /** Sets where each rendering reads the number of calls in flight. */
  watchCallsInFlight(read: () => number): void;
  /** Sets where each rendering reads which catalog is in use. */
  watchCatalog(read: () => CatalogVersions): void;
  /** Counts a reload of the catalog; `rejected` where the old one stays in use. */
  catalogReloaded(outcome: "ok" | "rejected"): void;
  /** The Prometheus exposition and its content type; rendered at most once a second. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: "transfer_calls_total",
    help: "Finished calls by operation and outcome, over REST and MCP.",
    labelNames: ["operation", "code"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "transfer_call_duration_seconds",
    help: "Time from the start of a call in the pipeline to its outcome.",
    labelNames: ["operation"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  });
  const shed = new Counter({
    name: "transfer_shed_total",
    help: "Calls rejected with 503: they would have waited too long (delay), or too many were in flight (calls).",
    labelNames: ["reason"],
    registers: [registry],
  });
  const reloads = new Counter({
    name: "transfer_catalog_reloads_total",
    help: "Reloads of the catalog by outcome: ok, or rejected, after which the old one stays in use.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["ok", "rejected"]) reloads.inc({ outcome }, 0);
  for (const reason of SHED_REASONS) shed.inc({ reason }, 0);
  return {
    callFinished(operation, code, seconds) {
      calls.inc({ operation, code });
      duration.observe({ operation }, seconds);
    },
    callShed(reason) {
      shed.inc({ reason });
    },
    watchCallsInFlight(read) {
      new Gauge({
        name: "transfer_calls_in_flight",
        help: "HTTP requests that have been started and not yet answered.",
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    watchCatalog(read) {
      new Gauge({
        name: "transfer_catalog_info",
        help: "1 for the catalog in use: version of its files, and of its tariff.",
        labelNames: ["version", "tariff_version"],
        registers: [registry],
        collect() {
          const { version, tariffVersion } = read();
          this.reset();
          this.set({ version, tariff_version: tariffVersion }, 1);
        },
      });
    },
    catalogReloaded(outcome) {
      reloads.inc({ outcome });
    },
    render: cachedFor(1_000, async () => ({ contentType: registry.contentType, text: await registry.metrics() })),
  };
}
