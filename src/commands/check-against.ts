import { embeddedPricing } from "../compose/compose-pricing.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { PublicError } from "../contract/errors.ts";
import { createLog } from "../ops/log.ts";
import { stopOf } from "../quotes/locate-points.ts";
import { type RoutingEngineName, routingEngines } from "../routing/engines/routing-engines.ts";
import { createRoadNetwork } from "../routing/road-network.ts";
import type { RouteStop } from "../routing/router.ts";
import { columns } from "./columns.ts";
import { distanceDifferences, type Measured, sampledPairs } from "./distance-differences.ts";

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
/** An engine knows no seasons: passes are open, and car trains run. */
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
  const { engine, close } = await openEngine(config, options);
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
    process.stdout.write(options.csv ? csvOf(report.rows) : columns(report.rows));
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

async function openEngine(config: Config, { against, engine }: AgainstOptions) {
  const name = engine ?? (config.router === "embedded" ? "osrm" : config.router);
  if (!isEngine(name)) {
    throw new ConfigError(`--engine is ${JSON.stringify(name)}; allowed: ${Object.keys(routingEngines).join(", ")}`);
  }
  if (!/^https?:\/\//i.test(against) || !URL.canParse(against))
    throw new ConfigError(`--against is ${JSON.stringify(against)}; allowed: an http or https URL`);
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const client = createUpstreamClient({
    name: "routing engine",
    baseUrl: against,
    log: createLog("error"),
    callMs: ANSWER_MS,
  });
  return { engine: routingEngines[name](client, {}), close: client.close };
}

function isEngine(name: string): name is RoutingEngineName {
  return Object.hasOwn(routingEngines, name);
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

function csvOf(rows: readonly (readonly string[])[]): string {
  // A name that begins like a formula would be one in a spreadsheet; those of the catalog are ids.
  return rows.map((row) => `${row.join(",")}\n`).join("");
}
