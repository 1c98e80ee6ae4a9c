import { DateTime } from "luxon";
import { PublicError } from "../contract/errors.ts";
import {
  type Anchor,
  createAnchors,
  type Entry,
  LAST_STRETCH_DETOUR,
  LAST_STRETCH_KM_PER_MINUTE,
} from "./anchor.ts";
import { localMonthDay } from "./closure.ts";
import { anchorDoubts, carTrainDoubts, detourDoubts, seasonDoubts } from "./doubts.ts";
import type { RoadData } from "./load-roads.ts";
import { createRoadStates, type RoadState } from "./road-state.ts";
import type { MeasuredRoute, Router, RouteStop } from "./router.ts";
import type { RoadEdge } from "./schema.ts";
import { seasonalRoads } from "./seasons.ts";
import { createShortestTime } from "./shortest-time.ts";

interface Leg {
  readonly km: number;
  readonly minutes: number;
  /** What decides between ways. */
  readonly weight: number;
  readonly start: Pick<Entry, "minutes" | "edge">;
  /** The roads that are driven from node to node. */
  readonly path: readonly RoadEdge[];
  readonly end: Pick<Entry, "edge">;
}

export interface EmbeddedRouter extends Router {
  /** The roads of the journey. Throws UNSUPPORTED_ROUTE as `measure` does. */
  way(stops: readonly RouteStop[], departure: Date): readonly RoadEdge[];
  /** The roads that the journey would take if every pass were open. Throws UNSUPPORTED_ROUTE as `measure` does. */
  wayIfAllOpen(stops: readonly RouteStop[]): readonly RoadEdge[];
  /** Doubts about the car trains of the journey. Throws UNSUPPORTED_ROUTE as `measure` does. */
  trainDoubts(stops: readonly RouteStop[], departure: Date): readonly string[];
}

/** Measures on the catalogue's road network; `timeZone` is the clock by which winter closures are read. */
export function createEmbeddedRouter(roads: RoadData, timeZone: string): EmbeddedRouter {
  const findPath = createShortestTime(roads);
  const states = createRoadStates(roads);
  const anchorOf = createAnchors(roads, states.allOpen);

  return {
    basis: "EMBEDDED_ROAD_NETWORK",
    dataVersion: `embedded-${roads.version}`,
    async ping() {},

    async measure(stops, departure): Promise<MeasuredRoute> {
      const monthDay = localMonthDay(departure, timeZone);
      const state = states.on(monthDay);
      const { anchors, legs } = legsIn(state, stops);
      const edges = drivenIn(legs);
      const ways = [...edges, ...wayIfAllOpen(stops)];
      return {
        distanceKm: Math.round(sum(legs.map(({ km }) => km)) * 10) / 10,
        durationMinutes: Math.max(0, Math.ceil(sum(legs.map(({ minutes }) => minutes)) - 1e-9)),
        feesRappen: sum(edges.map(feeOf)),
        notes: [...new Set(edges.flatMap((edge) => noteOf(edge, state)))],
        doubts: [
          ...anchors.flatMap((anchor, index) => anchorDoubts(anchor, stops[index])),
          ...legs.flatMap(({ km }, index) => detourDoubts(km, stops[index], stops[index + 1])),
          ...seasonalRoads(ways, roads, monthDay).flatMap(seasonDoubts),
          ...trainDoubtsOn(legs, state, departure),
        ],
      };
    },

    way: (stops, departure) => wayIn(states.on(localMonthDay(departure, timeZone)), stops),
    wayIfAllOpen,

    trainDoubts(stops, departure) {
      const state = states.on(localMonthDay(departure, timeZone));
      return trainDoubtsOn(legsIn(state, stops).legs, state, departure);
    },
  };

  function wayIfAllOpen(stops: readonly RouteStop[]): readonly RoadEdge[] {
    return wayIn(states.allOpen, stops);
  }

  function wayIn(state: RoadState, stops: readonly RouteStop[]): readonly RoadEdge[] {
    return drivenIn(legsIn(state, stops).legs);
  }

  function legsIn(state: RoadState, stops: readonly RouteStop[]) {
    const anchors = stops.map((stop) => anchorOf(stop, state));
    const legs = anchors.slice(1).map((to, index) => {
      const leg = legBetween(anchors[index] ?? to, to, state);
      if (!leg) throw noRoad(stops[index], stops[index + 1]);
      return leg;
    });
    return { anchors, legs };
  }

  function trainDoubtsOn(legs: readonly Leg[], state: RoadState, departure: Date): readonly string[] {
    const pickup = DateTime.fromJSDate(departure, { zone: timeZone });
    let minutes = 0;
    return legs.flatMap((leg) => {
      let reached = minutes + leg.start.minutes;
      minutes += leg.minutes;
      return leg.path.flatMap((edge) => {
        // Clocks are slow, and few roads have one.
        const doubts = edge.carTrain ? carTrainDoubts(edge, pickup.plus({ minutes: reached })) : [];
        reached += state.minutesOf(edge);
        return doubts;
      });
    });
  }

  function legBetween(from: Anchor, to: Anchor, state: RoadState): Leg | undefined {
    const legs = from.entries.flatMap((start) =>
      to.entries.flatMap((end): Leg[] => {
        const path = findPath(start.node, end.node, state);
        if (!path) return [];
        const km = start.km + sum(path.edges.map((edge) => edge.km)) + end.km;
        const access = start.minutes + end.minutes;
        const measured = { km, minutes: access + path.minutes, weight: access + path.weight };
        return [{ ...measured, start, path: path.edges, end }];
      }),
    );
    return [...legs, ...alongOneEdge(from, to)].sort((a, b) => a.weight - b.weight)[0];
  }
}

