import { join } from "node:path";
import { type Catalog, loadCatalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-folder.ts";
import type { Config } from "../config/config.ts";
import type { Dependency } from "../http/health.ts";
import { createLog, type Log } from "../ops/log.ts";
import { createEmbeddedPlaceFinder } from "../places/embedded-place-finder.ts";
import { createPlaceAt } from "../places/extents.ts";
import { createGeocodedPlaceFinder } from "../places/geocoders/geocoded-place-finder.ts";
import { geocoders } from "../places/geocoders/geocoders.ts";
import { createGazetteer } from "../places/index/gazetteer.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { createZones } from "../places/zones.ts";
import { fareConflicts } from "../pricing/fare-conflicts.ts";
import { createCorridorNetwork, createEmbeddedRouter } from "../routing/embedded-router.ts";
import { createCatalogOverlay } from "../routing/engines/catalog-overlay.ts";
import { openRoutingEngine, type RoutingEngineName, routingEngines } from "../routing/engines/routing-engines.ts";
import { createRoadConditions, createRoadNetwork, type RoadConditionsAt } from "../routing/road-network.ts";
import type { RouteMap } from "../routing/route-map.ts";
import type { RoutePath, Router } from "../routing/router.ts";

/** What is needed to price a journey. */
export interface PricingParts {
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  readonly router: Router;
  readonly roadConditions: RoadConditionsAt;
  drawRoute(path: RoutePath, style?: string): Promise<RouteMap | undefined>;
}

/** With the dependencies that `/readyz` checks. */
export interface LoadedPricing extends PricingParts {
  /** The same at every load, in the same order. */
  readonly dependencies: readonly Dependency[];
}

/** The catalog folder and the engines that are configured. */
interface PricingSource {
  /** Reads the catalog as it is now; throws CatalogError. The clients of the engines are shared by all loads. */
  load(): Promise<LoadedPricing>;
  close(): Promise<void>;
}

/** Time limit for the geocoder to find all points of one journey. */
const LOOK_UP_MS = 5_000;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/** Reads the catalog folder; places and roads are the embedded ones. Throws CatalogError. */
export function embeddedPricing({ catalogDir }: Pick<Config, "catalogDir">) {
  const catalog = loadCatalog(catalogDir);
  const mistakes = fareMistakes(catalog, catalogDir);
  if (mistakes.length > 0) throw new CatalogError(mistakes);
  const { roads, tariff, serviceArea } = catalog;
  const gazetteer = createGazetteer(catalog);
  const network = createCorridorNetwork(createRoadNetwork(roads, tariff.timeZone), catalog.corridorsByEnds);
  return {
    catalog,
    gazetteer,
    places: createEmbeddedPlaceFinder(gazetteer, createPlaceAt(catalog), serviceArea),
    network,
    router: createEmbeddedRouter(network),
    roadConditions: createRoadConditions(network),
    drawRoute: async (path: RoutePath, style?: string) =>
      (await import("../routing/route-map.ts")).routeMap(roads, path, style),
  };
}

/** Pairs of fixed fares that apply to the same journey with the same priority. */
export function fareMistakes(catalog: Catalog, catalogDir: string): readonly string[] {
  const file = join(catalogDir, "fares.json");
  return fareConflicts(catalog.fares, catalog.zones, createZones(catalog).meet).map(
    ({ fare, other }) => `${file} at ${fare}: equal in rank to ${other}, and both could apply to one journey`,
  );
}

type Loaded = ReturnType<typeof embeddedPricing>;

/** Opens the clients of the router and the geocoder that are configured; reads no catalog yet. */
export async function openPricing(config: EngineConfig & Pick<Config, "catalogDir">, log: Log): Promise<PricingSource> {
  const routing = await openRouting(config, log);
  const finding = await openFinding(config, log);
  return {
    async load() {
      const loaded = embeddedPricing(config);
      const router = await routing.of(loaded);
      const { places, dependencies } = await finding.of(loaded);
      const pings = [{ name: "router", ping: router.ping }, ...dependencies];
      return { ...loaded, places, router, dependencies: pings };
    },
    async close() {
      await Promise.all([finding.close(), routing.close()]);
    },
  };
}

interface Opened<T> {
  /** For one load of the catalog. */
  of(loaded: Loaded): Promise<T>;
  close(): Promise<void>;
}

async function openRouting(
  { router: name = "embedded", routerUrl: baseUrl }: EngineConfig,
  log: Log,
): Promise<Opened<Router>> {
  if (name === "embedded" || baseUrl === undefined) return { of: async ({ router }) => router, close: async () => {} };
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const client = createUpstreamClient({ name: "routing engine", baseUrl, log });
  return {
    of({ network, catalog: { roads, tariff, serviceArea } }) {
      const overlay = createCatalogOverlay(network, roads, tariff.timeZone);
      return openRoutingEngine(name, client, { overlay, box: serviceArea.box, log, options: roads });
    },
    close: client.close,
  };
}

/** Names of the external routing engines; the first is the default of `check --against`. */
export const engineNames = Object.keys(routingEngines) as RoutingEngineName[];

/** A routing engine by itself, without the catalog's roads. */
export async function openEngine(name: RoutingEngineName, baseUrl: string, callMs: number) {
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const client = createUpstreamClient({ name: "routing engine", baseUrl, log: createLog("error"), callMs });
  return { engine: routingEngines[name](client, {}), close: client.close };
}

async function openFinding(
  { geocoder: name = "embedded", geocoderUrl: baseUrl }: EngineConfig,
  log: Log,
): Promise<Opened<Pick<LoadedPricing, "places" | "dependencies">>> {
  if (name === "embedded" || baseUrl === undefined) {
    return { of: async ({ places }) => ({ places, dependencies: [] }), close: async () => {} };
  }
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const client = createUpstreamClient({ name: "geocoder", baseUrl, log });
  return {
    async of({ places: embedded, gazetteer, catalog: { serviceArea } }) {
      const geocoder = geocoders[name](client, serviceArea);
      const finder = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea });
      // Not essential: coordinates and names of the catalog are found without it.
      const dependencies = [{ name: "geocoder", isEssential: false, ping: geocoder.ping }];
      return { places: { ...finder, deadlineMs: LOOK_UP_MS }, dependencies };
    },
    close: client.close,
  };
}
