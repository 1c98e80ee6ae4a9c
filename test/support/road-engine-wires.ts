import { loadCatalog } from "../../src/catalog/catalog.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { type Behavior, type EngineCall, json } from "./fake-engine.ts";

export interface WireLeg {
  readonly km: number;
  readonly minutes: number;
}

/** The same legs for every request, or those between the stops of each. */
export type WireLegs = readonly WireLeg[] | ((stops: readonly RouteStop[]) => readonly WireLeg[]);

/** The HTTP interface of a routing engine, for the contract suites. */
export interface RoadEngineWire {
  /** Answers with these legs; `data` is the version of the road data, if the engine reports one. */
  speaks(legs: WireLegs, data?: number): Behavior;
  /** Whether the engine's answers contain the version of its data. */
  readonly hasDataVersion: boolean;
  readonly refusesWithNoRoute: Behavior;
  readonly refusesTheRequest: Behavior;
  /** Whether a request asks to avoid closed roads. */
  avoids(call: EngineCall): boolean;
  /** Whether it avoids each closed road by its position, and not all roads of a class. */
  readonly avoidsEach: boolean;
}

/** The interfaces of all engines in the table of routing engines. */
export const roadEngineWires: Readonly<Record<RoutingEngineName, RoadEngineWire>> = {
  osrm: {
    speaks: (legs, data) => speaksOsrm({ legs, ...(data !== undefined && { dataVersion: String(data) }) }),
    hasDataVersion: true,
    refusesWithNoRoute: osrmRefuses("NoRoute", "Impossible route between points"),
    refusesTheRequest: osrmRefuses("InvalidQuery", "Query string malformed close to position 17"),
    avoids: ({ url }) => url.searchParams.get("exclude") === "seasonal",
    avoidsEach: false,
  },
  valhalla: {
    speaks: (legs, tiles) => speaksValhalla({ legs, ...(tiles !== undefined && { tiles }) }),
    hasDataVersion: true,
    refusesWithNoRoute: valhallaRefuses(442, "No path could be found for input"),
    refusesTheRequest: valhallaRefuses(125, "No costing method found"),
    avoids: (call) => (valhallaRequest(call).exclude_locations ?? []).length > 0,
    avoidsEach: true,
  },
};

const SUMMER = new Date("2027-07-15T10:00:00Z");
const swissRoads = createRoadNetwork(loadCatalog(packagedCatalog).roads, "Europe/Zurich");

/** The legs between stops as the embedded network measures them. */
export function trueRoads(stops: readonly RouteStop[]): readonly WireLeg[] {
  return stops.slice(1).map((to, index) => {
    const { distanceKm, durationMinutes } = swissRoads.journey([stops[index] ?? to, to], SUMMER);
    return { km: distanceKm, minutes: durationMinutes };
  });
}

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

function legsBetween(stops: readonly RouteStop[], legs: WireLegs): readonly WireLeg[] {
  return typeof legs === "function" ? legs(stops) : legs;
}
