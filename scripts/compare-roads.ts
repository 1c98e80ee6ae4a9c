// Where the catalog's kilometers differ from those of a routing engine, for whoever maintains the roads of the catalog:
// npm run compare:roads -- http://127.0.0.1:5000 [--engine NAME] [--threshold PERCENT] [--catalog FOLDER]
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type RoutingEngineName, routingEngines } from "../src/adapters/engines/routing-engines.ts";
import { createUpstreamClient } from "../src/adapters/upstream/upstream-client.ts";
import { PublicError } from "../src/contract/errors.ts";
import { loadCatalog } from "../src/domain/catalog/catalog.ts";
import type { PlaceEntry } from "../src/domain/catalog/places-schema.ts";
import { SUMMER_NOON, stopsAt } from "../src/operate/audit/places.ts";
import { pricingOf } from "../src/operate/compose/embedded-pricing.ts";
import { createLog } from "../src/ops/log.ts";
import { packagedCatalog } from "../src/ops/package-root.ts";

const SAMPLED_PAIRS = 500;
const AT_ONCE = 8;
/** On shorter routes the exact positions of the stops matter more than the roads. */
const SHORTEST_KM = 5;
const LISTED_PERCENT = 5;
const ANSWER_MS = 30_000;

/** Those of `process`, or what a test reads. */
interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await compareRoads(process.argv.slice(2), process);

/**
 * Measures every published corridor and sampled pairs of places on the catalog's roads and on the engine, and prints as
 * CSV where they differ. Returns 1 where a difference is above the threshold or the engine cannot measure a corridor.
 */
export async function compareRoads(args: readonly string[], { stdout, stderr }: Output): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: "string", default: "osrm" },
      threshold: { type: "string", default: "8" },
      catalog: { type: "string", default: packagedCatalog },
    },
  });
  const [baseUrl = ""] = positionals;
  const { catalog, places, roadNetwork } = pricingOf(loadCatalog(values.catalog));
  const client = createUpstreamClient({ name: "routing engine", baseUrl, log: createLog("error"), callMs: ANSWER_MS });
  const engine = routingEngines[values.engine as RoutingEngineName](client, {});
  try {
    await engine.dataVersion(AbortSignal.timeout(ANSWER_MS));
    const corridors = catalog.corridors.map(({ key, origin, destination }) => ({
      name: key,
      ends: [origin, destination],
    }));
    const pairs = sampledPairs(catalog.places, SAMPLED_PAIRS);
    const measured = await inParallel([...corridors, ...pairs], measure);
    const report = distanceDifferences(measured, LISTED_PERCENT);
    stdout.write(report.rows.map((row) => `${row.join(",")}\n`).join(""));
    stderr.write(`${report.summary}\n`);
    const isCorridorMissing = measured.slice(0, corridors.length).some(({ engineKm }) => engineKm === undefined);
    return report.worstPercent > Number(values.threshold) || isCorridorMissing ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    stderr.write(`${baseUrl} cannot be measured on: ${error.message}\n`);
    return 1;
  } finally {
    await client.close();
  }

  async function measure({ name, ends }: Pair): Promise<Measured> {
    const stops = stopsAt(places, ends);
    const { distanceKm: catalogKm, roads } = roadNetwork.journey(stops, SUMMER_NOON);
    const hasCarTrain = roads.some(({ carTrain }) => carTrain);
    const legs = await engine.measure(stops, undefined, AbortSignal.timeout(ANSWER_MS)).then(
      (route) => route.legs,
      (error: unknown) => {
        if (error instanceof PublicError && error.code !== "UPSTREAM_UNAVAILABLE") return undefined;
        throw error;
      },
    );
    const engineKm = legs?.reduce((sum, { km }) => sum + km, 0);
    return { name, catalogKm, engineKm, hasCarTrain };
  }
}

type Pair = ReturnType<typeof sampledPairs>[number];

/** Runs the tasks, `AT_ONCE` at a time. Their results are in the order of the tasks. */
async function inParallel<T, R>(tasks: readonly T[], run: (task: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < tasks.length; start += AT_ONCE) {
    results.push(...(await Promise.all(tasks.slice(start, start + AT_ONCE).map(run))));
  }
  return results;
}

interface Measured {
  readonly name: string;
  readonly catalogKm: number;
  /** `undefined` where the engine has no route. */
  readonly engineKm: number | undefined;
  readonly hasCarTrain: boolean;
}

/**
 * Where the catalog's kilometers differ from the engine's by more than so many percent, the largest difference first.
 * Routes with a car train are left out, because engines differ in whether they use it and how long it is.
 */
function distanceDifferences(measured: readonly Measured[], percent: number) {
  const compared = measured.flatMap(({ name, catalogKm, engineKm, hasCarTrain }) =>
    hasCarTrain || engineKm === undefined || engineKm < SHORTEST_KM
      ? []
      : [{ name, catalogKm, engineKm, difference: (catalogKm / engineKm - 1) * 100 }],
  );
  const errors = compared.map(({ difference }) => Math.abs(difference)).sort((a, b) => a - b);
  const listed = compared
    .filter(({ difference }) => Math.abs(difference) > percent)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? 0;
  const routeless = measured.filter(({ engineKm }) => engineKm === undefined).length;
  return {
    rows: [
      ["route", "catalog_km", "engine_km", "difference_percent"],
      ...listed.map(({ name, ...numbers }) => [name, ...Object.values(numbers).map((number) => number.toFixed(1))]),
    ],
    worstPercent: errors.at(-1) ?? 0,
    summary:
      `${listed.length} of ${compared.length} routes differ by more than ${percent} %; ` +
      `median ${at(0.5).toFixed(1)} %, ninth decile ${at(0.9).toFixed(1)} %, worst ${at(1).toFixed(1)} %. ` +
      `Not compared: ${measured.length - compared.length - routeless} with a car train or under ${SHORTEST_KM} km, ${routeless} without a route on the engine.`,
  };
}

/** Pairs of places that cars can reach, the same in every run. */
function sampledPairs(places: readonly PlaceEntry[], count: number) {
  const reached = places.filter(({ carFree }) => !carFree).map(({ id }) => id);
  const at = (n: number) => reached[n % reached.length] ?? "";
  // The stride spreads the origins over the whole list; a short list has fewer different pairs.
  const pairs = Array.from({ length: count }, (_, n) => [at(n * 101), at(n * 101 + 1 + n)]);
  const named = new Map(pairs.filter(([from, to]) => from !== to).map((ends) => [ends.join(" – "), ends]));
  return [...named].map(([name, ends]) => ({ name, ends }));
}
