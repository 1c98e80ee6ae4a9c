import { PublicError } from "../../contract/errors.ts";
import { dayName } from "../../contract/notice-formats.ts";
import { distinct, type Notice, notice } from "../../contract/notices.ts";
import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { crowFliesKm } from "../places/geo.ts";
import { type Anchor, createAnchors } from "./anchor.ts";
import { createLegInTown, type Leg, legBetween, roadsOf, throughTown } from "./leg.ts";
import { createRoadGraph, createRoadStates, type RoadState } from "./road-graph.ts";
import { type MeasuredRoute, type RouteStop, roundedSums, sum } from "./router.ts";
import { createTimedPath } from "./timed-path.ts";
import {
  type LocalDay,
  localMoment,
  minutesAfter,
  type SeasonalRoad,
  seasonalRoads,
  seasonDoubts,
  seasonNotes,
} from "./timetable.ts";
import { viaOf } from "./via.ts";

/** A journey on the catalog's roads. Notes, doubts and conditions of its roads all derive from this value. */
export interface RoadJourney extends MeasuredRoute {
  readonly via: readonly string[];
  /** From each stop to the next; `distanceKm` and `durationMinutes` are their sums. */
  readonly stages: readonly Stage[];
  readonly roads: readonly RoadEdge[];
  /** The roads that would be driven if every pass were open and every car train ran. */
  readonly usualRoads: readonly RoadEdge[];
  /** State of the seasonal roads among `usualRoads` on the day of departure. */
  readonly seasonalRoads: readonly SeasonalRoad[];
  /** Notes on drives inside a town, whose length is assumed. */
  readonly townNotes: readonly Notice[];
  /** Notes on passes that are or may be closed, without which the drive is longer. */
  readonly seasonNotes: readonly Notice[];
  /** The part of `doubts` that is about car trains. */
  readonly trainDoubts: readonly Notice[];
  /** Ids of the closures of exact dates that the journey avoids; absent for none. */
  readonly closures?: readonly string[];
  /** Names of car trains that the journey would take at another hour. */
  readonly avoidedTrains: readonly string[];
}

/** The way from one stop to the next, not rounded. */
export interface Stage {
  readonly km: number;
  readonly minutes: number;
  readonly roads: readonly RoadEdge[];
  /** As of the whole journey. */
  readonly usualRoads: readonly RoadEdge[];
}

/** Whether no closed pass and no car train diverts it from the route that is driven otherwise. */
export function isUsualRoute({ roads, usualRoads }: Stage): boolean {
  return roads.length === usualRoads.length && roads.every((edge, index) => edge === usualRoads[index]);
}

export interface RoadNetwork {
  readonly dataVersion: string;
  /**
   * Throws UNSUPPORTED_ROUTE where a stop lies off the roads or no open road joins the stops. None of the `closed` roads
   * is driven, and a stop on one of them is doubted as on a pass that is closed in winter.
   */
  journey(stops: readonly RouteStop[], departure: Date, closed?: readonly RoadEdge[]): RoadJourney;
  /** Whether roads would join the stops if every pass were open. */
  joins(stops: readonly RouteStop[], departure: Date): boolean;
}

