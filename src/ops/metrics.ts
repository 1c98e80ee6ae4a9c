import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from "prom-client";
import { cachedFor } from "./cached-for.ts";
import { STAGES, type Stage } from "./tracing.ts";

/** Why a call is rejected under overload: it would wait too long, or too many calls are in flight. */
const SHED_REASONS = ["delay", "calls"] as const;
export type ShedReason = (typeof SHED_REASONS)[number];
const SALE_STEPS = ["quote", "request", "confirmation", "handoff", "opening"] as const;
const EVENT_RESULTS = ["delivered", "failed", "set_aside"] as const;

/** The catalog in use, as health checks and metrics show it. */
export interface CatalogInUse {
  /** Version of all files. */
  readonly version: string;
  /** Version of the tariff, which the operator sets. */
  readonly tariffVersion: string;
  readonly loadedAt: Date;
}

/** The facts of a call that are counted. They have fixed sets of values and do not identify callers. */
export interface CallFacts {
  readonly surface: string;
  readonly operation?: string;
  readonly status: number;
  /** "OK" or the error code. */
  readonly code: string;
  readonly milliseconds: number;
  readonly shed?: ShedReason;
  /** The tier of the budget that the call would have exceeded. */
  readonly exceeded?: string | undefined;
  /** Set where the event of the call could not be stored. */
  readonly unrecorded?: unknown;
}

/** A step on the way to a sale, and its amount. */
export interface Sale {
  readonly step: (typeof SALE_STEPS)[number];
  readonly chf: number;
}

/** Metrics of events for the operator's own systems. */
export type EventMetrics = ReturnType<Metrics["events"]>;

export type Metrics = ReturnType<typeof createMetrics>;

// biome-ignore format: a table reads by its columns
const COUNTERS = {
  calls: { name: "transfer_calls_total", labelNames: ["operation", "surface", "code"], help: "Finished calls by operation, surface (rest, mcp) and outcome." },
  rejected: { name: "transfer_rejected_requests_total", labelNames: ["surface", "status", "code"], help: "Requests rejected before they became a call, by surface (rest, mcp, http), status and code; not those of transfer_shed_total." },
  sales: { name: "transfer_sales_total", labelNames: ["step"], help: "Quotes, handoffs that the operator has to confirm (request), confirmations, handoffs, and openings of checkout links; replayed answers are not counted again." },
  amounts: { name: "transfer_sales_chf_total", labelNames: ["step"], help: "Sum of the totals in CHF: of a quote and its confirmation the lowest option's, of the others the chosen option's." },
  exceeded: { name: "transfer_budget_exceeded_total", labelNames: ["tier"], help: "Calls refused because the budget of their tier was exceeded." },
  shed: { name: "transfer_shed_total", labelNames: ["reason"], help: "Calls rejected with 503: they would have waited too long (delay), or too many were in flight (calls)." },
  reloads: { name: "transfer_catalog_reloads_total", labelNames: ["outcome"], help: "Reloads of the catalog by outcome: ok, or rejected, after which the old one stays in use." },
  unrecordedOpenings: { name: "transfer_unrecorded_openings_total", labelNames: [], help: "Openings of checkout links that were answered but could not be stored for the ledger." },
} satisfies Record<string, CounterConfiguration<string>>;

// biome-ignore format: a table reads by its columns
const HISTOGRAMS = {
  duration: { name: "transfer_call_duration_seconds", labelNames: ["operation"], buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3], help: "Time from the start of a call in the pipeline to its outcome." },
  stages: { name: "transfer_stage_duration_seconds", labelNames: ["stage"], buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3], help: "Time of the parts of calls: authentication, places, routing, pricing, store; failed ones included." },
} satisfies Record<string, HistogramConfiguration<string>>;

// biome-ignore format: a table reads by its columns
const GAUGES = {
  lastReload: { name: "transfer_catalog_last_reload_successful", labelNames: [], help: "0 from a rejected reload of the catalog, or a start for which the last good one was used, until a reload succeeds; 1 otherwise." },
  callsInFlight: { name: "transfer_calls_in_flight", labelNames: [], help: "HTTP requests that have been started and not yet answered." },
  catalog: { name: "transfer_catalog_info", labelNames: ["version", "tariff_version"], help: "1 for the catalog in use: version of its files, and of its tariff." },
  catalogLoaded: { name: "transfer_catalog_loaded_timestamp_seconds", labelNames: [], help: "When the catalog in use was loaded, in seconds since 1970." },
  calendarAge: { name: "transfer_calendar_age_seconds", labelNames: [], help: "Time since the calendar of taken vehicles was read; absent before the first time." },
  dependencies: { name: "transfer_dependency_up", labelNames: ["dependency"], help: "1 for a dependency that works, 0 for one that fails, as in /readyz." },
  events: { name: "transfer_outbox_events", labelNames: [], help: "Events that have happened and are not delivered; of all processes on one database." },
  setAside: { name: "transfer_outbox_set_aside_events", labelNames: [], help: "Events that this process has given up since its start; events resend sends them again." },
  oldestEvent: { name: "transfer_outbox_oldest_seconds", labelNames: [], help: "Age of the oldest event that is not delivered; 0 where there is none." },
} satisfies Record<string, GaugeConfiguration<string>>;

const DELIVERIES: CounterConfiguration<string> = {
  name: "transfer_event_deliveries_total",
  labelNames: ["type", "result"],
  help: "Attempts to deliver an event by type and result: delivered, failed (and repeated), or set_aside (given up).",
};

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

