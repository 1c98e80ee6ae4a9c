import { z } from "zod/v3";
import type { RouteStop } from "../../domain/routing/router.ts";
import { parsedBody } from "../upstream/parsed-body.ts";
import type { UpstreamClient, UpstreamResponse } from "../upstream/upstream-client.ts";
import { type AvoidedRoads, ENGINE, noRoadNear, noRoute, type RoadEngine, snapMeters } from "./road-engine.ts";

const RouteAnswer = z.object({
  trip: z.object({
    units: z.literal("kilometers"),
    legs: z.array(
      z.object({
        /** Kilometers and seconds. */
        summary: z.object({ length: z.number().nonnegative(), time: z.number().nonnegative() }),
      }),
    ),
  }),
});
const Refusal = z.object({ error_code: z.number() });
const Status = z.object({
  version: z.string(),
  /** Seconds since 1970. */
  tileset_last_modified: z.number().optional(),
});

/** Valhalla's own limit, `service_limits.max_exclude_locations`. */
const MOST_EXCLUDED = 50;
/** With a greater distance, Valhalla could exclude another road than the closed one. */
const EXCLUDED_WITHIN_METERS = 1_000;

/** Error code: no edges near a location. */
const NO_SEGMENT = [171];
/** Error codes: no path; unconnected regions; longer than the engine's limit. */
const NO_ROUTE = [442, 170, 154];

/** Valhalla's route and status actions. */
export function createValhalla(client: UpstreamClient): RoadEngine {
  return {
    canAvoid: ({ positions }) => positions.length <= MOST_EXCLUDED,

    async measure(stops, avoided, signal) {
      const answer = await client.postJson("/route", requestFor(stops, avoided), signal);
      const legs = routeIn(answer, stops).trip.legs.map(({ summary: { length, time } }) => ({
        km: length,
        minutes: time / 60,
      }));
      return { legs, dataVersion: undefined };
    },

    async dataVersion(signal) {
      const answer = await client.probe("/status", signal);
      const { version, tileset_last_modified: tiles } = parsedBody(ENGINE, Status, answer);
      return [version, tiles].filter((part) => part !== undefined).join("-") || undefined;
    },
  };
}

function requestFor(stops: readonly RouteStop[], avoided: AvoidedRoads | undefined) {
  return {
    locations: stops.map((stop) => ({
      lat: Number(stop.lat.toFixed(5)),
      lon: Number(stop.lng.toFixed(5)),
      // Not `radius`: where that contains no road, Valhalla takes the nearest one beyond it.
      search_cutoff: snapMeters(stop),
    })),
    ...(avoided && {
      exclude_locations: avoided.positions.map(({ lat, lng }) => ({
        lat,
        lon: lng,
        search_cutoff: EXCLUDED_WITHIN_METERS,
        // Parking lots and tracks are often nearer to the top of a pass than its road is.
        search_filter: { min_road_class: "unclassified" },
      })),
    }),
    costing: "auto",
    // No ferries, since the tariff has no fares for them.
    costing_options: { auto: { use_ferry: 0, ...(avoided && { use_rail_ferry: avoided.takesCarTrain ? 1 : 0 }) } },
    units: "kilometers",
    directions_type: "none",
  };
}

function routeIn(answer: UpstreamResponse, stops: readonly RouteStop[]): z.output<typeof RouteAnswer> {
  const refusal = Refusal.safeParse(answer.body).data;
  if (refusal && NO_SEGMENT.includes(refusal.error_code)) throw noRoadNear(stops);
  if (refusal && NO_ROUTE.includes(refusal.error_code)) {
    throw noRoute(stops, new Error(`Valhalla returned the error code ${refusal.error_code}.`));
  }
  return parsedBody(ENGINE, RouteAnswer, answer);
}
