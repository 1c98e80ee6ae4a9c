import { silentLog } from "../../src/ops/log.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createCatalogueOverlay } from "../../src/routing/engines/catalogue-overlay.ts";
import type { MeasuredByEngineParts } from "../../src/routing/engines/measured-by-engine.ts";
import { loadRoads, type RoadData } from "../../src/routing/load-roads.ts";
import type { RouteStop } from "../../src/routing/router.ts";
import { DEFAULT_CATALOGUE } from "./default-catalogue.ts";
import { type Behaviour, type EngineCall, json } from "./fake-engine.ts";

export const SUMMER = new Date("2027-07-15T10:00:00Z");
export const WINTER = new Date("2027-01-15T10:00:00Z");
export const SERVICE_BOX = { south: 44.6, west: 4.6, north: 48.6, east: 12.4 };

const swissRoads = loadRoads(DEFAULT_CATALOGUE);
const swissRouter = createEmbeddedRouter(swissRoads, "Europe/Zurich");

/** What an engine's router is opened with. */
export function engineParts(
  roads: RoadData = swissRoads,
  over: Partial<MeasuredByEngineParts> = {},
): MeasuredByEngineParts {
  const embedded = createEmbeddedRouter(roads, "Europe/Zurich");
  return {
    overlay: createCatalogueOverlay(embedded, roads, "Europe/Zurich"),
    box: SERVICE_BOX,
    log: silentLog,
    ...over,
  };
}

export interface WireLeg {
  readonly km: number;
  readonly minutes: number;
}

type Leg = (from: RouteStop, to: RouteStop) => Promise<WireLeg>;

/** The true roads of Switzerland, as far as the embedded network knows them. */
const trueRoads: Leg = async (from, to) => {
  const { distanceKm, durationMinutes } = await swissRouter.measure(
    [from, to],
    SUMMER,
    new AbortController().signal,
  );
  return { km: distanceKm, minutes: durationMinutes };
};

/** OSRM's route service, over true roads or those of the test. */
export function speaksOsrm({
  dataVersion,
  leg = trueRoads,
}: {
  dataVersion?: string;
  leg?: Leg;
} = {}): Behaviour {
  return async (response, call) => {
    const [, coordinates = ""] = /^\/route\/v1\/driving\/([-\d.,;]+)$/.exec(call.url.pathname) ?? [];
    const stops = coordinates.split(";").map((pair): RouteStop => {
      const [lng = "", lat = ""] = pair.split(",");
      return { name: pair, roadNode: null, lat: Number(lat), lng: Number(lng) };
    });
    const legs = await legsBetween(stops, leg);
    json({
      code: "Ok",
      ...(dataVersion !== undefined && { data_version: dataVersion }),
      routes: [
        {
          legs: legs.map(({ km, minutes }) => ({
            distance: km * 1000,
            duration: minutes * 60,
            steps: [],
            summary: "",
            weight: minutes * 60,
          })),
          distance: sum(legs.map(({ km }) => km)) * 1000,
          duration: sum(legs.map(({ minutes }) => minutes)) * 60,
          weight_name: "routability",
        },
      ],
      waypoints: stops.map(({ lat, lng }) => ({ name: "", location: [lng, lat], distance: 1 })),
    })(response, call);
  };
}

export function osrmRefuses(code: string, message = ""): Behaviour {
  return json({ code, message }, 400);
}

/** Valhalla's route and status actions, over true roads or those of the test. */
export function speaksValhalla({ tiles, leg = trueRoads }: { tiles?: number; leg?: Leg } = {}): Behaviour {
  return async (response, call) => {
    if (call.url.pathname === "/status") {
      return json({ version: "3.5.1", ...(tiles !== undefined && { tileset_last_modified: tiles }) })(
        response,
        call,
      );
    }
    const { locations } = valhallaRequest(call);
    const stops = locations.map(({ lat, lon }): RouteStop => ({ name: "", roadNode: null, lat, lng: lon }));
    const legs = await legsBetween(stops, leg);
    const summary = ({ km, minutes }: WireLeg) => ({ length: km, time: minutes * 60, has_toll: false });
    json({
      trip: {
        locations: locations.map((location) => ({ type: "break", ...location })),
        legs: legs.map((each) => ({ summary: summary(each), shape: "" })),
        summary: summary({
          km: sum(legs.map(({ km }) => km)),
          minutes: sum(legs.map(({ minutes }) => minutes)),
        }),
        status_message: "Found route between points",
        status: 0,
        units: "kilometers",
        language: "en-US",
      },
    })(response, call);
  };
}

export function valhallaRefuses(code: number, error = ""): Behaviour {
  const refusal = json({ error_code: code, error, status_code: 400, status: "Bad Request" }, 400);
  return (response, call) =>
    call.url.pathname === "/status" ? json({ version: "3.5.1" })(response, call) : refusal(response, call);
}

export function valhallaRequest({ body }: EngineCall): {
  readonly locations: readonly {
    readonly lat: number;
    readonly lon: number;
    readonly search_cutoff: number;
  }[];
  readonly costing: string;
  readonly units: string;
} {
  return JSON.parse(body);
}

async function legsBetween(stops: readonly RouteStop[], leg: Leg): Promise<readonly WireLeg[]> {
  return Promise.all(stops.slice(1).map((to, index) => leg(stops[index] ?? to, to)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