let processRegistry: Registry | undefined;

/** Memory, event loop and garbage collection; shared, because the package watches them until the process ends. */
function ofProcess(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  return processRegistry;
}

/** The metrics of Prometheus, rendered at most once a second. `tiers` are those of the budgets. */
export function createMetrics(tiers: readonly string[] = [], registry = new Registry()) {
  const shared = ofProcess();
  const registers = [registry];
  const counter = (configuration: CounterConfiguration<string>) => new Counter({ ...configuration, registers });
  /** Registers a gauge that is read whenever the metrics are rendered. */
  function watch(gauge: GaugeConfiguration<string>, read: () => readonly Sample[] | Promise<readonly Sample[]>): void {
    async function collect(this: Gauge) {
      this.reset();
      for (const [value, labels = {}] of await read()) this.set(labels, value);
    }
    new Gauge({ ...gauge, registers, collect });
  }
  const entries = Object.entries(COUNTERS).map(([name, configuration]) => [name, counter(configuration)]);
  const { calls, rejected, sales, amounts, exceeded, shed, reloads, unrecordedOpenings } = Object.fromEntries(
    entries,
  ) as Record<keyof typeof COUNTERS, Counter>;
  const duration = new Histogram({ ...HISTOGRAMS.duration, registers });
  const stages = new Histogram({ ...HISTOGRAMS.stages, registers });
  const lastReload = new Gauge({ ...GAUGES.lastReload, registers });

  // Counters start at 0, because Prometheus sees no increase where the first value is 1.
  lastReload.set(1);
  for (const stage of STAGES) stages.zero({ stage });
  for (const tier of tiers) exceeded.inc({ tier }, 0);
  rejected.inc({ surface: "mcp", status: 401, code: "AUTHENTICATION_REQUIRED" }, 0);
  for (const outcome of ["ok", "rejected"]) reloads.inc({ outcome }, 0);
  for (const step of SALE_STEPS) for (const each of [sales, amounts]) each.inc({ step }, 0);
  for (const reason of SHED_REASONS) shed.inc({ reason }, 0);

  return {
    /** Counts a finished call, or a request that was rejected before it became one. */
    callFinished(call: CallFacts, sale?: Sale) {
      const { operation, surface, status, code, milliseconds, shed: reason, exceeded: tier, unrecorded } = call;
      if (tier !== undefined) exceeded.inc({ tier });
      if (reason) return shed.inc({ reason });
      if (operation === undefined) return rejected.inc({ surface, status, code });
      calls.inc({ operation, surface, code });
      duration.observe({ operation }, milliseconds / 1000);
      if (unrecorded !== undefined) unrecordedOpenings.inc();
      if (sale) stepped(sale);
    },
    stepped,
    stageEnded: (stage: Stage, milliseconds: number) => stages.observe({ stage }, milliseconds / 1000),
    watchCallsInFlight: (read: () => number) => watch(GAUGES.callsInFlight, () => [[read()]]),
    watchCatalog(read: () => CatalogInUse) {
      watch(GAUGES.catalog, () => [[1, { version: read().version, tariff_version: read().tariffVersion }]]);
      watch(GAUGES.catalogLoaded, () => [[read().loadedAt.getTime() / 1000]]);
    },
    /** `read` returns infinity where the calendar has not been read. */
    watchCalendar: (read: () => number) => watch(GAUGES.calendarAge, () => (Number.isFinite(read()) ? [[read()]] : [])),
    watchDependencies(read: () => Promise<readonly { readonly name: string; readonly ok: boolean }[]>) {
      watch(GAUGES.dependencies, async () => (await read()).map(({ name, ok }) => [ok ? 1 : 0, { dependency: name }]));
    },
    /** Counts a reload of the catalog; `rejected` where the old one stays in use. */
    catalogReloaded(outcome: "ok" | "rejected") {
      reloads.inc({ outcome });
      lastReload.set(outcome === "ok" ? 1 : 0);
    },
    /** Registers and returns the metrics of events for the operator's own systems. */
    events(types: readonly string[]) {
      const attempts = counter(DELIVERIES);
      for (const type of types) for (const result of EVENT_RESULTS) attempts.inc({ type, result }, 0);
      let backlog: { length: number; oldestAt: string | null; setAside: number } = {
        length: 0,
        oldestAt: null,
        setAside: 0,
      };
      const oldest = () => (backlog.oldestAt === null ? Date.now() : Date.parse(backlog.oldestAt));
      watch(GAUGES.events, () => [[backlog.length]]);
      watch(GAUGES.setAside, () => [[backlog.setAside]]);
      watch(GAUGES.oldestEvent, () => [[Math.max(0, Date.now() - oldest()) / 1000]]);
      return {
        /** Counts an attempt by what came of it; `failed` is repeated. */
        attempted: (type: string, result: (typeof EVENT_RESULTS)[number]) => attempts.inc({ type, result }),
        measured(measured: typeof backlog): void {
          backlog = measured;
        },
      };
    },
    /** The Prometheus exposition and its content type. */
    render: cachedFor(1_000, async () => {
      const text = await Registry.merge([shared, registry]).metrics();
      return { contentType: registry.contentType, text };
    }),
  };

  /** Counts a step of a sale. */
  function stepped({ step, chf }: Sale): void {
    sales.inc({ step });
    amounts.inc({ step }, chf);
  }
}
