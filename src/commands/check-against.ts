import type { PlaceEntry } from "../catalog/places-schema.ts";
import { embeddedPricing, engineNames, openEngine } from "../compose/compose-pricing.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { PublicError } from "../contract/errors.ts";
import { stopOf } from "../quotes/locate-points.ts";
import { createRoadNetwork } from "../routing/road-network.ts";
import type { RouteStop } from "../routing/router.ts";
import { columns, csvLine } from "./columns.ts";

export interface AgainstOptions {
  readonly against: string;
  readonly engine?: string | undefined;
  readonly threshold?: string | undefined;
  readonly csv?: boolean | undefined;
}

const SAMPLED_PAIRS = 500;
const AT_ONCE = 8;
const LISTED_PERCENT = 5;
const USUAL_THRESHOLD = "8";
const ANSWER_MS = 30_000;
/** An engine has no seasons: passes are open, and car trains run. */
const SUMMER_NOON = "07-15T12:00:00+02:00";

/**
 * Measures every published corridor and sampled pairs of places on the catalog's roads and on an engine, and prints
 * where they differ. Returns 1 where a difference is above the threshold or the engine cannot measure a corridor.
 */
export async function checkAgainst(config: Config, options: AgainstOptions): Promise<number> {
  const threshold = thresholdIn(options);
  const { catalog, places } = embeddedPricing(config);
  const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);
  const departure = new Date(`${new Date().getFullYear()}-${SUMMER_NOON}`);
  const { engine, close } = await openEngine(engineNamed(config, options), options.against, ANSWER_MS);
  try {
    await engine.dataVersion(AbortSignal.timeout(ANSWER_MS));
    const stops = (id: string) => [places.byId(id)].flatMap((found) => (found ? [stopOf(found)] : []));
    const corridors = catalog.corridors.map(({ key, origin, destination }) => ({
      name: key,
      stops: [...stops(origin), ...stops(destination)],
    }));
    const pairs = sampledPairs(catalog.places, SAMPLED_PAIRS).map(({ from, to }) => ({
      name: `${from} – ${to}`,
      stops: [...stops(from), ...stops(to)],
    }));
    const corridorNames = new Set(corridors.map(({ name }) => name));
    const measured = await inParallel([...corridors, ...pairs], ({ name, stops }) => measure(name, stops));
    const report = distanceDifferences(measured, LISTED_PERCENT);
    process.stdout.write(options.csv ? report.rows.map(csvLine).join("") : columns(report.rows));
    process.stderr.write(`${report.summary}\n`);
    const isCorridorMissing = measured.some(({ name, engineKm }) => corridorNames.has(name) && engineKm === undefined);
    return report.worstPercent > threshold || isCorridorMissing ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    process.stderr.write(`${options.against} cannot be measured on: ${error.message}\n`);
    return 1;
  } finally {
    await close();
  }

  async function measure(name: string, stops: readonly RouteStop[]): Promise<Measured> {
    const { distanceKm: catalogKm, roads } = network.journey(stops, departure);
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

function engineNamed({ router }: Config, { against, engine }: AgainstOptions) {
  const wanted = engine ?? (router === "embedded" ? engineNames[0] : router);
  const name = engineNames.find((each) => each === wanted);
  if (!name) throw new ConfigError(`--engine is ${JSON.stringify(wanted)}; allowed: ${engineNames.join(", ")}`);
  if (!/^https?:\/\//i.test(against) || !URL.canParse(against))
    throw new ConfigError(`--against is ${JSON.stringify(against)}; allowed: an http or https URL`);
  return name;
}

function thresholdIn({ threshold = USUAL_THRESHOLD }: AgainstOptions): number {
  if (/^\d+(\.\d+)?$/.test(threshold)) return Number(threshold);
  throw new ConfigError(
    `--threshold is ${JSON.stringify(threshold)}; allowed: a number of percent, such as ${USUAL_THRESHOLD}`,
  );
}

/** In the order of the tasks, so many at once. */
async function inParallel<T, R>(tasks: readonly T[], run: (task: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < tasks.length; start += AT_ONCE) {
    results.push(...(await Promise.all(tasks.slice(start, start + AT_ONCE).map(run))));
  }
  return results;
}

export interface Measured {
  readonly name: string;
  readonly catalogKm: number;
  /** `undefined` where the engine has no route. */
  readonly engineKm: number | undefined;
  readonly hasCarTrain: boolean;
}

/** Shorter ones differ by where the stops lie, not by the roads. */
const SHORTEST_KM = 5;

/**
 * Where the catalog's kilometers differ from the engine's by more than so many percent, the largest difference first.
 * Routes with a car train are left out: whether an engine takes it, and how long it is, is no matter of roads.
 */
export function distanceDifferences(measured: readonly Measured[], percent: number) {
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
      ...listed.map(({ name, catalogKm, engineKm, difference }) => [
        name,
        catalogKm.toFixed(1),
        engineKm.toFixed(1),
        difference.toFixed(1),
      ]),
    ],
    worstPercent: errors.at(-1) ?? 0,
    summary:
      `${listed.length} of ${compared.length} routes differ by more than ${percent} %; ` +
      `median ${at(0.5).toFixed(1)} %, ninth decile ${at(0.9).toFixed(1)} %, worst ${at(1).toFixed(1)} %. ` +
      `Not compared: ${measured.length - compared.length - routeless} with a car train or under ${SHORTEST_KM} km, ${routeless} without a route on the engine.`,
  };
}

/** Pairs of places that cars reach, the same at every run. */
export function sampledPairs(places: readonly PlaceEntry[], count: number) {
  const reached = places.filter(({ carFree }) => !carFree).map(({ id }) => id);
  let seed = 1;
  const any = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return reached[Math.floor((seed / 2 ** 32) * reached.length)] ?? "";
  };
  const pairs: { readonly from: string; readonly to: string }[] = [];
  while (pairs.length < count) {
    const pair = { from: any(), to: any() };
    if (pair.from !== pair.to) pairs.push(pair);
  }
  return pairs;
}
