import { Counter, Gauge, type Registry } from "prom-client";

const RESULTS = ["delivered", "failed", "set_aside"] as const;

/** Of the events for the operator's own systems. */
export interface EventMetrics {
  /** Counts an attempt by what came of it; `failed` is repeated. */
  attempted(type: string, result: (typeof RESULTS)[number]): void;
  measured(backlog: { readonly length: number; readonly oldestAt: string | null; readonly setAside: number }): void;
}

export function createEventMetrics(registry: Registry, types: readonly string[]): EventMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "transfer_event_deliveries_total",
    help: "Attempts to deliver an event by type and result: delivered, failed (and repeated), or set_aside (given up).",
    labelNames: ["type", "result"],
    registers,
  });
  for (const type of types) for (const result of RESULTS) attempts.inc({ type, result }, 0);
  const length = new Gauge({
    name: "transfer_outbox_events",
    help: "Events that have happened and are not delivered; of all processes on one database.",
    registers,
  });
  const setAside = new Gauge({
    name: "transfer_outbox_set_aside_events",
    help: "Events that this process has given up since its start; events resend sends them again.",
    registers,
  });
  let oldestAt: string | null = null;
  new Gauge({
    name: "transfer_outbox_oldest_seconds",
    help: "Age of the oldest event that is not delivered; 0 where there is none.",
    registers,
    collect() {
      this.set(oldestAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestAt)) / 1000);
    },
  });
  return {
    attempted(type, result) {
      attempts.inc({ type, result });
    },
    measured(backlog) {
      length.set(backlog.length);
      setAside.set(backlog.setAside);
      oldestAt = backlog.oldestAt;
    },
  };
}
