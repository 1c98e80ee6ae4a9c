import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { type BuiltServer, startBuiltServer, startProgram } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aFakeEngine, json } from "../support/fake-engine.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { aFreePort, machines, sell } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aDatabase, withRedis } from "../support/redis.ts";
import { request } from "../support/service.ts";

const PROMETHEUS = process.env.PROMETHEUS_PATH ?? "/usr/bin/prometheus";

/** Why tests that need Prometheus are skipped, or `false`. On CI they run, and fail where there is none. */
const whyNoPrometheus =
  existsSync(PROMETHEUS) || process.env.CI === "true"
    ? false
    : `there is no Prometheus at ${PROMETHEUS}: install it, or name it in PROMETHEUS_PATH`;

/** A real Prometheus with these rules, which scrapes every second. `jobs` are addresses by name of the job. */
async function aPrometheus(t: Pick<TestContext, "after">, jobs: Readonly<Record<string, string>>, rules: string) {
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

const FOLDER = join(packageRoot, "docs/operations");
const RULES = join(FOLDER, "prometheus-rules.yml");
const RULES_TEXT = readFileSync(RULES, "utf8");
const WAITS = { timeout: 120_000, skip: whyNoPrometheus };
const API = "/api/public/v1";

const dashboard: Fields = JSON.parse(readFileSync(join(FOLDER, "grafana-dashboard.json"), "utf8"));
const panels: readonly Fields[] = dashboard.panels.filter(({ type }: Fields) => type !== "row");
/** As Grafana asks them, for one job. */
const panelQueries = (job: string) =>
  panels.flatMap(({ targets }) =>
    targets.map(({ expr }: Fields) => expr.replaceAll("$job", job).replaceAll("$__rate_interval", "1m")),
  ) as readonly string[];

/** Each has a severity, and advice. */
const ALERT =
  /- alert: (\w+)\n +expr: (?:>-\n)?(.*?)\n +(?:for|labels):.*?severity: \w+.*?summary: .*?action: [^\n]+/gs;
/** Name and expression with folded lines joined of each alert. */
const alerts = [...RULES_TEXT.matchAll(ALERT)].map(([, name = "", expression = ""]) => ({
  ...{ name, expression: expression.replace(/\s+/g, " ").trim() },
}));

/** What an alert compares with its threshold. */
function comparedQuery({ name, expression }: (typeof alerts)[number]): string {
  const [, query] = /^(.+) (?:[<>]=?|[!=]=) [\d.]+$/.exec(expression) ?? [];
  assert.ok(query, `${name} must be a query, a comparison and a number: ${expression}`);
  return query;
}

/** Calls of every kind, as callers make them in a day. */
async function use(server: BuiltServer, token: string): Promise<void> {
  const { publicUrl, child } = server;
  const send = async (path: string, options: Fields = {}) => (await request(`${publicUrl}${path}`, options)).body;
  const api = (path: string, options?: Fields) => send(`${API}${path}`, { token, ...options });
  const { quote_id } = (await sell({ ...server, token })).quote;
  await api(`/quotes/${quote_id}`);
  await api("/quotes", { body: aRealJourney({ destination: "nowhere that anybody knows" }) });
  for (let n = 0; n < 3; n += 1) await api("/routes/zurich-airport-to-zermatt");
  await send("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_vehicle_classes" } };
  await send("/mcp", { token, body: call, headers: { Accept: "application/json, text/event-stream" } });
  child.kill("SIGHUP");
}

/** Beyond the longest wait of a rule. */
const LAST_MINUTE = 60;

const dependency = (name: string) => `transfer_dependency_up{instance="a",dependency="${name}"}`;
const slow = (le: string) => `transfer_call_duration_seconds_bucket{operation="create_transfer_quote",le="${le}"}`;

/** How an alert is tested: samples of each minute in the notation of promtool, where `@` is the value that decides. */
type AlertCase = readonly [
  alert: string,
  series: Readonly<Record<string, string>>,
  /** The least that makes it fire, and the neighboring value that does not. */
  fires: string,
  silent: string,
  /** When it fires with the first, and a minute earlier it does not. */
  minute: number,
];

