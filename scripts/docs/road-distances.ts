import { join } from "node:path";
import type { Position } from "../../src/domain/places/geo.ts";
import { stopOf } from "../../src/domain/quotes/locate-points.ts";
import type { RouteStop } from "../../src/domain/routing/router.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { recordsOf } from "../../test/support/csv-records.ts";
import { defaultCatalog } from "../../test/support/quoting-fixture.ts";
import { table } from "./with-marked.ts";

/**
 * The tables of known distances in `test/domain/routing`, and how far the network may be from them, as a share of the known
 * distance: at the median, at the ninth decile and at most; measured from the places of the catalog, and from the
 * positions between which the known distances were measured.
 */
export const DISTANCE_TABLES = [
  {
    file: "road-distances.csv",
    when: "while the roads were drawn",
    limits: { places: [0.015, 0.04, 0.12], positions: [0.014, 0.032, 0.12] },
  },
  {
    file: "road-facts.csv",
    when: "after the roads had been drawn",
    limits: { places: [0.013, 0.048, 0.13], positions: [0.012, 0.045, 0.132] },
  },
  {
    file: "road-checks.csv",
    when: "after the first repair",
    // Half of these pairs start at Linate, from where the known distances cross the city and the network goes around it.
    limits: { places: [0.044, 0.072, 0.22], positions: [0.056, 0.083, 0.22] },
  },
  {
    file: "road-second-checks.csv",
    when: "after the second repair",
    // The worst is the 7 km from an airport to its town.
    limits: { places: [0.012, 0.064, 0.32], positions: [0.017, 0.071, 0.39] },
  },
] as const;

/**
 * Where a pair is measured from. `positions`: every pair that the operator measured is measured between the positions
 * that he published (`operator-positions.csv`), whatever comes out; a pair one of whose positions is too far from the
 * network's roads for a price without manual confirmation is left out. All other pairs are measured between places.
 */
type MeasuredFrom = "places" | "positions";
export const MEASURED_FROM = ["places", "positions"] as const satisfies readonly MeasuredFrom[];
/** The source or basis of the operator's pairs, in the fourth column. */
const OPERATOR = ["osrm", "engine"];

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
 * some of these very figures; the lines whose places were not found; and those that are left out for their positions.
 */
export async function measuredPairs(path: string, from: MeasuredFrom = "places") {
  const { places, roadNetwork: network } = defaultCatalog;
  const { signal } = new AbortController();
  const pairs: MeasuredPair[] = [];
  const notFound: string[] = [];
  const leftOut: string[] = [];
  const positions = operatorPositions();
  for (const row of recordsOf(path)) {
    const [origin = "", destination = "", km = "", source = ""] = row.split(",");
    const isFromPositions = from === "positions" && OPERATOR.includes(source);
    const located = await Promise.all([origin, destination].map((name) => stopAt(name, isFromPositions)));
    const stops = located.flatMap((stop) => stop ?? []);
    if (stops.length < 2) {
      notFound.push(row);
      continue;
    }
    const { distanceKm: measuredKm, roads, doubts } = network.journey(stops, SUMMER_NOON);
    if (doubts.some(({ code }) => code === "OFF_THE_ROADS")) {
      leftOut.push(row);
      continue;
    }
    const knownKm = Number(km);
    const percent = (measuredKm / knownKm - 1) * 100;
    const isByCarTrain = roads.some(({ carTrain }) => carTrain);
    pairs.push({ ends: [origin, destination], knownKm, measuredKm, percent, isByCarTrain });
  }
  return { pairs, notFound, leftOut };

  async function stopAt(name: string, isFromPositions: boolean): Promise<RouteStop | undefined> {
    const position = positions.get(name);
    if (isFromPositions) return position && { name, ...position, roadNode: null };
    const location = await places.find(name, signal);
    return location.kind === "found" ? stopOf(location) : undefined;
  }
}

function operatorPositions(): ReadonlyMap<string, Position> {
  const rows = recordsOf(pathOf("operator-positions.csv")).map((row) => row.split(","));
  return new Map(rows.map(([name = "", lat, lng]) => [name, { lat: Number(lat), lng: Number(lng) }]));
}

/** Errors of the judged pairs, in percent of the known distance. */
export function errorsOf(pairs: readonly MeasuredPair[]) {
  const judged = pairs.filter(({ isByCarTrain }) => !isByCarTrain);
  const errors = judged.map(({ percent }) => Math.abs(percent)).sort((a, b) => a - b);
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? 0;
  const within = (limit: number) => errors.filter((error) => error <= limit).length;
  return { judged: errors.length, median: at(0.5), ninthDecile: at(0.9), worst: at(1), within };
}

/** The table of `docs/maintainers/roads.md`. */
export async function distanceErrors(): Promise<string> {
  const kinds = DISTANCE_TABLES.flatMap(({ file, when }) => MEASURED_FROM.map((from) => ({ file, when, from })));
  const rows = kinds.map(async ({ file, when, from }) => {
    const { pairs, leftOut } = await measuredPairs(pathOf(file), from);
    const { judged, median, ninthDecile, worst, within } = errorsOf(pairs);
    const percents = [median, ninthDecile, worst].map((error) => `${error.toFixed(1)} %`);
    return [`\`${file}\``, when, from, String(judged), String(leftOut.length), ...percents, String(within(5))];
  });
  const head = ["Table", "Looked up", "From", "Pairs", "Left out", "Median", "Ninth decile", "Worst", "Within 5 %"];
  return table(head, await Promise.all(rows));
}

export function pathOf(file: string): string {
  return join(packageRoot, "test/domain/routing", file);
}
