import { PublicError } from "../contract/errors.ts";
import { crowFliesKm } from "../places/geo.ts";
import { localMonthDay } from "./closure.ts";
import type { RoadData } from "./load-roads.ts";
import { createRoadStates, type RoadState } from "./road-state.ts";
import type { MeasuredRoute, Router, RouteStop } from "./router.ts";
import type { RoadEdge } from "./schema.ts";
import { dayName, type SeasonalRoad, seasonalRoads } from "./seasons.ts";
import { createShortestTime } from "./shortest-time.ts";
import { createSnapToRoad, type Snapped } from "./snap.ts";

/** The stretch between a position and the network is longer than the crow flies and driven slowly. */
const LAST_STRETCH_DETOUR = 1.4;
const LAST_STRETCH_KM_PER_MINUTE = 35 / 60;
const FARTHEST_FROM_ROAD_KM = 15;
/** A last stretch beyond this is looked at by a person before money is taken. */
const DOUBTFUL_STRETCH_KM = 5;
/** So is a leg so many times as long as the crow flies, where it is no short hop: a link may be missing. */
const DOUBTFUL_DETOUR = 3.5;
const SHORT_HOP_KM = 3;

/** Where a journey enters or leaves the network, and what it takes to get there. */
interface Entry {
  readonly node: string;
  readonly km: number;
  readonly minutes: number;
}

interface Anchor {
  readonly entries: readonly Entry[];
  /** `undefined` where the stop is a node of the network. */
  readonly snapped: Snapped | undefined;
}

interface Leg {
  readonly km: number;
  readonly minutes: number;
  /** What decides between ways. */
  readonly weight: number;
  readonly edges: readonly RoadEdge[];
}

export interface EmbeddedRouter extends Router {
  /** The roads of the journey. Throws UNSUPPORTED_ROUTE as `measure` does. */
  way(stops: readonly RouteStop[], departure: Date): readonly RoadEdge[];
  /** The roads that the journey would take if every pass were open. Throws UNSUPPORTED_ROUTE as `measure` does. */
  wayIfAllOpen(stops: readonly RouteStop[]): readonly RoadEdge[];
}

/** Measures on the catalogue's road network; `timeZone` is the clock by which winter closures are read. */
export function createEmbeddedRouter(roads: RoadData, timeZone: string): EmbeddedRouter {
  const findPath = createShortestTime(roads);
  const snapToRoad = createSnapToRoad(roads);
  const states = createRoadStates(roads);

  return {
    basis: "EMBEDDED_ROAD_NETWORK",
    dataVersion: `embedded-${roads.version}`,
    async ping() {},

    async measure(stops, departure): Promise<MeasuredRoute> {
      const monthDay = localMonthDay(departure, timeZone);
      const state = states.on(monthDay);
      const { anchors, legs } = legsIn(state, stops);
      const edges = legs.flatMap((leg) => leg.edges);
      const ways = [...edges, ...wayIfAllOpen(stops)];
      return {
        distanceKm: Math.round(sum(legs.map(({ km }) => km)) * 10) / 10,
        durationMinutes: Math.max(0, Math.ceil(sum(legs.map(({ minutes }) => minutes)) - 1e-9)),
        feesRappen: sum(edges.map(feeOf)),
        notes: [...new Set(edges.flatMap((edge) => noteOf(edge, state)))],
        doubts: [
          ...anchors.flatMap((anchor, index) => stretchDoubts(anchor, stops[index])),
          ...legs.flatMap((leg, index) => detourDoubts(leg, stops[index], stops[index + 1])),
          ...seasonalRoads(ways, roads, monthDay).flatMap(seasonDoubts),
          ...edges.flatMap(arrangementDoubts),
        ],
      };
    },

    way: (stops, departure) => wayIn(states.on(localMonthDay(departure, timeZone)), stops),
    wayIfAllOpen,
  };

  function wayIfAllOpen(stops: readonly RouteStop[]): readonly RoadEdge[] {
    return wayIn(states.allOpen, stops);
  }

  function wayIn(state: RoadState, stops: readonly RouteStop[]): readonly RoadEdge[] {
    return legsIn(state, stops).legs.flatMap((leg) => leg.edges);
  }

  function legsIn(state: RoadState, stops: readonly RouteStop[]) {
    const anchors = stops.map((stop) => anchorOf(stop, state.isOpen));
    const legs = anchors.slice(1).map((to, index) => {
      const leg = legBetween(anchors[index] ?? to, to, state);
      if (!leg) throw noRoad(stops[index], stops[index + 1]);
      return leg;
    });
    return { anchors, legs };
  }

  function anchorOf(stop: RouteStop, isOpen: (edge: RoadEdge) => boolean): Anchor {
    if (stop.roadNode !== null && roads.nodes.has(stop.roadNode)) {
      return { entries: [{ node: stop.roadNode, km: 0, minutes: 0 }], snapped: undefined };
    }
    const snapped = snapToRoad(stop, isOpen);
    if (!snapped || snapped.crowFliesKm > FARTHEST_FROM_ROAD_KM) {
      throw new PublicError(
        "UNSUPPORTED_ROUTE",
        `${stop.name} lies more than ${FARTHEST_FROM_ROAD_KM} km from a road that is served.`,
      );
    }
    const { edge, along } = snapped;
    const km = snapped.crowFliesKm * LAST_STRETCH_DETOUR;
    const minutes = km / LAST_STRETCH_KM_PER_MINUTE;
    const entry = (node: string, share: number) => ({
      node,
      km: km + share * edge.km,
      minutes: minutes + share * edge.minutes,
    });
    return { entries: [entry(edge.from, along), entry(edge.to, 1 - along)], snapped };
  }

  function legBetween(from: Anchor, to: Anchor, state: RoadState): Leg | undefined {
    const legs = from.entries.flatMap((start) =>
      to.entries.flatMap((end): Leg[] => {
        const path = findPath(start.node, end.node, state);
        if (!path) return [];
        const km = start.km + sum(path.edges.map((edge) => edge.km)) + end.km;
        const access = start.minutes + end.minutes;
        return [{ km, minutes: access + path.minutes, weight: access + path.weight, edges: path.edges }];
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
  return [{ km: share * km + stretches, minutes: drivingMinutes, weight: drivingMinutes, edges: [] }];
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

function stretchDoubts({ snapped }: Anchor, stop: RouteStop | undefined): readonly string[] {
  if (!snapped || snapped.crowFliesKm <= DOUBTFUL_STRETCH_KM) return [];
  return [`${stop?.name} lies ${snapped.crowFliesKm.toFixed(1)} km from the measured roads.`];
}

function detourDoubts({ km }: Leg, from?: RouteStop, to?: RouteStop): readonly string[] {
  const direct = from && to ? crowFliesKm(from, to) : 0;
  if (direct < SHORT_HOP_KM || km <= direct * DOUBTFUL_DETOUR) return [];
  return [
    `The way from ${from?.name} to ${to?.name} is ${(km / direct).toFixed(1)} times as long as the crow flies.`,
  ];
}

function arrangementDoubts({ carTrain, name }: RoadEdge): readonly string[] {
  return carTrain?.byArrangement
    ? [`The ${name ?? "car train"} has no timetable and runs by arrangement.`]
    : [];
}

/** Near its usual opening or closing nobody knows whether a pass on the way will be open. */
export function seasonDoubts({ name, closedFrom, closedTo, isUncertain }: SeasonalRoad): readonly string[] {
  if (!isUncertain) return [];
  return [
    `${name} is usually closed from ${dayName(closedFrom)} to ${dayName(closedTo)}; the pickup lies within three weeks of that change.`,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