/** One for every alert of `docs/operations/prometheus-rules.yml`. Counters rise by so much a minute. */
// biome-ignore format: a table reads by its columns
const alertCases: readonly AlertCase[] = [
  ["TransferServerDown", { 'up{job="transfer-quote",instance="a"}': "1x9 @x60" }, "0", "1", 12],
  ["TransferStoreDown", { [dependency("quotes")]: "1x9 @x60", [dependency("geocoder")]: "1x70" }, "0", "1", 11],
  ["TransferDependencyDown", { [dependency("geocoder")]: "1x9 @x60", [dependency("quotes")]: "1x70" }, "0", "1", 15],
  ["TransferErrors", { 'transfer_calls_total{code="OK"}': "0+1000x70", 'transfer_calls_total{code="ROUTE_UNAVAILABLE"}': "0+@x70", 'transfer_calls_total{code="VALIDATION_ERROR"}': "0+0x70" }, "21", "20", 6],
  ["TransferQuotesSlow", { [slow("1")]: "0+@x70", [slow("3")]: "0+1000x70", [slow("+Inf")]: "0+1000x70" }, "949", "950", 11],
  ["TransferLoadShed", { 'transfer_shed_total{instance="a",reason="delay"}': "0+@x70" }, "7", "6", 10],
  ["TransferEventLoopDelay", { 'nodejs_eventloop_lag_p99_seconds{job="transfer-quote",instance="a"}': "0x9 @x60" }, "0.21", "0.2", 20],
  ["TransferBudgetRefusals", { 'transfer_budget_exceeded_total{tier="routing"}': "0+@x70" }, "61", "60", 20],
  ["TransferUnauthorizedAtMcp", { 'transfer_rejected_requests_total{surface="mcp",status="401"}': "0+@x70", 'transfer_rejected_requests_total{surface="http",status="401"}': "0+1000x70" }, "61", "60", 30],
  ["TransferCatalogReloadRejected", { 'transfer_catalog_last_reload_successful{instance="a"}': "1x9 @x60" }, "0", "1", 11],
  ["TransferCatalogsDiffer", { 'transfer_catalog_info{instance="a",version="1"}': "1x70", 'transfer_catalog_info{instance="b",version="2"}': "_x9 @x60" }, "1", "_", 24],
  ["TransferOpeningsNotRecorded", { transfer_unrecorded_openings_total: "0x9 @x60" }, "1", "0", 10],
  ["TransferOutboxOld", { transfer_outbox_oldest_seconds: "0x9 @x60" }, "901", "900", 15],
  ["TransferOutboxLong", { transfer_outbox_events: "0x9 @x60" }, "1001", "1000", 20],
  ["TransferEventsSetAside", { transfer_outbox_set_aside_events: "0x9 @x60" }, "1", "0", 10],
];

suite("docs/operations", () => {
  test("has alerts that fire at their thresholds, and not at the neighboring values", {
    skip: whyNoPrometheus,
  }, (t) => {
    assert.deepEqual(alertCases.map(([alert]) => alert).sort(), alerts.map(({ name }) => name).sort());
    const tests = alertCases.flatMap(([alert, series, fires, silent, minute]) => {
      const at = (time: number, isFiring: boolean) => ({
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: `${time}m`,
        exp_samples: [{ labels: "{}", value: Number(isFiring) }],
      });
      const checked = (value: string, promql_expr_test: readonly object[]) => ({
        interval: "1m",
        input_series: Object.entries(series).map(([name, values]) => ({
          series: name,
          values: values.replace("@", value),
        })),
        promql_expr_test,
      });
      return [checked(fires, [at(minute - 1, false), at(minute, true)]), checked(silent, [at(LAST_MINUTE, false)])];
    });
    const file = join(aFolder(t), "tests.json");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  });

  test("has a dashboard that asks for metrics of the service only, panel by panel", () => {
    assert.ok(panels.length >= 20);
    const ids = dashboard.panels.map(({ id }: Fields) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { title, targets, datasource, gridPos } of panels) {
      assert.ok(title && targets.length > 0 && gridPos.x + gridPos.w <= 24, title);
      assert.equal(datasource.uid, "$" + "{datasource}", title);
      for (const { expr } of targets) assert.ok(expr.includes('job="$job"'), expr);
    }
  });

  test("has metrics.md that names every metric of the dashboard and of the alerts", () => {
    const page = readFileSync(join(FOLDER, "metrics.md"), "utf8");
    const expressions = [...panelQueries("x"), ...alerts.map(({ expression }) => expression)].join(" ");
    const names = new Set(
      expressions.match(/\btransfer_\w+(?=[{)[])/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, "")),
    );
    for (const name of names) assert.ok(page.includes(`| \`${name}\` |`), name);
  });
});

await withPostgres("queries on both stores", () =>
  withRedis("queries on both stores", () => {
    test("every query of dashboard and alerts finds data after a scripted load, on both stores", WAITS, async (t) => {
      const catalogDir = aCatalogWithBudgets(t, { routing: { points: 1, seconds: 3600 } });
      const [databaseUrl, redisUrl] = [await aSchema(t), await aDatabase(t)];
      const shared = await machines(t, { databaseUrl, redisUrl, catalogDir });
      const receiver = await aFakeEngine(t, json({}));
      const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
      const events = { TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: secret };
      const [embedded, withDatabase] = await Promise.all([
        startBuiltServer(t, { TRANSFER_CATALOG_DIR: catalogDir, ...events }),
        shared.start(events),
      ]);
      // The names of jobs; the alerts ask for the first.
      const jobs = { "transfer-quote": withDatabase.publicUrl, embedded: embedded.publicUrl };
      const prometheus = await aPrometheus(t, jobs, RULES);
      const queries = [...Object.keys(jobs).flatMap(panelQueries), ...alerts.map(comparedQuery)];
      const finds = async (query: string) => (await prometheus.query(query)).length > 0;
      await until(() => finds('transfer_catalog_info{job="embedded"}'), "the first scrape");
      await Promise.all([use(embedded, embedded.token), use(withDatabase, await shared.token())]);

      let empty: readonly string[] = queries;
      const ask = async () => {
        const found = await Promise.all(empty.map(finds));
        empty = empty.filter((_query, index) => !found[index]);
        return empty.length === 0;
      };
      await until(ask, "data for every query").catch(() => {});
      assert.deepEqual(empty, []);
      const loaded = await prometheus.alerts();
      assert.deepEqual(loaded.map(({ name }) => name).sort(), alerts.map(({ name }) => name).sort());
      await until(async () => (await prometheus.alerts()).every(({ health }) => health === "ok"), "healthy rules");
    });
  }),
);
