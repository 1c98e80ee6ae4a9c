import { createCatalogOverlay } from "../../adapters/engines/catalog-overlay.ts";
import { openRoutingEngine } from "../../adapters/engines/routing-engines.ts";
import { createGeocodedPlaceFinder } from "../../adapters/geocoders/geocoded-place-finder.ts";
import { geocoders } from "../../adapters/geocoders/geocoders.ts";
import { type Catalog, loadCatalog } from "../../domain/catalog/catalog.ts";
import { isPackaged } from "../../domain/catalog/catalog-folder.ts";
import { missingFiles } from "../../domain/catalog/changes.ts";
import { CatalogError, findingText } from "../../domain/catalog/finding.ts";
import { createEmbeddedPlaceFinder } from "../../domain/places/embedded-place-finder.ts";
import { createPlaceAt } from "../../domain/places/extents.ts";
import { createGazetteer } from "../../domain/places/index/gazetteer.ts";
import { withClosures } from "../../domain/routing/closures.ts";
import { createCorridorNetwork, createEmbeddedRouter } from "../../domain/routing/embedded-router.ts";
import { createRoadConditions, createRoadNetwork } from "../../domain/routing/road-network.ts";
import type { Router } from "../../domain/routing/router.ts";
import type { Log } from "../../ops/log.ts";
import type { Dependency } from "../../servers/http/health.ts";
import type { Config } from "../config/config.ts";

/** What is needed to price a journey, with the dependencies that `/readyz` checks. */
export type LoadedPricing = Awaited<ReturnType<Awaited<ReturnType<typeof openPricing>>["of"]>>;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/** Reads the catalog folder; places and roads are the embedded ones. Throws CatalogError where it has a mistake. */
export function embeddedPricing({ catalogDir }: Pick<Config, "catalogDir">) {
  return pricingOf(loadCatalog(catalogDir));
}

export function pricingOf(catalog: Catalog) {
  const { roads, tariff, serviceArea } = catalog;
  const gazetteer = createGazetteer(catalog);
  const roadNetwork = createRoadNetwork(roads, tariff.timeZone);
  const { closures, corridorsByEnds } = catalog;
  const open = withClosures(roadNetwork, roads, { closures, timeZone: tariff.timeZone });
  const network = createCorridorNetwork(open, corridorsByEnds);
  return {
    catalog,
    /** The roads alone, without closures of exact dates and the published distances of corridors. */
    roadNetwork,
    gazetteer,
    places: createEmbeddedPlaceFinder(gazetteer, createPlaceAt(catalog), serviceArea),
    network,
    router: createEmbeddedRouter(network),
    roadConditions: createRoadConditions(network, tariff.timeZone),
  };
}

export type Loaded = ReturnType<typeof pricingOf>;

/** The faults of a catalog that `check` finds, too. The packaged catalog has none, which its tests prove. */
async function faultsOf({ catalog, places, roadNetwork: network }: Loaded, before?: Catalog) {
  const missing = before ? missingFiles(before, catalog) : [];
  if (isPackaged(catalog.folder)) return missing;
  const { faultsIn } = await import("../audit/audit.ts");
  return [...missing, ...faultsIn({ catalog, roads: { places, network }, now: new Date() })];
}

/** Opens the clients of the router and the geocoder that are configured; reads no catalog yet. */
export async function openPricing(config: EngineConfig & Pick<Config, "catalogDir">, log: Log) {
  const routing = await openRouting(config, log);
  const finding = await openFinding(config, log);
  return {
    /**
     * Reads the catalog as it is now; the clients of the engines are shared by all loads. Throws CatalogError where the
     * catalog has a mistake, a fault that is not accepted, or lacks a file of the one in use, which is `before`.
     */
    async load(acceptsFaults: boolean, before?: Catalog) {
      const loaded = embeddedPricing(config);
      const faults = await faultsOf(loaded, before);
      if (faults.length > 0 && !acceptsFaults) throw new CatalogError(config.catalogDir, faults);
      if (faults.length > 0)
        log.warn({ faults: faults.map(findingText) }, "the catalog has faults, which were accepted");
      return withEngines(loaded);
    },
    /** The same for a catalog that has been read, whatever its faults. */
    of: withEngines,
    async close(): Promise<void> {
      await Promise.all([finding.close(), routing.close()]);
    },
  };

  async function withEngines(loaded: Loaded) {
    const router = await routing.of(loaded);
    const { places, dependencies: others } = await finding.of(loaded);
    /** The same at every load, in the same order. */
    const dependencies: readonly Dependency[] = [{ name: "router", ping: router.ping }, ...others];
    return { ...loaded, places, router, dependencies };
  }
}

async function openRouting({ router: name, routerUrl: baseUrl }: EngineConfig, log: Log) {
  if (name === "embedded" || baseUrl === undefined)
    return { of: async ({ router }: Loaded): Promise<Router> => router, close: async () => {} };
  const { createUpstreamClient } = await import("../../adapters/upstream/upstream-client.ts");
  const client = createUpstreamClient({ name: "routing engine", baseUrl, log });
  return {
    of({ network, catalog: { roads, tariff, serviceArea } }: Loaded) {
      const overlay = createCatalogOverlay(network, roads, tariff.timeZone);
      return openRoutingEngine(name, client, { overlay, box: serviceArea.box, log, options: roads });
    },
    close: client.close,
  };
}

async function openFinding({ geocoder: name, geocoderUrl: baseUrl }: EngineConfig, log: Log) {
  if (name === "embedded" || baseUrl === undefined)
    return { of: async ({ places }: Loaded) => ({ places, dependencies: [] }), close: async () => {} };
  const { createUpstreamClient } = await import("../../adapters/upstream/upstream-client.ts");
  const client = createUpstreamClient({ name: "geocoder", baseUrl, log });
  return {
    async of({ places: embedded, gazetteer, catalog: { serviceArea } }: Loaded) {
      const geocoder = geocoders[name](client, serviceArea);
      const places = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea });
      // Not essential: coordinates and names of the catalog are found without it.
      const dependencies = [{ name: "geocoder", isEssential: false, ping: geocoder.ping }];
      return { places, dependencies };
    },
    close: client.close,
  };
}
