import type { Metrics } from "./metrics.ts";

/** For processes that serve no `/metrics`: the Prometheus client takes 15 ms to load. */
export const noMetrics: Metrics = {
  callFinished() {},
  stageEnded() {},
  budgetExceeded() {},
  watchCallsInFlight() {},
  watchCatalog() {},
  watchDependencies() {},
  catalogReloaded() {},
  events: () => ({ attempted() {}, measured() {} }),
  render: async () => ({ contentType: "text/plain", text: "" }),
};
