import { readFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { packagedCatalog, packageRoot } from "../../src/ops/package-root.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { table } from "./with-marked.ts";

/**
 * The tables of known distances in `test/routing`, and how far the network may be from them, as a share of the known
 * distance: at the median, at the ninth decile and at most.
 */
export const DISTANCE_TABLES = [
  { file: "road-distances.csv", when: "while the roads were drawn", limits: [0.015, 0.04, 0.12] },
  { file: "road-facts.csv", when: "after the roads had been drawn", limits: [0.018, 0.05, 0.15] },
  // Half of these pairs start at Linate, from where the known distances cross the city and the network goes around it.
  { file: "road-checks.csv", when: "after the last repair", limits: [0.047, 0.075, 0.22] },
] as const;

const SUMMER_NOON = new Date("2027-07-15T10:00:00Z");

export interface MeasuredPair {
  readonly ends: readonly [string, string];
  readonly knownKm: number;
  readonly measuredKm: number;
  /** Signed, in percent of the known distance. */
  readonly percent: number;
  /** Known distances are those of roads alone, so that a pair by car train is not judged. */
  readonly isByCarTrain: boolean;
}

/**
 * The pairs of a file of `origin,destination,km` lines, measured on the bare network, because published corridors carry
 * some of these very figures; and the lines whose places were not found.
 */
export async function measuredPairs(path: string) {
  const { places, catalog } = embeddedPricing({ catalogDir: packagedCatalog });
  const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);
  const { signal } = new AbortController();
  const pairs: MeasuredPair[] = [];
  const notFound: string[] = [];
  for (const row of recordsOf(path)) {
    const [origin = "", destination = "", km = ""] = row.split(",");
    const located = await Promise.all([origin, destination].map((text) => places.find(text, signal)));
    const stops = located.flatMap((location) => (location.kind === "found" ? [stopOf(location)] : []));
    if (stops.length < 2) {
      notFound.push(row);
      continue;
    }
    const { distanceKm: measuredKm, roads } = network.journey(stops, SUMMER_NOON);
    const knownKm = Number(km);
    const percent = (measuredKm / knownKm - 1) * 100;
    const isByCarTrain = roads.some(({ carTrain }) => carTrain);
    pairs.push({ ends: [origin, destination], knownKm, measuredKm, percent, isByCarTrain });
  }
  return { pairs, notFound };
}

/** The records of a CSV file without its comments and its head. */
export function recordsOf(path: string): readonly string[] {
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  return lines.filter((line) => line !== "" && !line.startsWith("#")).slice(1);
}

/** Errors of the judged pairs, in percent of the known distance. */
export function errorsOf(pairs: readonly MeasuredPair[]) {
  const judged = pairs.filter(({ isByCarTrain }) => !isByCarTrain);
  const errors = judged.map(({ percent }) => Math.abs(percent)).sort((a, b) => a - b);
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? 0;
  const within = (limit: number) => errors.filter((error) => error <= limit).length;
  return { judged: errors.length, median: at(0.5), ninthDecile: at(0.9), worst: at(1), within };
}

/** The table of `docs/routing.md`. */
export async function distanceErrors(): Promise<string> {
  const rows = DISTANCE_TABLES.map(async ({ file, when }) => {
    const { pairs } = await measuredPairs(pathOf(file));
    const { judged, median, ninthDecile, worst, within } = errorsOf(pairs);
    const percents = [median, ninthDecile, worst].map((error) => `${error.toFixed(1)} %`);
    return [`\`${file}\``, when, String(judged), ...percents, String(within(5))];
  });
  const head = ["Table", "Looked up", "Pairs", "Median", "Ninth decile", "Worst", "Within 5 %"];
  return table(head, await Promise.all(rows));
}

export function pathOf(file: string): string {
  return join(packageRoot, "test/routing", file);
}