/** Winter closures and timetables are read in `timeZone`. */
export function createRoadNetwork(roads: RoadData, timeZone: string): RoadNetwork {
  const statesOn = createRoadStates(roads);
  const anchorOf = createAnchors(roads);
  const legInTown = createLegInTown(roads);
  const findTimedPath = createTimedPath(roads, timeZone, createRoadGraph(roads));
  const dataVersion = `embedded-${roads.version}`;

  return {
    dataVersion,

    journey(stops, departure, closed = []) {
      const day = localMoment(departure, timeZone);
      const { usual, certain, allOpen } = statesOn(day);
      const without = (state: RoadState) => (closed.length > 0 ? state.without(closed) : state);
      const open = without(allOpen);
      const route =
        certainRoute(without(certain), stops, departure) ?? usualRoute(without(usual), open, stops, departure, day);
      return journeyFrom(route, open, stops, day);
    },

    joins(stops, departure) {
      const { allOpen } = statesOn(localMoment(departure, timeZone));
      return unlessUnsupported(() => routeIn(allOpen, stops)) !== undefined;
    },
  };

  function journeyFrom(
    { anchors, legs }: FoundLegs,
    open: RoadState,
    stops: readonly RouteStop[],
    { monthDay }: LocalDay,
  ): RoadJourney {
    const driven = roadsOf(legs);
    const usualLegs = routeIn(open, stops).legs;
    const usual = roadsOf(usualLegs);
    // Filters once, since most roads have no toll, train or season.
    const [special, usuallySpecial] = [driven.filter(isSpecial), usual.filter(isSpecial)];
    const avoided = usuallySpecial.filter((edge) => !special.includes(edge));
    const isDetour =
      sum(legs.map(({ minutes }) => minutes)) - sum(usualLegs.map(({ minutes }) => minutes)) > DETOUR_MINUTES;
    const trains = special.filter(({ carTrain }) => carTrain);
    const trainDoubts = special.flatMap(carTrainDoubts);
    // A position in a place is measured from the place's node.
    const measured = stops.map((stop) => {
      const { lat, lng } = (stop.isPosition && roads.nodes.get(stop.roadNode ?? "")) || stop;
      return { ...stop, lat, lng };
    });
    const stages = legs.map(({ km, minutes }, index): Stage => {
      return {
        km,
        minutes,
        roads: roadsOf(legs.slice(index, index + 1)),
        usualRoads: roadsOf(usualLegs.slice(index, index + 1)),
      };
    });
    const passDoubts = seasonalRoads(special, roads, monthDay).flatMap(seasonDoubts);
    const isSurelyOpen = passDoubts.length === 0 && anchors.every(({ closedRoad }) => !closedRoad);
    const waits = new Map(legs.flatMap((leg) => [...leg.waits]));
    return {
      // Where it is in doubt whether the car gets to its stops, no time stands beside them.
      ...roundedSums(stages, isSurelyOpen),
      stages,
      usualKm: sum(usualLegs.map(({ km }) => km)),
      feesRappen: sum(special.map(feeOf)),
      carTrainsRappen: sum(trains.map(feeOf)),
      carTrainKm: sum(trains.map(({ km }) => km)),
      notes: distinct([...trains.map((edge) => trainNote(edge, waits.get(edge))), ...tollNotes(special)]),
      townNotes: legs.flatMap(({ note }) => note ?? []),
      doubts: [
        ...anchors.flatMap((anchor, index) => anchorDoubts(anchor, stops[index])),
        ...usualLegs.flatMap(({ km }, index) => detourDoubts(km, measured[index], measured[index + 1])),
        ...passDoubts,
        ...trainDoubts,
      ],
      dataVersion,
      roads: driven,
      via: viaOf(driven, anchors[0]?.snapped ? undefined : anchors[0]?.entries[0]?.node),
      usualRoads: usual,
      seasonalRoads: seasonalRoads(usuallySpecial, roads, monthDay),
      seasonNotes: seasonalRoads(avoided, roads, monthDay).flatMap((road) => seasonNotes(road, isDetour)),
      trainDoubts,
      avoidedTrains: legs.flatMap(({ avoided }) => avoided.map(({ name = "car train" }) => name)),
    };
  }

  /** A route on roads that are certainly open; `undefined` where there is none or a stop's access road is closed. */
  function certainRoute(certain: RoadState, stops: readonly RouteStop[], departure: Date): FoundLegs | undefined {
    const route = unlessUnsupported(() => routeIn(certain, stops, departure));
    return route?.anchors.some(({ closedRoad }) => closedRoad) ? undefined : route;
  }

  /** A route on the roads that are open in a usual year. An error names the passes that are closed. */
  function usualRoute(
    usual: RoadState,
    open: RoadState,
    stops: readonly RouteStop[],
    departure: Date,
    { monthDay }: LocalDay,
  ): FoundLegs {
    try {
      return routeIn(usual, stops, departure);
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      const all = unlessUnsupported(() => roadsOf(routeIn(open, stops).legs));
      const closed = seasonalRoads(all ?? [], roads, monthDay).filter(({ isClosed }) => isClosed);
      throw new PublicError(error.code, [error.message, ...closed.map(usuallyClosed)].join(" "), error.options);
    }
  }

  /** Without a departure, each car train has its usual wait. */
  function routeIn(state: RoadState, stops: readonly RouteStop[], departure?: Date): FoundLegs {
    const anchors = stops.map((stop) => anchorOf(stop, state));
    let minutes = 0;
    const legs = anchors.slice(1).map((to, index): Leg => {
      minutes += stops[index]?.dwellMinutes ?? 0;
      const [start, end] = [stops[index], stops[index + 1]];
      const inTown = start && end && legInTown(start, end);
      const leavesAt = departure && minutesAfter(departure, minutes);
      const search = { state, findPath: findTimedPath, departure: leavesAt };
      const leg = inTown ? throughTown(inTown, state) : legBetween(anchors[index] ?? to, to, search);
      if (!leg || isOnClosedRoad(to) || (index === 0 && anchors[0] && isOnClosedRoad(anchors[0])))
        throw noRoad(start, end);
      minutes += leg.minutes;
      return leg;
    });
    return { anchors, legs };
  }
}

