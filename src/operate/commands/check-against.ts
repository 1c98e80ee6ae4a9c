import { PublicError } from "../../contract/errors.ts";
import type { PlaceEntry } from "../../domain/catalog/places-schema.ts";
import { createRoadNetwork } from "../../domain/routing/road-network.ts";
import { SUMMER_NOON, stopsAt } from "../audit/roads.ts";
import { embeddedPricing, engineNames, openEngine } from "../compose/compose-pricing.ts";
import type { Config } from "../config/config.ts";
import { numberIn, oneOf, url } from "../config/kinds.ts";
import type { SettingSchema } from "../config/setting.ts";
import type { options as checkOptions } from "./check.ts";
import { columns } from "./columns.ts";
import { type Arguments, wrongOption } from "./command.ts";
import { csvLine } from "./terminal-text.ts";

type Options = Arguments<typeof checkOptions>["values"];

const SAMPLED_PAIRS = 500;
const AT_ONCE = 8;
const LISTED_PERCENT = 5;
const USUAL_THRESHOLD = "8";
const ANSWER_MS = 30_000;

/**
 * Measures every published corridor and sampled pairs of places on the catalog's roads and on an engine, and prints
 * where they differ. Returns 1 where a difference is above the threshold or the engine cannot measure a corridor.
 */
export async function checkAgainst(config: Config, against: string, options: Options): Promise<number> {
  const threshold = parsedOption("threshold", options.threshold ?? USUAL_THRESHOLD, numberIn(0, 1_000));
  const usualEngine = config.router === "embedded" ? engineNames[0] : config.router;
  const name = parsedOption("engine", options.engine ?? usualEngine ?? "", oneOf(...engineNames));
  const baseUrl = parsedOption("against", against, url);
  const { catalog, places } = embeddedPricing(config);
  const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);
  const { engine, close } = await openEngine(name, baseUrl, ANSWER_MS);
  try {
    await engine.dataVersion(AbortSignal.timeout(ANSWER_MS));
    const corridors = catalog.corridors.map(({ key, origin, destination }) => ({
      name: key,
      ends: [origin, destination],
    }));
    const pairs = sampledPairs(catalog.places, SAMPLED_PAIRS);
    const measured = await inParallel([...corridors, ...pairs], measure);
    const report = distanceDifferences(measured, LISTED_PERCENT);
    process.stdout.write((options.csv ? report.rows.map((row) => csvLine(row)) : columns(report.rows)).join(""));
    process.stderr.write(`${report.summary}\n`);
    const isCorridorMissing = measured.slice(0, corridors.length).some(({ engineKm }) => engineKm === undefined);
    return report.worstPercent > threshold || isCorridorMissing ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    process.stderr.write(`${against} cannot be measured on: ${error.message}\n`);
    return 1;
  } finally {
    await close();
  }

  async function measure({ name, ends }: Pair): Promise<Measured> {
    const stops = stopsAt(places, ends);
    const { distanceKm: catalogKm, roads } = network.journey(stops, SUMMER_NOON);
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

function parsedOption<V>(option: string, text: string, schema: SettingSchema<V>): V {
  const { success, data } = schema.safeParse(text);
  if (success) return data;
  throw wrongOption(option, text, `allowed: ${schema.description}`);
}

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

/** On shorter routes the exact positions of the stops matter more than the roads. */
const SHORTEST_KM = 5;

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
