import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram, Registry } from "prom-client";
import { createDurations } from "../../src/ops/durations.ts";

test("durations are exposed as prom-client's own histogram exposes them", async () => {
  const options = { name: "waits_seconds", help: "How long: by stage.", buckets: [0.001, 0.1, 3] };
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = createDurations(ours, { ...options, label: "stage" });
  const histogram = new Histogram({ ...options, labelNames: ["stage"], registers: [theirs] });
  const same = async () => {
    assert.equal(await ours.metrics(), await theirs.metrics());
    const { values } = (await theirs.getMetricsAsJSON())[0] as unknown as { values: readonly object[] };
    assert.equal(
      ((await ours.getMetricsAsJSON())[0] as unknown as { values: readonly object[] }).values.length,
      values.length,
    );
  };
  await same();
  durations.zero("store");
  histogram.zero({ stage: "store" });
  await same();
  for (const [index, seconds] of [0, 0.001, 0.0010001, 0.05, 0.1, 2.5, 3, 3.0001, 1e6].entries()) {
    for (const stage of ["store", `routing "${index % 2}"`]) {
      durations.observe(stage, seconds);
      histogram.observe({ stage }, seconds);
    }
    await same();
  }
});
