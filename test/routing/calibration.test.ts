import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { corridorSources, mostEstimated, sourcesTable } from "../../src/commands/corridor-sources.ts";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";

const FILE = new URL("road-distances.csv", import.meta.url);

test("without car trains the network is within 1.5 % of known distances at the median, 4 % at the ninth decile and 12 % everywhere", async () => {
  const { places, catalog } = embeddedPricing({ catalogDir: DEFAULT_CATALOG });
  // The bare network: published corridors carry some of these very figures.
  const network = createRoadNetwork(catalog.roads, "Europe/Zurich");
  const { signal } = new AbortController();
  const [, ...rows] = readFileSync(FILE, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"));
  const errors: number[] = [];
  for (const row of rows) {
    const [origin = "", destination = "", km = ""] = row.split(",");
    const stops = await Promise.all([origin, destination].map((text) => places.find(text, signal)));
    const found = stops.flatMap((location) => (location.kind === "found" ? [stopOf(location)] : []));
    assert.equal(found.length, 2, row);
    const { distanceKm, roads } = network.journey(found, new Date("2027-07-15T10:00:00Z"));
    // The known distances are those of roads alone.
    if (!roads.some(({ carTrain }) => carTrain)) errors.push(Math.abs(distanceKm / Number(km) - 1));
  }
  errors.sort((a, b) => a - b);
  assert.ok(errors.length > 100);
  const [median = 1, ninthDecile = 1] = [0.5, 0.9].map((share) => errors[Math.floor(errors.length * share)]);
  assert.ok(median <= 0.015 && ninthDecile <= 0.04, String(errors.slice(-15)));
  assert.ok((errors.at(-1) ?? 1) <= 0.12, String(errors.at(-1)));
});

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
  assert.match(head ?? "", /^Kilometers by source .*est\. %$/);
  assert.match(first, /^\S+-to-\S+ .* \d+\.\d$/);
});
