import { type Catalog, loadCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import type { Dependency } from "../http/health.ts";
import type { Log } from "../ops/log.ts";
import { createEmbeddedPlaceFinder } from "../places/embedded-place-finder.ts";
import { geocoders } from "../places/geocoders/geocoders.ts";
import { createGazetteer } from "../places/index/gazetteer.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { createCorridorNetwork } from "../routing/corridor-network.ts";
import { createEmbeddedRouter } from "../routing/embedded-router.ts";
import { openRoutingEngine } from "../routing/engines/routing-engines.ts";
import { createRoadConditions, type RoadConditionsAt } from "../routing/road-conditions.ts";
import { createRoadNetwork } from "../routing/road-network.ts";
import type { Router } from "../routing/router.ts";

/** What is needed to price a journey. */
export interface PricingParts {
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  readonly router: Router;
  readonly roadConditions: RoadConditionsAt;
}

/** With what the engines behind it need in operation. */
export interface OpenPricingParts extends PricingParts {
  readonly dependencies: readonly Dependency[];
  close(): Promise<void>;
}

/** For the geocoder, to find all points of one journey. */
const LOOK_UP_MS = 5_000;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/** Reads the catalog folder; places and roads are the embedded ones. Throws CatalogError. */
export function embeddedPricing({ catalogDir }: Pick<Config, "catalogDir">) {
  const catalog = loadCatalog(catalogDir);
  const { roads, tariff, serviceArea, corridors } = catalog;
  const gazetteer = createGazetteer(catalog);
  const network = createCorridorNetwork(createRoadNetwork(roads, tariff.timeZone), corridors);
  return {
    catalog,
    gazetteer,
    places: createEmbeddedPlaceFinder(gazetteer, catalog.places, serviceArea),
    network,
    router: createEmbeddedRouter(network),
    roadConditions: createRoadConditions(network),
  };
}
type Loaded = ReturnType<typeof embeddedPricing>;

/** The catalog with the router and geocoder that are configured. Throws CatalogError. */
export async function composePricing(
  config: EngineConfig & Pick<Config, "catalogDir">,
  log: Log,
): Promise<OpenPricingParts> {
  const loaded = embeddedPricing(config);
  const roads = await composeRouter(config, loaded, log);
  const finder = await composeFinder(config, loaded, log);
  return {
    catalog: loaded.catalog,
    places: finder.places,
    router: roads.router,
    roadConditions: loaded.roadConditions,
    dependencies: [{ name: "router", ping: roads.router.ping }, ...finder.dependencies],
    async close() {
      await Promise.all([finder.close(), roads.close()]);
    },
  };
}

async function composeRouter(
  { router: name = "embedded", routerUrl: baseUrl }: EngineConfig,
  { network, router: embedded, catalog: { roads, tariff, serviceArea } }: Loaded,
  log: Log,
): Promise<{ router: Router; close(): Promise<void> }> {
  if (name === "embedded" || baseUrl === undefined) return { router: embedded, close: async () => {} };
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const { createCatalogOverlay } = await import("../routing/engines/catalog-overlay.ts");
  const client = createUpstreamClient({ name: "routing engine", baseUrl, log });
  const overlay = createCatalogOverlay(network, roads, tariff.timeZone);
  const router = await openRoutingEngine(name, client, { overlay, box: serviceArea.box, log });
  return { router, close: client.close };
}

async function composeFinder(
  { geocoder: name = "embedded", geocoderUrl: baseUrl }: EngineConfig,
  { places: embedded, gazetteer, catalog: { serviceArea } }: Loaded,
  log: Log,
): Promise<{ places: PlaceFinder; dependencies: readonly Dependency[]; close(): Promise<void> }> {
  if (name === "embedded" || baseUrl === undefined) {
    return { places: embedded, dependencies: [], close: async () => {} };
  }
  const { createUpstreamClient } = await import("../upstream/upstream-client.ts");
  const { createGeocodedPlaceFinder } = await import("../places/geocoders/geocoded-place-finder.ts");
  const client = createUpstreamClient({ name: "geocoder", baseUrl, log });
  const geocoder = (await geocoders[name]())(client, serviceArea);
  return {
    places: { ...createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea }), deadlineMs: LOOK_UP_MS },
    // Positions and the names of the catalog are found without it.
    dependencies: [{ name: "geocoder", isEssential: false, ping: geocoder.ping }],
    close: client.close,
  };
}
