import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { cachedFor } from "./cached-for.ts";
import { createEventMetrics, type EventMetrics } from "./event-metrics.ts";
import { STAGES, type Stage } from "./stages.ts";

/** Why a call is rejected under overload: it would wait too long, or too many calls are in flight. */
const SHED_REASONS = ["delay", "calls"] as const;
export type ShedReason = (typeof SHED_REASONS)[number];
const SALE_STEPS = ["quote", "handoff", "opening"] as const;

/** What tells one catalog from another. */
export interface CatalogInUse {
  /** Of all files. */
  readonly version: string;
  /** As the operator named the prices. */
  readonly tariffVersion: string;
  readonly loadedAt: Date;
}

/** What is counted of a call: nothing that names a caller, and values of fixed sets only. */
export interface CallFacts {
  readonly surface: string;
  readonly operation?: string;
  readonly status: number;
  /** "OK" or the error code. */
  readonly code: string;
  readonly milliseconds: number;
  readonly shed?: ShedReason;
  /** Set where the event of the call could not be stored. */
  readonly unrecorded?: unknown;
}

/** A step on the way to a sale, and its amount. */
export interface Sale {
  readonly step: (typeof SALE_STEPS)[number];
  readonly chf: number;
}

export interface Metrics {
  /** Counts a finished call, or a request that was rejected before it became one. */
  callFinished(call: CallFacts, sale?: Sale): void;
  /** Counts a part of a call and the time it took. */
  stageEnded(stage: Stage, milliseconds: number): void;
  /** Counts a call that exceeded the budget of its tier. */
  budgetExceeded(tier: string): void;
  /** Sets where each rendering reads the number of calls in flight. */
  watchCallsInFlight(read: () => number): void;
  /** Sets where each rendering reads which catalog is in use. */
  watchCatalog(read: () => CatalogInUse): void;
  /** Sets how each rendering asks which dependencies work. */
  watchDependencies(read: () => Promise<readonly { readonly name: string; readonly ok: boolean }[]>): void;
  /** Counts a reload of the catalog; `rejected` where the old one stays in use. */
  catalogReloaded(outcome: "ok" | "rejected"): void;
  /** The metrics of events for the operator's own systems, which are only there once this has been called. */
  events(types: readonly string[]): EventMetrics;
  /** The Prometheus exposition and its content type; rendered at most once a second. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsOptions {
  /** The tiers of the budgets, so that each has a count from the start. */
  readonly tiers?: readonly string[];
  readonly registry?: Registry;
}

export function createMetrics({ tiers = [], registry = new Registry() }: MetricsOptions = {}): Metrics {
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: "transfer_calls_total",
    help: "Finished calls by operation, surface (rest, mcp) and outcome.",
    labelNames: ["operation", "surface", "code"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "transfer_call_duration_seconds",
    help: "Time from the start of a call in the pipeline to its outcome.",
    labelNames: ["operation"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  });
  const stages = new Histogram({
    name: "transfer_stage_duration_seconds",
    help: "Time of the parts of calls: authentication, places, routing, pricing, store; failed ones included.",
    labelNames: ["stage"],
    buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  });
  const rejected = new Counter({
    name: "transfer_rejected_requests_total",
    help: "Requests rejected before they became a call, by surface (rest, mcp, http), status and code; not those of transfer_shed_total.",
    labelNames: ["surface", "status", "code"],
    registers: [registry],
  });
  const sales = new Counter({
    name: "transfer_sales_total",
    help: "Quotes, handoffs, and openings of checkout links; replayed answers are not counted again.",
    labelNames: ["step"],
    registers: [registry],
  });
  const amounts = new Counter({
    name: "transfer_sales_chf_total",
    help: "Sum of the totals in CHF: of a quote the lowest option's, of handoffs and openings the chosen option's.",
    labelNames: ["step"],
    registers: [registry],
  });
  const exceeded = new Counter({
    name: "transfer_budget_exceeded_total",
    help: "Calls refused because the budget of their tier was exceeded.",
    labelNames: ["tier"],
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
  const lastReload = new Gauge({
    name: "transfer_catalog_last_reload_successful",
    help: "0 from a rejected reload of the catalog until one succeeds, 1 otherwise.",
    registers: [registry],
  });
  lastReload.set(1);
  for (const stage of STAGES) stages.zero({ stage });
  const unrecordedOpenings = new Counter({
    name: "transfer_unrecorded_openings_total",
    help: "Openings of checkout links that were answered but could not be stored for the ledger.",
    registers: [registry],
  });
  // A count that begins at 1 is no increase for Prometheus.
  for (const tier of tiers) exceeded.inc({ tier }, 0);
  rejected.inc({ surface: "mcp", status: 401, code: "AUTHENTICATION_REQUIRED" }, 0);
  for (const outcome of ["ok", "rejected"]) reloads.inc({ outcome }, 0);
  for (const step of SALE_STEPS) {
    sales.inc({ step }, 0);
    amounts.inc({ step }, 0);
  }
  for (const reason of SHED_REASONS) shed.inc({ reason }, 0);
  return {
    callFinished({ operation, surface, status, code, milliseconds, shed: reason, unrecorded }, sale) {
      if (reason) return shed.inc({ reason });
      if (operation === undefined) return rejected.inc({ surface, status, code });
      calls.inc({ operation, surface, code });
      duration.observe({ operation }, milliseconds / 1000);
      if (unrecorded !== undefined) unrecordedOpenings.inc();
      if (!sale) return;
      sales.inc({ step: sale.step });
      amounts.inc({ step: sale.step }, sale.chf);
    },
    stageEnded(stage, milliseconds) {
      stages.observe({ stage }, milliseconds / 1000);
    },
    budgetExceeded(tier) {
      exceeded.inc({ tier });
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
      new Gauge({
        name: "transfer_catalog_loaded_timestamp_seconds",
        help: "When the catalog in use was loaded, in seconds since 1970.",
        registers: [registry],
        collect() {
          this.set(read().loadedAt.getTime() / 1000);
        },
      });
    },
    watchDependencies(read) {
      new Gauge({
        name: "transfer_dependency_up",
        help: "1 for a dependency that works, 0 for one that fails, as in /readyz.",
        labelNames: ["dependency"],
        registers: [registry],
        async collect() {
          for (const { name, ok } of await read()) this.set({ dependency: name }, ok ? 1 : 0);
        },
      });
    },
    catalogReloaded(outcome) {
      reloads.inc({ outcome });
      lastReload.set(outcome === "ok" ? 1 : 0);
    },
    events: (types) => createEventMetrics(registry, types),
    render: cachedFor(1_000, async () => ({ contentType: registry.contentType, text: await registry.metrics() })),
  };
}
