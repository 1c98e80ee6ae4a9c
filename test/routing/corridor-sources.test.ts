import assert from "node:assert/strict";
import { test } from "node:test";
import { corridorSources, mostEstimated, sourcesTable } from "../../src/commands/corridor-sources.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";

test("no published corridor depends on estimates for more than a tenth of its length, in summer and in winter", () => {
  for (const day of ["2027-07-15T10:00:00Z", "2027-01-15T11:00:00Z"]) {
    for (const { key, km, estimated } of corridorSources(defaultCatalog, new Date(day))) {
      assert.ok(estimated <= 0.1, `${key}: ${estimated}`);
      assert.ok(km.size > 0, key);
    }
  }
});

test("an estimated road on a corridor is part of its share", () => {
  const { network } = defaultCatalog;
  const estimating: typeof network = {
    ...network,
    journey(...journey) {
      const measured = network.journey(...journey);
      const [first, ...others] = measured.roads;
      return { ...measured, roads: first ? [{ ...first, source: "estimate" }, ...others] : others };
    },
  };
  const corridors = corridorSources({ ...defaultCatalog, network: estimating }, new Date("2027-07-15T10:00:00Z"));
  assert.ok(corridors.every(({ km }) => (km.get("estimate") ?? 0) > 0));
  assert.match(mostEstimated(corridors), /^\d+ published corridors; of none more than [1-9][\d.]+ % is estimated$/);
  const [head, first = ""] = sourcesTable(corridors).split("\n");
  assert.match(head ?? "", /^Published corridor .*estimate km {2}estimated$/);
  assert.match(first, /^\S+-to-\S+ .* %$/);
});
