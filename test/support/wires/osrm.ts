import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { type Behavior, json } from "../fake-engine.ts";
import { legsBetween, type RoadEngineWire, trueRoads, type WireLegs } from "./road-engine-wire.ts";

export const osrmWire: RoadEngineWire = {
  speaks: (legs, data) => speaksOsrm({ legs, ...(data !== undefined && { dataVersion: String(data) }) }),
  hasDataVersion: true,
  refusesWithNoRoute: osrmRefuses("NoRoute", "Impossible route between points"),
  refusesTheRequest: osrmRefuses("InvalidQuery", "Query string malformed close to position 17"),
  avoids: ({ url }) => url.searchParams.get("exclude") === "seasonal",
  avoidsEach: false,
};

/** OSRM's route service; `snapped` has the meters from each stop to the nearest road. */
export function speaksOsrm({
  dataVersion,
  legs = trueRoads,
  snapped = [],
}: {
  dataVersion?: string;
  legs?: WireLegs;
  snapped?: readonly number[];
} = {}): Behavior {
  return (response, call) => {
    const [, coordinates = ""] = /^\/route\/v1\/driving\/([-\d.,;]+)$/.exec(call.url.pathname) ?? [];
    const stops = coordinates.split(";").map((pair): RouteStop => {
      const [lng = "", lat = ""] = pair.split(",");
      return { name: pair, roadNode: null, lat: Number(lat), lng: Number(lng) };
    });
    const route = legsBetween(stops, legs).map(({ km, minutes }) => ({
      distance: km * 1000,
      duration: minutes * 60,
      ...{ steps: [], summary: "", weight: minutes * 60 },
    }));
    const total = (field: "distance" | "duration") => route.reduce((sum, leg) => sum + leg[field], 0);
    return json({
      code: "Ok",
      ...(dataVersion !== undefined && { data_version: dataVersion }),
      routes: [
        { ...{ legs: route, distance: total("distance"), duration: total("duration") }, weight_name: "routability" },
      ],
      waypoints: stops.map(({ lat, lng }, at) => ({ name: "", location: [lng, lat], distance: snapped[at] ?? 1 })),
    })(response, call);
  };
}

export function osrmRefuses(code: string, message = ""): Behavior {
  return json({ code, message }, 400);
}
