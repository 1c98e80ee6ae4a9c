import { type RoutingEngineName, routingEngines } from "../../../src/adapters/engines/routing-engines.ts";
import { engineDataVersionContract } from "../../ports/engine-answers.contract.ts";
import { engineRouterContract } from "../../ports/engine-router.contract.ts";
import { routerContract } from "../../ports/router.contract.ts";
import { anEngineRouter } from "../../support/engine-router.ts";
import { aFakeEngine } from "../../support/fake-engine.ts";
import { trueRoads } from "../../support/wires/road-engine-wire.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

const { TRANSFER_ROUTER = "osrm", TRANSFER_ROUTER_URL: realUrl } = process.env;

for (const name of Object.keys(routingEngines) as RoutingEngineName[]) {
  const wire = roadEngineWires[name];
  engineRouterContract(name, wire);
  routerContract(`${name}, a fake server`, async (t) => {
    const { url } = await aFakeEngine(t, wire.speaks(trueRoads, 1_764_500_000));
    return anEngineRouter(t, name, { url });
  });
  if (realUrl !== undefined && TRANSFER_ROUTER === name) {
    routerContract(`${name}, a real server`, (t) => anEngineRouter(t, name, { url: realUrl }));
  }
}

// Engines without a version of their data are as good as others.
engineDataVersionContract("osrm", {
  ...roadEngineWires.osrm,
  hasDataVersion: false,
  speaks: (legs) => roadEngineWires.osrm.speaks(legs),
});