/** Two positions on the same stretch of road need not pass either of its ends. */
function alongOneEdge(from: Anchor, to: Anchor): readonly Leg[] {
  if (!from.snapped || !to.snapped || from.snapped.edge !== to.snapped.edge) return [];
  const share = Math.abs(from.snapped.along - to.snapped.along);
  const { km, minutes } = from.snapped.edge;
  const stretches = (from.snapped.crowFliesKm + to.snapped.crowFliesKm) * LAST_STRETCH_DETOUR;
  const drivingMinutes = share * minutes + stretches / LAST_STRETCH_KM_PER_MINUTE;
  const edge = share > 0 ? from.snapped.edge : undefined;
  return [
    {
      km: share * km + stretches,
      minutes: drivingMinutes,
      weight: drivingMinutes,
      start: { minutes: 0, edge },
      path: [],
      end: { edge },
    },
  ];
}

/** The roads of a journey in their order; one that a stop lies on counts once before and after it. */
function drivenIn(legs: readonly Leg[]): readonly RoadEdge[] {
  return legs.flatMap(({ start, path, end }, index) => {
    const isOnIt = start.edge === legs[index - 1]?.end.edge;
    const isAllOfIt = path.length === 0 && start.edge === end.edge;
    return [isOnIt ? undefined : start.edge, ...path, isAllOfIt ? undefined : end.edge].filter(
      (edge) => edge !== undefined,
    );
  });
}

function noRoad(from: RouteStop | undefined, to: RouteStop | undefined): PublicError {
  return new PublicError(
    "UNSUPPORTED_ROUTE",
    `There is no road that is open from ${from?.name} to ${to?.name} at that time.`,
  );
}

function feeOf({ carTrain, toll }: RoadEdge): number {
  return (carTrain?.fareRappen ?? 0) + (toll?.fareRappen ?? 0);
}

function noteOf(edge: RoadEdge, state: RoadState): readonly string[] {
  const name = edge.name ?? "car train";
  if (edge.carTrain) {
    const { railMinutes } = edge.carTrain;
    const waitMinutes = state.minutesOf(edge) - railMinutes;
    return [
      `Includes the ${name}: allow ${waitMinutes} min for waiting and ${railMinutes} min for the ride.`,
    ];
  }
  if (!edge.toll) return [];
  return [edge.name ? `Includes the toll of ${edge.name}.` : "Includes motorway tolls."];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
