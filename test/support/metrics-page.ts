import { type Metric, Registry } from "prom-client";
import { createMetrics } from "../../src/ops/metrics.ts";

/** `docs/operations/metrics.md`: every metric of the service, as the registry has it. */
export function metricsPage(): string {
  const own = [...registered()].filter(({ name }) => name.startsWith("transfer_"));
  const rows = own.map(({ name, help, type, labels }) => {
    const listed = labels.map((label) => `\`${label}\``).join(", ") || "none";
    return `| \`${name}\` | ${type} | ${listed} | ${help} |`;
  });
  return `# Metrics

What \`/metrics\` renders in the format of Prometheus, at most once a second. Labels have values of fixed sets and name no
caller. A histogram has the series \`_bucket\`, \`_sum\` and \`_count\`. With \`TRANSFER_METRICS_TOKEN\` a scrape needs that bearer
token. \`npm run docs\` writes this page from the code.

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
${rows.join("\n")}

Besides there are the usual metrics of a Node.js process (\`process_*\`, \`nodejs_*\`), such as \`process_cpu_seconds_total\`,
\`process_resident_memory_bytes\` and the delay of the event loop, \`nodejs_eventloop_lag_p99_seconds\`.

## Questions and queries

| Question | Query |
| --- | --- |
| Requests without a valid token at \`/mcp\` | \`sum(rate(transfer_rejected_requests_total{surface="mcp",status="401"}[5m]))\` |
| The same over REST and stdio, by operation | \`sum by (operation) (rate(transfer_calls_total{code="AUTHENTICATION_REQUIRED"}[5m]))\` |
| Handoffs for each quote in a day | \`sum(increase(transfer_sales_total{step="handoff"}[1d])) / sum(increase(transfer_sales_total{step="quote"}[1d]))\` |
| Mean time in each stage | \`sum by (stage) (rate(transfer_stage_duration_seconds_sum[5m])) / sum by (stage) (rate(transfer_stage_duration_seconds_count[5m]))\` |
| Catalog in use, by process | \`transfer_catalog_info\` |
`;
}

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

function registered(): readonly Described[] {
  const registry = new Registry();
  const metrics = createMetrics([], registry);
  metrics.watchCallsInFlight(() => 0);
  metrics.watchCatalog(() => ({ version: "", tariffVersion: "", loadedAt: new Date(0) }));
  metrics.watchDependencies(async () => []);
  metrics.events([]);
  return registry.getMetricsAsArray().map((metric) => {
    // Known to the client, not to its types.
    const { labelNames } = metric as unknown as Metric & { labelNames: readonly string[] };
    return { name: metric.name, help: metric.help, type: String(metric.type), labels: labelNames };
  });
}
