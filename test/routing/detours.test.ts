import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { crowFliesKm } from "../../src/places/geo.ts";
import type { Found } from "../../src/places/place-finder.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

/** Every pair of main places whose way is more than twice as long as the crow flies: reviewed, one a line. */
const LIST = join(packageRoot, "test/routing/detours.snapshot.json");
const OUT_OF_THE_ORDINARY = 2;

test("lists every route twice as long as the straight line: a missing road shows here", async () => {
  const listed = await detours();
  const text = `[\n${listed.map((line) => `  ${JSON.stringify(line)}`).join(",\n")}\n]\n`;
  if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(LIST, text);
  assert.deepEqual(listed, JSON.parse(readFileSync(LIST, "utf8")));
});

async function detours(): Promise<string[]> {
  const { places, catalog } = embeddedPricing({ catalogDir: DEFAULT_CATALOG });
  const network = createRoadNetwork(catalog.roads, "Europe/Zurich");
  const main = catalog.places.filter((place) => place.main);
  const found = main.map(({ id }) => places.byId(id)).filter((place): place is Found => place !== undefined);
  // Car-free places share their drop-offs with others.
  const stops = [...new Map(found.map((place) => [place.carStop.id, place])).values()];
  const summer = new Date("2027-07-15T10:00:00Z");
  const lines: string[] = [];
  for (const [index, from] of stops.entries()) {
    for (const to of stops.slice(index + 1)) {
      const direct = crowFliesKm(from.carStop, to.carStop);
      if (direct < 1) continue;
      const { roads } = network.journey([stopOf(from), stopOf(to)], summer);
      const km = roads.reduce((sum, edge) => sum + edge.km, 0);
      if (km > direct * OUT_OF_THE_ORDINARY) {
        lines.push(
          `${from.carStop.name} – ${to.carStop.name}: ${Math.round(Math.round(km * 10) / 10)} km for ${Math.round(direct)}`,
        );
      }
    }
  }
  return lines.sort();
}
