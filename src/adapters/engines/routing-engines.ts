import type { Router } from "../../domain/routing/router.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { type MeasuredByEngineParts, openMeasuredByEngine } from "./measured-by-engine.ts";
import { createOsrm } from "./osrm.ts";
import type { EngineOptions, RoadEngine } from "./road-engine.ts";
import { createValhalla } from "./valhalla.ts";

/** The foreign routing engines by name, from which TRANSFER_ROUTER, `routing_basis` and the composer derive. */
export const routingEngines = { osrm: createOsrm, valhalla: createValhalla } satisfies Readonly<
  Record<string, (client: UpstreamClient, options: EngineOptions) => RoadEngine>
>;

export type RoutingEngineName = keyof typeof routingEngines;

export async function openRoutingEngine(
  name: RoutingEngineName,
  client: UpstreamClient,
  { options = {}, ...parts }: MeasuredByEngineParts & { readonly options?: EngineOptions },
): Promise<Router> {
  return openMeasuredByEngine(name, routingEngines[name](client, options), parts);
}
