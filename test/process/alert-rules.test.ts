import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { whyNoPrometheus } from "../support/prometheus.ts";
import { aFolder } from "../support/temporary-folder.ts";

const RULES = join(packageRoot, "docs/operations/prometheus-rules.yml");
/** Beyond the longest wait of a rule. */
const LAST_MINUTE = 60;

const rules = readFileSync(RULES, "utf8");
/** Severity and advice by alert. */
const written = new Map(
  [...rules.matchAll(/- alert: (\w+)\n(?:.*\n)*?.*severity: (\w+)(?:.*\n)*?.*action: (.+)\n/g)].map(
    ([, alert = "", severity, action]) => [alert, { severity, action }],
  ),
);

/** How an alert is tested: samples of each minute in the notation of promtool, where `@` is the value that decides. */
interface AlertCase {
  readonly alert: string;
  /** What people read when it fires. */
  readonly summary: string;
  /** Of the alert, besides its severity. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly series: Readonly<Record<string, string>>;
  /** The least that makes it fire, and the neighboring value that does not. */
  readonly fires: string;
  readonly silent: string;
  /** When it fires with the first, and a minute earlier it does not. */
  readonly minute: number;
}

const INSTANCE = { instance: "a" };
const dependency = (name: string) => `transfer_dependency_up{instance="a",dependency="${name}"}`;
const slow = (le: string) => `transfer_call_duration_seconds_bucket{operation="create_transfer_quote",le="${le}"}`;

/** One for every alert of `docs/operations/prometheus-rules.yml`. Counters rise by so much a minute. */
// biome-ignore format: a table reads by its columns
const alertCases: readonly AlertCase[] = [
  { alert: "TransferServerDown", summary: "a does not answer Prometheus.",
    labels: { job: "transfer-quote", ...INSTANCE }, series: { 'up{job="transfer-quote",instance="a"}': "1x9 @x60" },
    ...{ fires: "0", silent: "1", minute: 12 } },
  { alert: "TransferStoreDown", summary: "a cannot store quotes, and /readyz answers 503.", labels: INSTANCE,
    series: { [dependency("quotes")]: "1x9 @x60", [dependency("geocoder")]: "1x70" },
    ...{ fires: "0", silent: "1", minute: 11 } },
  { alert: "TransferDependencyDown", summary: "geocoder fails for a.",
    labels: { ...INSTANCE, dependency: "geocoder" },
    series: { [dependency("geocoder")]: "1x9 @x60", [dependency("quotes")]: "1x70" },
    ...{ fires: "0", silent: "1", minute: 15 } },
  { alert: "TransferErrors", summary: "2.057% of the calls fail for reasons that are not the caller's.", series: {
    'transfer_calls_total{code="OK"}': "0+1000x70", 'transfer_calls_total{code="ROUTE_UNAVAILABLE"}': "0+@x70",
    'transfer_calls_total{code="VALIDATION_ERROR"}': "0+0x70" }, ...{ fires: "21", silent: "20", minute: 6 } },
  { alert: "TransferQuotesSlow", summary: "Five percent of the quotes take longer than 1.039s.",
    series: { [slow("1")]: "0+@x70", [slow("3")]: "0+1000x70", [slow("+Inf")]: "0+1000x70" },
    ...{ fires: "949", silent: "950", minute: 11 } },
  { alert: "TransferLoadShed", summary: "a is overloaded and rejects calls with 503.", labels: INSTANCE,
    series: { 'transfer_shed_total{instance="a",reason="delay"}': "0+@x70" },
    ...{ fires: "7", silent: "6", minute: 10 } },
  { alert: "TransferEventLoopDelay", summary: "The event loop of a is held up for 210ms.", labels: INSTANCE,
    series: { 'nodejs_eventloop_lag_p99_seconds{job="transfer-quote",instance="a"}': "0x9 @x60" },
    ...{ fires: "0.21", silent: "0.2", minute: 20 } },
  { alert: "TransferBudgetRefusals", summary: "The budget routing refuses 1.017 calls a second.",
    labels: { tier: "routing" }, series: { 'transfer_budget_exceeded_total{tier="routing"}': "0+@x70" },
    ...{ fires: "61", silent: "60", minute: 20 } },
  { alert: "TransferUnauthorizedAtMcp", summary: "1.017 requests a second at /mcp have no valid token.", series: {
    'transfer_rejected_requests_total{surface="mcp",status="401"}': "0+@x70",
    'transfer_rejected_requests_total{surface="http",status="401"}': "0+1000x70" },
    ...{ fires: "61", silent: "60", minute: 30 } },
  { alert: "TransferCatalogReloadRejected", summary: "a rejected the last reload: the old catalog stays in use.",
    labels: INSTANCE, series: { 'transfer_catalog_last_reload_successful{instance="a"}': "1x9 @x60" },
    ...{ fires: "0", silent: "1", minute: 11 } },
  { alert: "TransferCatalogsDiffer", summary: "Processes use 2 different catalogs.", series: {
    'transfer_catalog_info{instance="a",version="1"}': "1x70",
    'transfer_catalog_info{instance="b",version="2"}': "_x9 @x60" }, ...{ fires: "1", silent: "_", minute: 24 } },
  { alert: "TransferOpeningsNotRecorded", summary: "1 openings of checkout links are missing in the ledger.",
    series: { transfer_unrecorded_openings_total: "0x9 @x60" }, ...{ fires: "1", silent: "0", minute: 10 } },
  { alert: "TransferOutboxOld", summary: "The oldest event has waited for 15m 1s.",
    series: { transfer_outbox_oldest_seconds: "0x9 @x60" }, ...{ fires: "901", silent: "900", minute: 15 } },
  { alert: "TransferOutboxLong", summary: "1001 events wait for delivery.",
    series: { transfer_outbox_events: "0x9 @x60" }, ...{ fires: "1001", silent: "1000", minute: 20 } },
  { alert: "TransferEventsSetAside", summary: "1 events were given up after 24 hours.",
    series: { transfer_outbox_set_aside_events: "0x9 @x60" }, ...{ fires: "1", silent: "0", minute: 10 } },
];

suite("alert rules", () => {
  test("have a case each", () => {
    assert.deepEqual(alertCases.map(({ alert }) => alert).sort(), [...written.keys()].sort());
  });

  for (const alertCase of alertCases) {
    test(`${alertCase.alert} fires at ${alertCase.fires}, not at ${alertCase.silent}`, {
      skip: whyNoPrometheus,
    }, (t) => {
      const { alert, summary, fires, silent, minute, labels } = alertCase;
      const { severity, action } = written.get(alert) ?? {};
      const fired = [{ exp_labels: { severity, ...labels }, exp_annotations: { summary, action } }];
      const tests = [
        checked(alertCase, fires, [
          [minute - 1, []],
          [minute, fired],
        ]),
        checked(alertCase, silent, [[LAST_MINUTE, []]]),
      ];
      const file = join(aFolder(t), "tests.json");
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
      const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});

type Expected = readonly (readonly [minute: number, alerts: readonly unknown[]])[];

function checked({ alert, series }: AlertCase, value: string, expected: Expected) {
  return {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({
      series: name,
      values: values.replace("@", value),
    })),
    alert_rule_test: expected.map(([minute, exp_alerts]) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts,
    })),
  };
}
