import { readFileSync } from "node:fs";
import { join } from "node:path";
import Table from "cli-table3";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { PlaceEntry } from "../../src/catalog/places-schema.ts";
import { packagedCatalog, packageRoot } from "../../src/ops/package-root.ts";
import { createGazetteer } from "../../src/places/index/gazetteer.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import type { RouteStop } from "../../src/routing/router.ts";

/**
 * The embedded road network against known distances: `npm run bench:routes`, or with a file of
 * `origin,destination,km,basis` lines of one's own as the argument.
 */
const [file = join(packageRoot, "test/routing/road-distances.csv")] = process.argv.slice(2);
const SUMMER_NOON = new Date("2027-07-15T10:00:00Z");
const { signal } = new AbortController();
const { places, roads, tariff, ...catalog } = loadCatalog(packagedCatalog);
const gazetteer = createGazetteer({ places, ...catalog });
const router = createEmbeddedRouter(createRoadNetwork(roads, tariff.timeZone));
const byId = new Map(places.map((place) => [place.id, place]));

await printAccuracy(knownPairs(file));

interface KnownPair {
  readonly origin: string;
  readonly destination: string;
  readonly km: number;
}

function knownPairs(path: string): readonly KnownPair[] {
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  const [, ...rows] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return rows.map((row) => {
    const [origin = "", destination = "", km = ""] = row.split(",");
    return { origin, destination, km: Number(km) };
  });
}

async function printAccuracy(pairs: readonly KnownPair[]): Promise<void> {
  const measured: (KnownPair & { readonly measuredKm: number; readonly percent: number })[] = [];
  for (const pair of pairs) {
    const ends = [carStop(pair.origin), carStop(pair.destination)];
    if (ends.includes(undefined)) {
      say(`not found: ${pair.origin}, ${pair.destination}`);
      continue;
    }
    const { distanceKm } = await router.measure(
      ends.filter((end) => end !== undefined),
      SUMMER_NOON,
      signal,
    );
    measured.push({ ...pair, measuredKm: distanceKm, percent: (distanceKm / pair.km - 1) * 100 });
  }
  const sorted = [...measured].sort((a, b) => Math.abs(a.percent) - Math.abs(b.percent));
  const table = new Table({
    head: ["origin", "destination", "known km", "measured km", "error %"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: { compact: true, head: [], border: [] },
  });
  for (const { origin, destination, km, measuredKm, percent } of sorted) {
    table.push([origin, destination, km, measuredKm.toFixed(1), percent.toFixed(1)]);
  }
  const errors = sorted.map(({ percent }) => Math.abs(percent));
  const within = (limit: number) => `${errors.filter((error) => error <= limit).length} within ${limit} %`;
  say(`${table}`);
  say(`error of ${errors.length} pairs, in % of the known km:`);
  say(
    `median ${at(errors, 0.5).toFixed(2)}, ninth decile ${at(errors, 0.9).toFixed(2)}, worst ${at(errors, 1).toFixed(2)}`,
  );
  say(`${within(5)}, ${within(8)}, ${within(25)} of ${errors.length}\n`);
}

function carStop(text: string): RouteStop | undefined {
  const found = gazetteer.geocode(text);
  return found.kind === "place" ? stopAt(found.place) : undefined;
}

function stopAt(place: PlaceEntry): RouteStop {
  const { id, name, lat, lng, node } = (place.carFree && byId.get(place.carFree.dropOff)) || place;
  return { name, lat, lng, roadNode: node ?? id };
}

/** The value below which this share of the sorted values lies. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
