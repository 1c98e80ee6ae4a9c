import { readFileSync } from "node:fs";
import { join } from "node:path";
import Table from "cli-table3";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { PlaceEntry } from "../../src/catalog/places-schema.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { createGazetteer } from "../../src/places/index/gazetteer.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

/**
 * The embedded road network against known distances, and how fast places and routes are: `npm run bench:routes`, or
 * with a file of `origin,destination,km,basis` lines of one's own as the argument.
 */
const [file = join(packageRoot, "test/routing/road-distances.csv")] = process.argv.slice(2);
const SUMMER_NOON = new Date("2027-07-15T10:00:00Z");
/** Closed passes and trains that do not run take more searches. */
const DEPARTURES = {
  "at noon in summer": SUMMER_NOON,
  "at noon in winter": new Date("2027-01-15T11:00:00Z"),
  "at 03:00 in winter": new Date("2027-01-15T02:00:00Z"),
};
const RANDOM_PAIRS = 5_000;
const WARM_UP = 500;

const { signal } = new AbortController();
const { places, roads, tariff, ...catalog } = loadCatalog(DEFAULT_CATALOG);
const gazetteer = createGazetteer({ places, ...catalog });
const router = createEmbeddedRouter(createRoadNetwork(roads, tariff.timeZone));
const byId = new Map(places.map((place) => [place.id, place]));

await printAccuracy(knownPairs(file));
await printSpeed();

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

async function printSpeed(): Promise<void> {
  const names = places.flatMap(({ name, aliases }) => [name, ...aliases]);
  for (const name of names) gazetteer.geocode(name);
  const matching = names.map((name) => timed(() => gazetteer.geocode(name)) * 1000).sort((a, b) => a - b);

  const routing = [];
  for (const [when, departure] of Object.entries(DEPARTURES)) {
    routing.push({ when, milliseconds: await routeTimes(departure) });
  }
  say(`${places.length} places, ${roads.nodes.size} nodes, ${roads.edges.length} edges`);
  say(
    `matching a text: ${at(matching, 0.5).toFixed(1)} µs median over ${names.length} names, ${at(matching, 0.99).toFixed(1)} µs p99`,
  );
  for (const { when, milliseconds: each } of routing) {
    say(
      `a measured route ${when}: ${at(each, 0.5).toFixed(2)} ms median over ${RANDOM_PAIRS} pairs, ${at(each, 0.99).toFixed(2)} ms p99`,
    );
  }
}

/** Sorted, of random pairs of places, each seldom asked for twice; without those that no open road joins. */
async function routeTimes(departure: Date): Promise<readonly number[]> {
  const random = createRandom();
  const anyStop = () => places[Math.floor(random() * places.length)];
  const times: number[] = [];
  while (times.length < WARM_UP + RANDOM_PAIRS) {
    const ends = [anyStop(), anyStop()].flatMap((place) => (place ? [stopAt(place)] : []));
    const started = performance.now();
    const route = await router.measure(ends, departure, signal).catch(() => undefined);
    if (route) times.push(performance.now() - started);
  }
  return times.slice(WARM_UP).sort((a, b) => a - b);
}

function carStop(text: string): RouteStop | undefined {
  const found = gazetteer.geocode(text);
  return found.kind === "place" ? stopAt(found.place) : undefined;
}

function stopAt(place: PlaceEntry): RouteStop {
  const { id, name, lat, lng, node } = (place.carFree && byId.get(place.carFree.dropOff)) || place;
  return { name, lat, lng, roadNode: node ?? id };
}

/** Numbers from 0 up to 1 that jump about, the same at every run. */
function createRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
}

function timed(run: () => unknown): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

/** The value below which this share of the sorted values lies. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
