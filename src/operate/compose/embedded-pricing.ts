import { type Catalog, readCatalog } from "../../domain/catalog/catalog.ts";
import type { Finding } from "../../domain/catalog/finding.ts";
import { isPackaged } from "../../domain/catalog/read-contents.ts";
import { createEmbeddedPlaceFinder } from "../../domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../domain/places/gazetteer.ts";
import { createPlaceIndex } from "../../domain/places/place-index.ts";
import { withClosures } from "../../domain/routing/closures.ts";
import { createCorridorNetwork, createEmbeddedRouter } from "../../domain/routing/embedded-router.ts";
import { createRoadConditions } from "../../domain/routing/road-conditions.ts";
import { createRoadNetwork } from "../../domain/routing/road-network.ts";
import { type Config, issuerOf } from "../config/config.ts";

/** A catalog with its own places and roads, which price a journey without a foreign service. */
export type Loaded = ReturnType<typeof pricingOf>;

export function pricingOf(catalog: Catalog, placeIndex = createPlaceIndex(catalog)) {
  const { roads, tariff, serviceArea } = catalog;
  const gazetteer = createGazetteer(catalog, placeIndex);
  const roadNetwork = createRoadNetwork(roads, tariff.timeZone);
  const { closures, corridorsByEnds } = catalog;
  const open = withClosures(roadNetwork, roads, { closures, timeZone: tariff.timeZone });
  const network = createCorridorNetwork(open, corridorsByEnds);
  return {
    catalog,
    /** The roads alone, without closures of exact dates and the published distances of corridors. */
    roadNetwork,
    gazetteer,
    places: createEmbeddedPlaceFinder(gazetteer, serviceArea),
    network,
    router: createEmbeddedRouter(network),
    roadConditions: createRoadConditions(network, tariff.timeZone),
  };
}

/** The development issuer runs where somebody tries the example; every other is for customers. */
export function exampleOnSale(config: Pick<Config, "catalogDir" | "authIssuer" | "issuer">): readonly Finding[] {
  if (issuerOf(config) === "development" || !isPackaged(config.catalogDir)) return [];
  const text =
    "the prices of the example would be sold: set TRANSFER_CATALOG_DIR to a folder of your own, which init starts";
  return [{ severity: "fault", file: "", path: "", text }];
}

/**
 * Reads the catalog folder with the checks that a start and a reload make. Throws CatalogError where it has a mistake;
 * `faults` are what they refuse it for. The packaged catalog has none, which its tests prove.
 */
export async function checkedPricing(catalogDir: string) {
  const read = readCatalog(catalogDir);
  const loaded = pricingOf(read.catalog);
  const { places, roadNetwork: network } = loaded;
  let faults: readonly Finding[] = [];
  if (!isPackaged(catalogDir))
    faults = (await import("../audit/audit.ts")).auditCatalog({ ...read, places, network, now: new Date() }, ["fault"]);
  return { loaded, read, faults };
}
