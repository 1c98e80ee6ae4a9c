import type { RoutingEngineName } from "../../../src/adapters/engines/routing-engines.ts";
import { osrmWire } from "./osrm.ts";
import type { RoadEngineWire } from "./road-engine-wire.ts";
import { valhallaWire } from "./valhalla.ts";

/** The interfaces of all engines in the table of routing engines. */
export const roadEngineWires: Readonly<Record<RoutingEngineName, RoadEngineWire>> = {
  osrm: osrmWire,
  valhalla: valhallaWire,
};
