import { setTimeout } from "node:timers/promises";
import { createCatalogOverlay } from "../../adapters/engines/catalog-overlay.ts";
import { openRoutingEngine } from "../../adapters/engines/routing-engines.ts";
import { createGeocodedPlaceFinder } from "../../adapters/geocoders/geocoded-place-finder.ts";
import { geocoders } from "../../adapters/geocoders/geocoders.ts";
import type { UpstreamClient } from "../../adapters/upstream/upstream-client.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { missingFiles } from "../../domain/catalog/changes.ts";
import { CatalogError, type Finding, findingText } from "../../domain/catalog/finding.ts";
import type { Router } from "../../domain/routing/router.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Dependency } from "../../servers/http/health.ts";
import type { Config } from "../config/config.ts";
import { checkedPricing, exampleOnSale, type Loaded } from "./embedded-pricing.ts";
import { readBeside } from "./read-beside.ts";

/** What is needed to price a journey, with the dependencies that `/readyz` checks. */
export type LoadedPricing = Awaited<ReturnType<Awaited<ReturnType<typeof openEngines>>["over"]>>;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/**
 * Reads the catalog as it is now, with the faults that were accepted. Throws CatalogError where it has a mistake, a
 * fault that is not accepted, or lacks a file of the one in use, which is `before`.
 */
export async function loadPricing(
  config: Pick<Config, "catalogDir" | "authIssuer" | "issuer">,
  log: Log,
  acceptsFaults: boolean,
  before?: Catalog,
): Promise<{ readonly loaded: Loaded; readonly faults: readonly Finding[] }> {
  const { catalogDir } = config;
  // Nobody waits for a start.
  const { loaded, ...read } = before ? await readBeside(catalogDir) : await checkedPricing(catalogDir);
  const faults = [...(before ? missingFiles(before, loaded.catalog) : []), ...exampleOnSale(config), ...read.faults];
  if (faults.length > 0 && !acceptsFaults) throw new CatalogError(catalogDir, faults);
  if (faults.length > 0) log.warn({ faults: faults.map(findingText) }, "the catalog has faults, which were accepted");
  return { loaded, faults };
}

/** Opens the clients of the router and the geocoder that are configured; all catalogs share them. */
export async function openEngines(
  { router: engine, routerUrl, geocoder: finder, geocoderUrl }: EngineConfig,
  log: Log,
) {
  const [engineClient, geocoderClient] = await Promise.all([
    clientOf("routing engine", engine === "embedded" ? undefined : routerUrl),
    clientOf("geocoder", finder === "embedded" ? undefined : geocoderUrl),
  ]);
  return {
    /** Places and roads of a catalog, with the engines over them. */
    async over(loaded: Loaded) {
      const router = await routerOf(loaded);
      const dependencies: Dependency[] = [{ name: "router", ping: router.ping }];
      if (!geocoderClient || finder === "embedded") return { ...loaded, router, dependencies };
      const { places: embedded, gazetteer, catalog } = loaded;
      const { serviceArea, words } = catalog;
      const geocoder = geocoders[finder](geocoderClient, serviceArea);
      // Not essential: coordinates and names of the catalog are found without it.
      dependencies.push({ name: "geocoder", isEssential: false, ping: geocoder.ping });
      const places = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea, words });
      return { ...loaded, places, router, dependencies };
    },
    async close(): Promise<void> {
      await Promise.all([geocoderClient?.close(), engineClient?.close()]);
    },
  };

  async function routerOf({ router, network, catalog }: Loaded): Promise<Router> {
    if (!engineClient || engine === "embedded") return router;
    const { roads, tariff, serviceArea } = catalog;
    const overlay = createCatalogOverlay(network, roads, tariff.timeZone);
    return openRoutingEngine(engine, engineClient, { overlay, box: serviceArea.box, log, options: roads });
  }

  async function clientOf(name: string, baseUrl: string | undefined): Promise<UpstreamClient | undefined> {
    if (baseUrl === undefined) return undefined;
    const { createUpstreamClient } = await import("../../adapters/upstream/upstream-client.ts");
    return createUpstreamClient({ name, baseUrl, log });
  }
}

/**
 * The calendar of taken vehicles, read for the catalog and again every few minutes; `undefined` where none is configured.
 * Resolves after the first reading, or without it after `waitMs`: until there is one, every class is on request.
 */
export async function openCalendar(
  { availabilityUrl: url }: Pick<Config, "availabilityUrl">,
  catalog: Catalog,
  { clock, log, waitMs }: { readonly clock: Clock; readonly log: Log; readonly waitMs: number },
) {
  if (url === undefined) return undefined;
  const { createCalendarFeed } = await import("../../adapters/availability/calendar-feed.ts");
  const calendar = createCalendarFeed({ url, clock, log });
  await Promise.race([calendar.useFor(catalog), setTimeout(waitMs, undefined, { ref: false })]);
  // Not essential: without it, what is sold needs the operator's confirmation.
  const dependency: Dependency = { name: "availability", isEssential: false, ping: calendar.ping };
  return { ...calendar, dependency };
}
