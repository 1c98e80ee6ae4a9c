import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { startProgram } from "./built-process.ts";
import { aFreePort } from "./machines.ts";
import type { Fields } from "./mcp-client.ts";
import { aFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

const PROMETHEUS = process.env.PROMETHEUS_PATH ?? "/usr/bin/prometheus";

/** Why tests that need Prometheus are skipped, or `false`. On CI they run, and fail where there is none. */
export const whyNoPrometheus =
  existsSync(PROMETHEUS) || process.env.CI === "true"
    ? false
    : `there is no Prometheus at ${PROMETHEUS}: install it, or name it in PROMETHEUS_PATH`;

/** A real Prometheus with these rules, which scrapes every second. `jobs` are addresses by name of the job. */
export async function aPrometheus(
  t: Pick<TestContext, "after">,
  jobs: Readonly<Record<string, string>>,
  rules: string,
) {
  const folder = aFolder(t);
  const config = join(folder, "prometheus.json");
  const scrape_configs = Object.entries(jobs).map(([job_name, url]) => ({
    job_name,
    static_configs: [{ targets: [new URL(url).host] }],
  }));
  const every = { scrape_interval: "1s", evaluation_interval: "1s" };
  // Every JSON text is valid YAML.
  writeFileSync(config, JSON.stringify({ global: every, rule_files: [rules], scrape_configs }));
  const address = `127.0.0.1:${await aFreePort()}`;
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, "data")}`];
  const { kill } = startProgram([PROMETHEUS, ...options, `--web.listen-address=${address}`]);
  t.after(() => kill());
  const get = async (path: string) => (await (await fetch(`http://${address}${path}`)).json()).data;
  await until(async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok === true, "Prometheus");
  return {
    async query(expression: string): Promise<readonly unknown[]> {
      return (await get(`/api/v1/query?query=${encodeURIComponent(expression)}`))?.result ?? [];
    },
    /** Health of the loaded alerts, with their names. */
    async alerts(): Promise<readonly { readonly name: string; readonly health: string }[]> {
      const { groups } = await get("/api/v1/rules?type=alert");
      return groups.flatMap(({ rules }: Fields) => rules);
    },
  };
}
