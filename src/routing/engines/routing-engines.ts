import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import type { Router } from "../router.ts";
import type { MeasuredByEngineParts } from "./measured-by-engine.ts";
import type { EngineOptions, RoadEngine } from "./road-engine.ts";

/**
 * The foreign routing engines by name, each loaded when it is opened. The values of TRANSFER_ROUTER, `routing_basis`
 * and the composer derive from this table.
 */
export const routingEngines = {
  osrm: async () => (await import("./osrm.ts")).createOsrm,
  valhalla: async () => (await import("./valhalla.ts")).createValhalla,
} satisfies Readonly<Record<string, () => Promise<(client: UpstreamClient, options: EngineOptions) => RoadEngine>>>;

export type RoutingEngineName = keyof typeof routingEngines;

export async function openRoutingEngine(
  name: RoutingEngineName,
  client: UpstreamClient,
  { options = {}, ...parts }: MeasuredByEngineParts & { readonly options?: EngineOptions },
): Promise<Router> {
  const createEngine = await routingEngines[name]();
  const { openMeasuredByEngine } = await import("./measured-by-engine.ts");
  return openMeasuredByEngine(name, createEngine(client, options), parts);
}
