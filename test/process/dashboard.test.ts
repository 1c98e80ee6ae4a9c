import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { type BuiltServer, startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aFakeEngine, json } from "../support/fake-engine.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { machines } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aPrometheus, whyNoPrometheus } from "../support/prometheus.ts";
import { aDatabase, withRedis } from "../support/redis.ts";
import { request } from "../support/service.ts";
import { until } from "../support/until.ts";

const FOLDER = join(packageRoot, "docs/operations");
const RULES = join(FOLDER, "prometheus-rules.yml");
const WAITS = { timeout: 120_000, skip: whyNoPrometheus };
const API = "/api/public/v1";

const dashboard: Fields = JSON.parse(readFileSync(join(FOLDER, "grafana-dashboard.json"), "utf8"));
const panels: readonly Fields[] = dashboard.panels.filter(({ type }: Fields) => type !== "row");
/** As Grafana asks them, for one job. */
const panelQueries = (job: string) =>
  panels.flatMap(({ targets }) =>
    targets.map(({ expr }: Fields) => expr.replaceAll("$job", job).replaceAll("$__rate_interval", "1m")),
  ) as readonly string[];

/** Name and expression of each alert, with folded lines joined. */
const alerts = [
  ...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)\n +expr: (?:>-\n)?((?:.|\n)*?)\n +(?:for|labels):/g),
].map(([, name = "", expression = ""]) => ({ name, expression: expression.replace(/\s+/g, " ").trim() }));

/** What an alert compares with its threshold. */
function comparedQuery({ name, expression }: (typeof alerts)[number]): string {
  const [, query] = /^(.+) (?:[<>]=?|[!=]=) [\d.]+$/.exec(expression) ?? [];
  assert.ok(query, `${name} must be a query, a comparison and a number: ${expression}`);
  return query;
}

/** Calls of every kind, as callers make them in a day. */
async function use({ publicUrl, child }: BuiltServer, token: string): Promise<void> {
  const send = async (path: string, options: Fields = {}) => (await request(`${publicUrl}${path}`, options)).body;
  const api = (path: string, options?: Fields) => send(`${API}${path}`, { token, ...options });
  const { quote_id, options } = await api("/quotes", { body: aRealJourney() });
  const { fleet_id } = options.find(({ on_request }: Fields) => !on_request);
  const handoff = await api("/checkout-sessions", { body: { quote_id, fleet_id, traveler_approval: true } });
  const { searchParams } = new URL(handoff.checkout_url);
  await api(`/checkout-sessions/${quote_id}?fleet_id=${fleet_id}&sig=${searchParams.get("sig")}`);
  await api(`/quotes/${quote_id}`);
  await api("/quotes", { body: aRealJourney({ destination: "nowhere that anybody knows" }) });
  for (let n = 0; n < 3; n += 1) await api("/routes/zurich-airport-to-zermatt");
  await send("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_vehicle_classes" } };
  await send("/mcp", { token, body: call, headers: { Accept: "application/json, text/event-stream" } });
  child.kill("SIGHUP");
}

suite("docs/operations", () => {
  test("has rules that promtool accepts", { skip: whyNoPrometheus }, () => {
    const report = execFileSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
    assert.match(report, new RegExp(`SUCCESS: ${alerts.length} rules found`));
    assert.ok(alerts.length >= 15);
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