/** `undefined` where the search throws UNSUPPORTED_ROUTE. */
export function unlessUnsupported<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof PublicError) return undefined;
    throw error;
  }
}

/** The legs of a journey, and where its stops join the network. */
interface FoundLegs {
  readonly anchors: readonly Anchor[];
  readonly legs: readonly Leg[];
}

function usuallyClosed({ name, closedFrom, closedTo }: SeasonalRoad): string {
  return `${name} is usually closed from ${dayName(closedFrom)} to ${dayName(closedTo)}.`;
}

function noRoad(from: RouteStop | undefined, to: RouteStop | undefined): PublicError {
  return new PublicError("UNSUPPORTED_ROUTE", `No road from ${from?.name} to ${to?.name} is open at that time.`);
}

function isSpecial({ carTrain, toll, closed }: RoadEdge): boolean {
  return carTrain !== undefined || toll !== undefined || closed !== undefined;
}

function feeOf({ carTrain, toll }: RoadEdge): number {
  return (carTrain?.fareRappen ?? 0) + (toll?.fareRappen ?? 0);
}

function trainNote({ name = "car train", minutes }: RoadEdge, wait = 0): Notice {
  return notice("CAR_TRAIN", { name, wait_min: Math.ceil(wait), ride_min: minutes });
}

/** All tolls in one sentence: tunnels and other roads with a name, and motorways. */
function tollNotes(roads: readonly RoadEdge[]): readonly Notice[] {
  const tolled = roads.filter(({ toll }) => toll);
  if (tolled.length === 0) return [];
  const names = [...new Set(tolled.flatMap(({ name }) => name ?? []))].map((text) => ({ text }));
  const motorways = tolled.some(({ name }) => name === undefined) ? 1 : undefined;
  return [notice("TOLL", { name: names.length > 0 ? names : undefined, motorways })];
}

/** A closed pass is named where the way around it takes longer by more than this. */
const DETOUR_MINUTES = 10;
/** A stop that is farther from the road needs manual confirmation. */
const DOUBTFUL_STRETCH_KM = 3;
/** A leg more than this many times as long as its straight line needs manual confirmation: a road may be missing. */
const DOUBTFUL_DETOUR = 3.5;
const SHORT_HOP_KM = 3;

/** Whether a stop is beyond doubt on a road that is closed: an open one is too far away to be its access. */
function isOnClosedRoad({ snapped, closedRoad }: Anchor): boolean {
  return closedRoad !== undefined && snapped !== undefined && snapped.crowFliesKm > DOUBTFUL_STRETCH_KM;
}

/** Doubts about where a stop joins the network. */
function anchorDoubts({ snapped, closedRoad }: Anchor, stop?: RouteStop): readonly Notice[] {
  const place = stop?.name ?? "";
  const closed = closedRoad ? [notice("ROAD_CLOSED", { place, name: closedRoad.name ?? "a road" })] : [];
  if (!snapped || snapped.crowFliesKm <= DOUBTFUL_STRETCH_KM) return closed;
  return [...closed, notice("OFF_THE_ROADS", { place, km: snapped.crowFliesKm.toFixed(1) })];
}

/** Doubts about the road of a position. Between two places of the catalog the road is known, however long it is. */
function detourDoubts(km: number, from?: RouteStop, to?: RouteStop): readonly Notice[] {
  if (!from || !to || (from.roadNode !== null && to.roadNode !== null)) return [];
  const direct = crowFliesKm(from, to);
  if (direct < SHORT_HOP_KM || km <= direct * DOUBTFUL_DETOUR) return [];
  return [notice("LONG_DETOUR", { from: from.name, to: to.name, times: (km / direct).toFixed(1) })];
}

function carTrainDoubts({ carTrain, name = "car train" }: RoadEdge): readonly Notice[] {
  return carTrain?.byArrangement ? [notice("TRAIN_BY_ARRANGEMENT", { name })] : [];
}
