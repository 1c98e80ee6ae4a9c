import type { TestContext } from "node:test";
import { createEngineClient, type EngineClient } from "../../src/ops/engine-client.ts";
import { silentLog } from "../../src/ops/log.ts";
import type { MeasuredByEngineParts } from "../../src/routing/engines/measured-by-engine.ts";
import type { Router, RouteStop } from "../../src/routing/router.ts";
import { aFakeEngine, type Behaviour } from "./fake-engine.ts";
import { engineParts, SUMMER, type WireLeg } from "./fake-road-engines.ts";
import { aRoadNetwork } from "./road-fixture.ts";

export const WEST: RouteStop = { name: "west", roadNode: "west", lat: 46, lng: 7 };
export const EAST: RouteStop = { name: "east", roadNode: "east", lat: 46, lng: 7.4 };
export const NORTH: RouteStop = { name: "north", roadNode: "north", lat: 46.2, lng: 7.2 };
export const never = new AbortController().signal;

export interface EngineWire {
  /** Answers as the engine does, each leg as the test says; `data` is the version of the road data. */
  readonly speaks: (legs: readonly WireLeg[], data?: number) => Behaviour;
  readonly refusesWithNoRoute: Behaviour;
  readonly refusesTheRequest: Behaviour;
  readonly open: (client: EngineClient, parts: MeasuredByEngineParts) => Promise<Router>;
}

/** Opens a router of this wire over a fake engine on the small network of `aRoadNetwork`. */
export function setUpOver(wire: EngineWire) {
  return setUp;

  async function setUp(
    t: TestContext,
    legs: readonly WireLeg[],
    { callMs = 2_000, ...over }: Partial<MeasuredByEngineParts> & { callMs?: number } = {},
  ) {
    const engine = await aFakeEngine(t, wire.speaks(legs));
    const client = createEngineClient({
      name: "routing engine",
      baseUrl: engine.url,
      log: silentLog,
      callMs,
    });
    t.after(() => client.close());
    const router = await wire.open(client, engineParts(aRoadNetwork(), over));
    const opening = engine.calls.length;
    const measure = (stops: readonly RouteStop[], at = SUMMER, signal = never) =>
      router.measure(stops, at, signal);
    return { engine, router, measure, asked: () => engine.calls.length - opening };
  }
}
