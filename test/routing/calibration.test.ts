import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { loadCatalogue } from "../../src/compose-catalogue.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { DEFAULT_CATALOGUE } from "../support/default-catalogue.ts";

const FILE = resolve(packageRoot, "../shared/data/road-distances.csv");
const skip = existsSync(FILE) ? false : `no known distances: there is no ${FILE}`;

test("the network is within 6 % of known distances at the ninth decile, and nowhere beyond 25 %", {
  skip,
}, async () => {
  const { places, roads } = loadCatalogue({ catalogDir: DEFAULT_CATALOGUE });
  // The bare network: published corridors carry some of these very figures.
  const router = createEmbeddedRouter(roads, "Europe/Zurich");
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
    const { distanceKm } = await router.measure(found, new Date("2027-07-15T10:00:00Z"), signal);
    errors.push(Math.abs(distanceKm / Number(km) - 1));
  }
  errors.sort((a, b) => a - b);
  assert.ok(errors.length > 100);
  assert.ok((errors[Math.floor(errors.length * 0.9)] ?? 1) <= 0.06, String(errors.slice(-15)));
  assert.ok((errors.at(-1) ?? 1) <= 0.25, String(errors.at(-1)));
});
