import { createCatalogOverlay } from "../../adapters/engines/catalog-overlay.ts";
import { openRoutingEngine } from "../../adapters/engines/routing-engines.ts";
import { createGeocodedPlaceFinder } from "../../adapters/geocoders/geocoded-place-finder.ts";
import { geocoders } from "../../adapters/geocoders/geocoders.ts";
import type { UpstreamClient } from "../../adapters/upstream/upstream-client.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { missingFiles } from "../../domain/catalog/changes.ts";
import { CatalogError, findingText } from "../../domain/catalog/finding.ts";
import type { Router } from "../../domain/routing/router.ts";
import type { Log } from "../../ops/log.ts";
import type { Dependency } from "../../servers/http/health.ts";
import type { Config } from "../config/config.ts";
import { checkedPricing, type Loaded } from "./embedded-pricing.ts";
import { readBeside } from "./read-beside.ts";

/** What is needed to price a journey, with the dependencies that `/readyz` checks. */
export type LoadedPricing = Awaited<ReturnType<Awaited<ReturnType<typeof openPricing>>["of"]>>;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/** Opens the clients of the router and the geocoder that are configured; reads no catalog yet. */
export async function openPricing(config: EngineConfig & Pick<Config, "catalogDir">, log: Log) {
  const { router: engineName, geocoder: geocoderName } = config;
  const [engineClient, geocoderClient] = await Promise.all([
    clientOf("routing engine", engineName === "embedded" ? undefined : config.routerUrl),
    clientOf("geocoder", geocoderName === "embedded" ? undefined : config.geocoderUrl),
  ]);
  return {
    /**
     * Reads the catalog as it is now; the clients of the engines are shared by all loads. Throws CatalogError where the
     * catalog has a mistake, a fault that is not accepted, or lacks a file of the one in use, which is `before`.
     */
    async load(acceptsFaults: boolean, before?: Catalog) {
      // Nobody waits for a start.
      const read = before ? await readBeside(config.catalogDir) : await checkedPricing(config.catalogDir);
      const { loaded } = read;
      const faults = [...(before ? missingFiles(before, loaded.catalog) : []), ...read.faults];
      if (faults.length > 0 && !acceptsFaults) throw new CatalogError(config.catalogDir, faults);
      if (faults.length > 0)
        log.warn({ faults: faults.map(findingText) }, "the catalog has faults, which were accepted");
      return withEngines(loaded);
    },
    /** The same for a catalog that has been read, whatever its faults. */
    of: withEngines,
    async close(): Promise<void> {
      await Promise.all([geocoderClient?.close(), engineClient?.close()]);
    },
  };

  async function withEngines(loaded: Loaded) {
    const router = await routerOf(loaded);
    /** The same at every load, in the same order. */
    const dependencies: Dependency[] = [{ name: "router", ping: router.ping }];
    if (!geocoderClient || geocoderName === "embedded") return { ...loaded, router, dependencies };
    const { places: embedded, gazetteer, catalog } = loaded;
    const { serviceArea } = catalog;
    const geocoder = geocoders[geocoderName](geocoderClient, serviceArea);
    // Not essential: coordinates and names of the catalog are found without it.
    dependencies.push({ name: "geocoder", isEssential: false, ping: geocoder.ping });
    const places = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea });
    return { ...loaded, places, router, dependencies };
  }

  async function routerOf({ router, network, catalog }: Loaded): Promise<Router> {
    if (!engineClient || engineName === "embedded") return router;
    const { roads, tariff, serviceArea } = catalog;
    const overlay = createCatalogOverlay(network, roads, tariff.timeZone);
    return openRoutingEngine(engineName, engineClient, { overlay, box: serviceArea.box, log, options: roads });
  }

  async function clientOf(name: string, baseUrl: string | undefined): Promise<UpstreamClient | undefined> {
    if (baseUrl === undefined) return undefined;
    const { createUpstreamClient } = await import("../../adapters/upstream/upstream-client.ts");
    return createUpstreamClient({ name, baseUrl, log });
  }
}
