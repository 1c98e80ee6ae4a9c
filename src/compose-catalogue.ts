import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Dependency } from "./ops/health.ts";
import type { Log } from "./ops/log.ts";
import { createEmbeddedPlaceFinder } from "./places/embedded-place-finder.ts";
import { createGazetteer, type Gazetteer } from "./places/gazetteer.ts";
import { loadPlaces } from "./places/load-places.ts";
import type { PlaceFinder } from "./places/place-finder.ts";
import { mistake } from "./published/catalogue-folder.ts";
import { loadPublished, type Published } from "./published/published.ts";
import { createCorridorRouter } from "./routing/corridor-router.ts";
import { createEmbeddedRouter } from "./routing/embedded-router.ts";
import { loadRoads } from "./routing/load-roads.ts";
import { createTellConditions, type TellConditions } from "./routing/road-conditions.ts";
import type { Router } from "./routing/router.ts";

/** What is needed to price a journey. */
export interface Catalogue {
  readonly published: Published;
  readonly places: PlaceFinder;
  readonly router: Router;
  readonly tellConditions: TellConditions;
}

/** With what the engines behind it need in operation. */
export interface OpenCatalogue extends Catalogue {
  readonly dependencies: readonly Dependency[];
  close(): Promise<void>;
}

/** For the geocoder, to find all points of one journey. */
const LOOK_UP_MS = 5_000;

type EngineConfig = Pick<Config, "router" | "routerUrl" | "geocoder" | "geocoderUrl">;

/** Reads the catalogue folder; places and roads are the embedded ones. Throws CatalogueMistake. */
export function loadCatalogue({ catalogDir }: Pick<Config, "catalogDir">) {
  const published = loadPublished(catalogDir);
  const data = loadPlaces(catalogDir);
  const gazetteer = createGazetteer(data);
  checkCorridors(join(catalogDir, "corridors.json"), published, gazetteer);
  const roads = loadRoads(catalogDir);
  const network = createEmbeddedRouter(roads, published.tariff.timeZone);
  const router = createCorridorRouter(network, published.corridors);
  return {
    published,
    gazetteer,
    places: createEmbeddedPlaceFinder(gazetteer, data.places, published.serviceArea),
    roads,
    router,
    tellConditions: createTellConditions(network, roads, published.tariff.timeZone),
  };
}
type Loaded = ReturnType<typeof loadCatalogue>;

/** The catalogue with the router and geocoder that are configured. Throws CatalogueMistake. */
export async function composeCatalogue(
  config: EngineConfig & Pick<Config, "catalogDir">,
  log: Log,
): Promise<OpenCatalogue> {
  const loaded = loadCatalogue(config);
  const roads = await composeRouter(config, loaded, log);
  const finder = await composeFinder(config, loaded, log);
  return {
    published: loaded.published,
    places: finder.places,
    router: roads.router,
    tellConditions: loaded.tellConditions,
    dependencies: [{ name: "router", ping: roads.router.ping }, ...finder.dependencies],
    async close() {
      await Promise.all([finder.close(), roads.close()]);
    },
  };
}

async function composeRouter(
  { router: engine = "embedded", routerUrl: baseUrl }: EngineConfig,
  { roads, router: embedded, published: { tariff, serviceArea } }: Loaded,
  log: Log,
): Promise<{ router: Router; close(): Promise<void> }> {
  if (engine === "embedded" || baseUrl === undefined) return { router: embedded, close: async () => {} };
  const { createEngineClient } = await import("./ops/engine-client.ts");
  const { createCatalogueOverlay } = await import("./routing/engines/catalogue-overlay.ts");
  const client = createEngineClient({ name: "routing engine", baseUrl, log });
  const overlay = createCatalogueOverlay(embedded, roads, tariff.timeZone);
  const parts = { overlay, box: serviceArea.box, log };
  const router =
    engine === "osrm"
      ? await (await import("./routing/engines/osrm-router.ts")).openOsrmRouter(client, parts)
      : await (await import("./routing/engines/valhalla-router.ts")).openValhallaRouter(client, parts);
  return { router, close: client.close };
}

async function composeFinder(
  { geocoder: engine = "embedded", geocoderUrl: baseUrl }: EngineConfig,
  { places: embedded, gazetteer, published: { serviceArea } }: Loaded,
  log: Log,
): Promise<{ places: PlaceFinder; dependencies: readonly Dependency[]; close(): Promise<void> }> {
  if (engine === "embedded" || baseUrl === undefined) {
    return { places: embedded, dependencies: [], close: async () => {} };
  }
  const { createEngineClient } = await import("./ops/engine-client.ts");
  const { createGeocodedPlaceFinder } = await import("./places/geocoded-place-finder.ts");
  const client = createEngineClient({ name: "geocoder", baseUrl, log });
  const geocoder =
    engine === "photon"
      ? (await import("./places/geocoders/photon.ts")).createPhoton(client, serviceArea)
      : (await import("./places/geocoders/nominatim.ts")).createNominatim(client, serviceArea);
  return {
    places: {
      ...createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea }),
      deadlineMs: LOOK_UP_MS,
    },
    // Positions and the names of the catalogue are found without it.
    dependencies: [{ name: "geocoder", isEssential: false, ping: geocoder.ping }],
    close: client.close,
  };
}

function checkCorridors(path: string, { corridors }: Published, gazetteer: Gazetteer): void {
  for (const { key, origin, destination } of corridors) {
    const missing = [origin, destination].find((id) => !gazetteer.byId(id));
    if (missing !== undefined) throw mistake(path, key, `there is no place ${missing}`);
  }
}
