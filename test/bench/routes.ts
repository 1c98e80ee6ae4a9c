import { readFileSync } from "node:fs";
import { join } from "node:path";
import Table from "cli-table3";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { packagedCatalog, packageRoot } from "../../src/ops/package-root.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";

/**
 * The embedded road network against known distances: `npm run bench:routes`, or with a file of
 * `origin,destination,km,basis` lines of one's own as the argument.
 */
const [file = join(packageRoot, "test/routing/road-distances.csv")] = process.argv.slice(2);
const SUMMER_NOON = new Date("2027-07-15T10:00:00Z");
const { signal } = new AbortController();
const { places, catalog } = embeddedPricing({ catalogDir: packagedCatalog });
// The bare network: published corridors carry some of these very figures.
const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);

const lines = readFileSync(file, "utf8").split(/\r?\n/);
const [, ...rows] = lines.filter((line) => line !== "" && !line.startsWith("#"));
const measured: { ends: readonly [string, string]; km: number; measuredKm: number; percent: number }[] = [];
for (const row of rows) {
  const [origin = "", destination = "", km = ""] = row.split(",");
  const located = await Promise.all([origin, destination].map((text) => places.find(text, signal)));
  const stops = located.flatMap((location) => (location.kind === "found" ? [stopOf(location)] : []));
  if (stops.length < 2) {
    say(`not found: ${origin}, ${destination}`);
    continue;
  }
  const { distanceKm } = network.journey(stops, SUMMER_NOON);
  const percent = (distanceKm / Number(km) - 1) * 100;
  measured.push({ ends: [origin, destination], km: Number(km), measuredKm: distanceKm, percent });
}
measured.sort((a, b) => Math.abs(a.percent) - Math.abs(b.percent));
const table = new Table({
  head: ["origin", "destination", "known km", "measured km", "error %"],
  colAligns: ["left", "left", "right", "right", "right"],
  style: { compact: true, head: [], border: [] },
});
for (const { ends, km, measuredKm, percent } of measured)
  table.push([...ends, km, measuredKm.toFixed(1), percent.toFixed(1)]);
const errors = measured.map(({ percent }) => Math.abs(percent));
const within = (limit: number) => `${errors.filter((error) => error <= limit).length} within ${limit} %`;
/** The error below which this share of the errors lies. */
const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))]?.toFixed(2);
say(`${table}`);
say(`error of ${errors.length} pairs, in % of the known km:`);
say(`median ${at(0.5)}, ninth decile ${at(0.9)}, worst ${at(1)}`);
say(`${within(5)}, ${within(8)}, ${within(25)} of ${errors.length}\n`);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
