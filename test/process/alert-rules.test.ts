import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { type AlertCase, alertCases } from "../support/alert-cases.ts";
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
