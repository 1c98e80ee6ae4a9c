import type { TestContext } from "node:test";
import { createCatalogOverlay } from "../../src/adapters/engines/catalog-overlay.ts";
import type { MeasuredByEngineParts } from "../../src/adapters/engines/measured-by-engine.ts";
import { openRoutingEngine, type RoutingEngineName } from "../../src/adapters/engines/routing-engines.ts";
import { createUpstreamClient } from "../../src/adapters/upstream/upstream-client.ts";
import type { RoadData } from "../../src/domain/catalog/catalog.ts";
import { createRoadNetwork } from "../../src/domain/routing/road-network.ts";
import type { Router, RouteStop } from "../../src/domain/routing/router.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aFakeEngine, type Behavior } from "./fake-engine.ts";
import { inWords } from "./fake-router.ts";
import { defaultCatalog } from "./quoting-fixture.ts";
import { aRoadNetwork } from "./road-fixture.ts";
import type { RoadEngineWire, WireLeg, WireLegs } from "./wires/road-engine-wire.ts";

export const WEST: RouteStop = { name: "west", roadNode: "west", lat: 46, lng: 7 };
export const EAST: RouteStop = { name: "east", roadNode: "east", lat: 46, lng: 7.4 };
export const NORTH: RouteStop = { name: "north", roadNode: "north", lat: 46.2, lng: 7.2 };
export const ZURICH: RouteStop = { name: "Zürich", roadNode: "zurich", lat: 47.3779, lng: 8.54031234 };
export const HOTEL: RouteStop = { name: "Hotel", roadNode: null, lat: 47.0502, lng: 8.3093 };
export const SUMMER = new Date("2027-07-15T10:00:00Z");
export const WINTER = new Date("2027-01-15T10:00:00Z");
export const never = new AbortController().signal;

const SERVICE_BOX = { south: 44.6, west: 4.6, north: 48.6, east: 12.4 };

export const leg = (km: number, minutes: number): WireLeg => ({ km, minutes });

/** Options of a router over a fake engine. */
function engineParts(
  roads: RoadData = defaultCatalog.catalog.roads,
  over: Partial<MeasuredByEngineParts> = {},
): MeasuredByEngineParts {
  const network = createRoadNetwork(roads, "Europe/Zurich");
  return { overlay: createCatalogOverlay(network, roads, "Europe/Zurich"), box: SERVICE_BOX, log: silentLog, ...over };
}

/** A router over the engine at this address. */
export async function anEngineRouter(
  t: Pick<TestContext, "after">,
  name: RoutingEngineName,
  { url, callMs = 60_000, ...parts }: { url: string; callMs?: number } & Partial<MeasuredByEngineParts>,
  roads?: RoadData,
): Promise<Router> {
  const client = createUpstreamClient({ name: "routing engine", baseUrl: url, log: silentLog, callMs });
  t.after(() => client.close());
  return openRoutingEngine(name, client, { ...engineParts(roads, parts), options: roads ?? {} });
}

/** A router over a fake engine, on the packaged roads. */
export async function aRouterOver(t: TestContext, name: RoutingEngineName, behavior: Behavior) {
  const engine = await aFakeEngine(t, behavior);
  return { engine, router: await anEngineRouter(t, name, { url: engine.url }) };
}

/** Opens routers over fake engines that speak this wire, on the small network of `aRoadNetwork`. */
export function setUpOver(name: RoutingEngineName, wire: RoadEngineWire) {
  return async (
    t: TestContext,
    legs: WireLegs,
    { roads = aRoadNetwork(), ...parts }: Partial<MeasuredByEngineParts> & { callMs?: number; roads?: RoadData } = {},
  ) => {
    const engine = await aFakeEngine(t, wire.speaks(legs));
    const router = await anEngineRouter(t, name, { url: engine.url, ...parts }, roads);
    const opening = engine.calls.length;
    const measure = async (stops: readonly RouteStop[], at = SUMMER, signal = never) =>
      inWords(await router.measure(stops, at, signal));
    return { engine, router, measure, asked: () => engine.calls.length - opening };
  };
}
