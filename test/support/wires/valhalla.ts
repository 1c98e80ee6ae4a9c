import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { type Behavior, type EngineCall, json } from "../fake-engine.ts";
import { legsBetween, type RoadEngineWire, trueRoads, type WireLegs } from "./road-engine-wire.ts";

export const valhallaWire: RoadEngineWire = {
  speaks: (legs, tiles) => speaksValhalla({ legs, ...(tiles !== undefined && { tiles }) }),
  hasDataVersion: true,
  refusesWithNoRoute: valhallaRefuses(442, "No path could be found for input"),
  refusesTheRequest: valhallaRefuses(125, "No costing method found"),
  avoids: (call) => (valhallaRequest(call).exclude_locations ?? []).length > 0,
  avoidsEach: true,
};

/** Valhalla's route and status actions. */
export function speaksValhalla({ tiles, legs = trueRoads }: { tiles?: number; legs?: WireLegs } = {}): Behavior {
  return (response, call) => {
    if (call.url.pathname === "/status") {
      const version = { version: "3.5.1", ...(tiles !== undefined && { tileset_last_modified: tiles }) };
      return json(version)(response, call);
    }
    const { locations } = valhallaRequest(call);
    const stops = locations.map(({ lat, lon }): RouteStop => ({ name: "", roadNode: null, lat, lng: lon }));
    const route = legsBetween(stops, legs).map(({ km, minutes }) => ({
      summary: { length: km, time: minutes * 60, has_toll: false },
      shape: "",
    }));
    return json({
      trip: {
        locations: locations.map((location) => ({ type: "break", ...location })),
        legs: route,
        ...{ status_message: "Found route between points", status: 0 },
        ...{ units: "kilometers", language: "en-US" },
      },
    })(response, call);
  };
}

export function valhallaRefuses(code: number, error = ""): Behavior {
  const refusal = json({ error_code: code, error, status_code: 400, status: "Bad Request" }, 400);
  return (response, call) =>
    call.url.pathname === "/status" ? json({ version: "3.5.1" })(response, call) : refusal(response, call);
}

function valhallaRequest({ body }: EngineCall): {
  readonly locations: readonly { readonly lat: number; readonly lon: number }[];
  readonly exclude_locations?: readonly object[];
} {
  return JSON.parse(body);
}
