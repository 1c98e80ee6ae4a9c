import { z } from "zod/v3";
import type { RouteStop } from "../../domain/routing/router.ts";
import { parsedBody, unexpectedResponse } from "../upstream/parsed-body.ts";
import type { UpstreamClient, UpstreamResponse } from "../upstream/upstream-client.ts";
import { ENGINE, type EngineOptions, noRoadNear, noRoute, type RoadEngine, snapMeters } from "./road-engine.ts";

const RouteAnswer = z.object({
  code: z.literal("Ok"),
  data_version: z.string().optional(),
  /** The stops; `distance` is in meters from the stop to the road where the route starts or ends. */
  waypoints: z.array(z.object({ distance: z.number() })),
  routes: z
    .array(
      z.object({
        /** Meters and seconds. */
        legs: z.array(z.object({ distance: z.number().nonnegative(), duration: z.number().nonnegative() })),
      }),
    )
    .min(1),
});
const Coded = z.object({ code: z.string() });

/** An engine with the roads of another country finds no route for the probe, and works. */
const ProbeAnswer = z.object({ code: z.enum(["Ok", "NoRoute", "NoSegment"]), data_version: z.string().optional() });

/** Two points in Zürich: the response to a route between them contains the version of the data. */
const PROBE: readonly RouteStop[] = [
  { roadNode: null, name: "probe", lat: 47.3779, lng: 8.5403 },
  { roadNode: null, name: "probe", lat: 47.3667, lng: 8.545 },
];

/**
 * OSRM's route service (API v1, profile `driving`). `osrmSeasonalClass` is the excludable class of the engine's profile
 * for roads with a winter closure; absent where the profile has none.
 */
export function createOsrm(
  client: UpstreamClient,
  { osrmSeasonalClass: seasonalClass }: EngineOptions = {},
): RoadEngine {
  const exclude = seasonalClass === undefined ? "" : `&exclude=${seasonalClass}`;
  return {
    canAvoid: ({ areAllSeasonal }) => seasonalClass !== undefined && areAllSeasonal,

    async measure(stops, avoided, signal) {
      const answer = await client.getJson(`${pathOf(stops)}${avoided ? exclude : ""}`, signal);
      const { data_version: dataVersion, routes } = routeIn(answer, stops);
      const legs = (routes[0]?.legs ?? []).map(({ distance, duration }) => ({
        km: distance / 1000,
        minutes: duration / 60,
      }));
      return { legs, dataVersion };
    },

    async dataVersion(signal) {
      const answer = await client.probe(`${pathOf(PROBE)}${exclude}`, signal);
      const probed = ProbeAnswer.safeParse(answer.body);
      if (!probed.success) throw unexpectedResponse(ENGINE, answer);
      return probed.data.data_version;
    },
  };
}

/** OSRM takes longitude before latitude. */
function pathOf(stops: readonly RouteStop[]): string {
  const coordinates = stops.map(({ lat, lng }) => `${lng.toFixed(5)},${lat.toFixed(5)}`).join(";");
  return `/route/v1/driving/${coordinates}?overview=false&alternatives=false&steps=false`;
}

/** Rejects stops far from any road here: with `radiuses` in the request, OSRM's error would not name the stop. */
function routeIn(answer: UpstreamResponse, stops: readonly RouteStop[]): z.output<typeof RouteAnswer> {
  const code = Coded.safeParse(answer.body).data?.code;
  if (code === "NoRoute") throw noRoute(stops, new Error("OSRM returned the code NoRoute."));
  if (code === "NoSegment") throw noRoadNear(stops);
  const route = parsedBody(ENGINE, RouteAnswer, answer);
  const far = stops.filter((stop, index) => (route.waypoints[index]?.distance ?? 0) > snapMeters(stop));
  if (far.length > 0) throw noRoadNear(stops, far);
  return route;
}
